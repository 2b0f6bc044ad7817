import { inArray } from 'drizzle-orm'
import { orders, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { ShipOrdersRequest, ShipOrdersResult } from './shipment.ts'
import { shipWhole } from './shipments.server.ts'

/**
 * Ships all that is left of each order, in one shipment each: no parcel cuts an order. An order is one transaction: what cannot be shipped
 * any more is in `failed`, and does not keep the others back. Throws 'not-found' before anything ships when an order does not exist.
 */
export async function shipOrders(
  shop: Shop,
  admin: Member,
  { orders: ids, deliverTo = {} }: ShipOrdersRequest,
  key?: string,
): Promise<ShipOrdersResult> {
  const named = await findNames(shop.db, ids)
  const result: ShipOrdersResult = { shipped: [], failed: [] }
  for (const { _id, name, ...row } of named) {
    const number = formatOrderNumber(shop, row.number)
    try {
      const seen = { deliverTo: deliverTo[_id], key: key && `${key}:${_id}` }
      const shipment = await shipWhole(shop, admin, _id, seen)
      result.shipped.push({ ...shipment, number, name })
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      result.failed.push({ _id, number, name, reason: error.message })
    }
  }
  return result
}

/** In the order of the ids. */
async function findNames(db: Queries, ids: string[]) {
  const { _id, number, name } = orders
  const rows = await db.select({ _id, number, name }).from(orders).where(inArray(_id, ids))
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (!row) throw new ShopError('not-found', `The order ${id} doesn’t exist.`)
    return row
  })
}
