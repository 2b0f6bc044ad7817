import { dollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'

type Money = Pick<Order, 'price' | 'refunded'>

/** Whether all of an order's money was given back. */
export const isRefunded = ({ price, refunded }: Money) => refunded >= price

/** How much of an order's money was given back, in words. */
export function refundedLabel(order: Money) {
  return isRefunded(order) ? 'Refunded' : `Refunded ${dollars(order.refunded)} of ${dollars(order.price)}`
}

/** For an order whose hold is past, and that has not expired yet. */
export const timeToPayIsOver = 'Its time to pay is over.'
