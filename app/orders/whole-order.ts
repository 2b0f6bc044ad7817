import { toOrder } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { orderStatus } from '#shop/orders/status.ts'

/** Like one line with the amounts and quantities of all; what was refunded no longer ships. */
export function joinLines(lines: Purchase[]): Purchase {
  const first = lines[0]!
  const left = lines.filter((line) => orderStatus(line) !== 'refunded')
  const sum = (rows: Purchase[], of: (line: Purchase) => number) =>
    rows.reduce((total, line) => total + of(line), 0)
  const shippedQuantity = sum(lines, (line) => line.shippedQuantity)
  const toShip = sum(left, (line) => line.toShip)
  const shipping = shippedQuantity > 0 && toShip === 0
  const lastShippedAt =
    lines
      .flatMap(({ shippedAt }) => shippedAt ?? [])
      .toSorted()
      .at(-1) ?? null
  return {
    ...first,
    ...toOrder(lines),
    quantity: sum(lines, (line) => line.quantity),
    shippedQuantity,
    toShip,
    shipping,
    shippedAt: shipping ? lastShippedAt : null,
  }
}
