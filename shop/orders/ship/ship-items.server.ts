import { and, inArray } from 'drizzle-orm'
import { purchases } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { lockOrder, notCancelled, toPurchase } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { addShipment, addShipmentItems, itemProblem, paymentError } from './ship.server.ts'
import type { ShipItemsRequest, ShipItemsResult } from './shipment.ts'

/**
 * Ships all that is left of each item, one shipment for each order. An order is one transaction: what cannot be shipped any more is in
 * `failed`, and does not keep the others back. Throws 'not-found' when none of the items exists.
 */
export async function shipItems(
  shop: Shop,
  admin: Member,
  { items }: ShipItemsRequest,
  key?: string,
): Promise<ShipItemsResult> {
  const rows = await shop.db
    .select({ _id: purchases._id, orderId: purchases.orderId })
    .from(purchases)
    .where(and(inArray(purchases._id, items), notCancelled))
    .orderBy(purchases.number, purchases.position)
  if (rows.length === 0) throw new ShopError('not-found', 'These items don’t exist.')
  const result: ShipItemsResult = { shipped: [], failed: [] }
  for (const [orderId, lines] of Map.groupBy(rows, (row) => row.orderId)) {
    const ids = lines.map(({ _id }) => _id)
    const { shipped, failed } = await shipLines(shop, admin, { orderId, ids }, key && `${key}:${orderId}`)
    result.shipped.push(...shipped)
    result.failed.push(...failed)
  }
  return result
}

function shipLines(
  shop: Shop,
  admin: Member,
  body: { orderId: string; ids: string[] },
  key: string | undefined,
): Promise<ShipItemsResult> {
  const { orderId, ids } = body
  return idempotent(shop.db, { userId: admin._id, call: 'shipItems', key, body }, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const lines = order!.lines.filter(({ _id }) => ids.includes(_id)).map((row) => toPurchase(shop, row))
    const problems = lines.map(findProblem)
    const items = lines.filter((_, i) => problems[i] === undefined)
    if (items.length > 0) {
      const chosen = items.map(({ _id: lineId, toShip: quantity }) => ({ lineId, quantity }))
      const shipmentId = await addShipment(tx, admin, orderId)
      await addShipmentItems(tx, admin, shipmentId, { action: 'shipItems', lines, items: chosen })
    }
    const failed = lines.flatMap(({ _id, number, name, parts }, i) => {
      const reason = problems[i]
      return reason === undefined ? [] : [{ _id, number, name, parts, reason }]
    })
    return { shipped: items.map(({ _id }) => _id), failed }
  })
}

/** Why nothing of it can be shipped. */
function findProblem(line: Purchase): string | undefined {
  if (line.cancelled) return 'This item was cancelled.'
  return paymentError(line)?.message ?? itemProblem(line, line.toShip)
}
