import { eq } from 'drizzle-orm'
import { orders, shipments } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import {
  type SavedTracking,
  type ShipmentFailure,
  type TrackingsRequest,
  trackingChange,
  type UndoneShipments,
  type UndoRequest,
} from './shipment.ts'
import { undoShipment, updateTracking } from './shipments.server.ts'

/** Takes back those of which no customer was told yet; the others are in `failed`, and stay. */
export async function undoShipments(
  shop: Shop,
  admin: Member,
  { shipments: ids }: UndoRequest,
): Promise<UndoneShipments> {
  const { done, failed } = await tryEach(shop, ids, (id) => undoShipment(shop, admin, id))
  return { removed: done, failed }
}

/** Each shipment gets both its carrier and its number, or neither and a reason in `failed`. */
export async function saveTracking(
  shop: Shop,
  admin: Member,
  { shipments: changes }: TrackingsRequest,
): Promise<SavedTracking> {
  const byId = new Map(changes.map((change) => [change._id, change]))
  const { done, failed } = await tryEach(shop, [...byId.keys()], (id) => {
    const checked = trackingChange.safeParse(byId.get(id))
    if (!checked.success) throw new ShopError('invalid', checked.error.issues[0]!.message)
    return updateTracking(shop, admin, id, checked.data, 'saveTracking')
  })
  return { saved: done, failed }
}

async function tryEach(shop: Shop, ids: string[], change: (id: string) => Promise<unknown>) {
  const done: string[] = []
  const failed: ShipmentFailure[] = []
  for (const id of ids) {
    try {
      await change(id)
      done.push(id)
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      failed.push({ _id: id, ...(await findOrder(shop, id)), reason: error.message })
    }
  }
  return { done, failed }
}

async function findOrder(shop: Shop, shipmentId: string) {
  const [row] = await shop.db
    .select({ number: orders.number, name: orders.name })
    .from(shipments)
    .innerJoin(orders, eq(orders._id, shipments.orderId))
    .where(eq(shipments._id, shipmentId))
  return row ? { number: formatOrderNumber(shop, row.number), name: row.name } : { number: null, name: null }
}
