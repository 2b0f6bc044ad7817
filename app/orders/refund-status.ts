import { formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import { orderStatus } from '#shop/orders/status.ts'

export function refundedLabel(order: Order) {
  return orderStatus(order) === 'refunded'
    ? 'Refunded'
    : `Refunded ${formatDollars(order.refunded)} of ${formatDollars(order.price)}`
}

/** For an order past its hold that is not marked as expired yet. */
export const timeToPayIsOver = 'Its time to pay is over.'
