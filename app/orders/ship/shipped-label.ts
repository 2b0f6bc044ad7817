import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'

/** Beside a status button; null when that says it all. */
export function shippedLabel(order: Purchase) {
  const { parts } = describeState([order])
  return order.paid && parts !== 'Shipped' && parts !== 'Not shipped yet' ? parts : null
}
