import { formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { orderStatus } from '#shop/orders/status.ts'

/** null when nothing of it was refunded or is to be. */
export function refundedLabel(order: Purchase) {
  const { price, refunded, refundPending } = order
  if (refundPending > 0) return `Refund of ${formatDollars(refundPending)} pending`
  if (refunded === 0) return null
  return orderStatus(order) === 'refunded'
    ? 'Refunded'
    : `Refunded ${formatDollars(refunded)} of ${formatDollars(price)}`
}

/** For an order past its hold that is not marked as expired yet. */
export const timeToPayIsOver = 'The payment deadline has passed.'
