import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'

/** Beside a status button; null when that says it all. */
export function shippedLabel(line: Purchase) {
  const { parts } = describeState([line])
  return line.paid && parts !== 'Shipped' && parts !== 'Not shipped yet' ? parts : null
}
