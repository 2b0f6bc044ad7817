import { orderEvents, type Queries } from '#db/schema.ts'
import type { Member } from '#shop/users/user.ts'
import type { PurchaseRow } from './purchase-rows.server.ts'

/** Of one line, or with a `_id` of null of the whole order. `by` is null for the system. */
export async function addEvent(
  tx: Queries,
  { orderId, _id: lineId }: Pick<PurchaseRow, 'orderId'> & { _id: string | null },
  kind: (typeof orderEvents.$inferInsert)['kind'],
  by: Pick<Member, '_id'> | null,
) {
  await tx.insert(orderEvents).values({ orderId, lineId, kind, by: by?._id ?? null })
}

export interface ShippedItem {
  shipmentId: string
  lineId: string
  quantity: number
}

/** One for each item, all of the same time. */
export async function addShippingEvents(
  tx: Queries,
  orderId: string,
  { kind, by, items }: { kind: 'shipped' | 'not shipped'; by: Pick<Member, '_id'>; items: ShippedItem[] },
) {
  const at = new Date().toISOString()
  await tx.insert(orderEvents).values(
    items.map(({ shipmentId, lineId, quantity }) => ({
      ...{ orderId, lineId, kind, by: by._id, at },
      ...{ shipmentId, quantity },
    })),
  )
}
