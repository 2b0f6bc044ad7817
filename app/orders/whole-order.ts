import { toOrder } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { countParts } from '#shop/orders/state.ts'
import { lastShippedAt } from './order-state.tsx'

/** Like one line with the amounts and quantities of all; what was refunded no longer ships. */
export function joinLines(lines: Purchase[]): Purchase {
  const first = lines[0]!
  const sum = (of: (line: Purchase) => number) => lines.reduce((total, line) => total + of(line), 0)
  const shippedQuantity = sum((line) => line.shippedQuantity)
  const toShip = sum((line) => countParts(line).toShip)
  const shipping = shippedQuantity > 0 && toShip === 0
  return {
    ...first,
    ...toOrder(lines),
    quantity: sum((line) => line.quantity),
    shippedQuantity,
    toShip,
    shipping,
    shippedAt: shipping ? lastShippedAt(lines) : null,
  }
}
