import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'

/** null when nothing of it was refunded or is to be. */
export function refundedLabel(line: Purchase) {
  const { lineCount, deliveryCharge } = line
  return describeState([line], lineCount === 1 ? deliveryCharge : undefined).money
}

/** For an order past its hold that is not marked as expired yet. */
export const timeToPayIsOver = 'The payment deadline has passed.'
