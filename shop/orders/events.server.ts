import { orderEvents, type Queries } from '#db/schema.ts'
import type { Member } from '#shop/users/user.ts'

interface Events {
  kind: (typeof orderEvents.$inferInsert)['kind']
  /** Null for the system. */
  by: Pick<Member, '_id'> | null
  /** One event for each line, all of the same time; null for one of the whole order. */
  lineIds: string[] | null
}

export async function addEvents(tx: Queries, orderId: string, { kind, by, lineIds }: Events) {
  const at = new Date().toISOString()
  await tx
    .insert(orderEvents)
    .values((lineIds ?? [null]).map((lineId) => ({ orderId, lineId, kind, by: by?._id ?? null, at })))
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
      orderId,
      lineId,
      kind,
      by: by._id,
      at,
      shipmentId,
      quantity,
    })),
  )
}
