import { formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'

type Money = Pick<Order, 'price' | 'refunded'>

export const isRefunded = ({ price, refunded }: Money) => refunded >= price

export function refundedLabel(order: Money) {
  return isRefunded(order)
    ? 'Refunded'
    : `Refunded ${formatDollars(order.refunded)} of ${formatDollars(order.price)}`
}

/** For an order past its hold that is not marked as expired yet. */
export const timeToPayIsOver = 'Its time to pay is over.'
