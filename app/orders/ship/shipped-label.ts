import { formatCount } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Of a part of the order that has shipped only in part, such as `24 of 48 shipped`; else null. */
export function shippedLabel({ shipping, shippedQuantity, toShip }: Purchase) {
  if (shipping || shippedQuantity === 0) return null
  return `${formatCount(shippedQuantity)} of ${formatCount(shippedQuantity + toShip)} shipped`
}
