import { orderEvents, type Queries } from '#db/schema.ts'
import type { Member } from '#shop/users/user.ts'

/** `by` is null for the system. */
export async function addEvent(
  tx: Queries,
  orderId: string,
  kind: (typeof orderEvents.$inferInsert)['kind'],
  by: Pick<Member, '_id'> | null,
) {
  await tx.insert(orderEvents).values({ orderId, kind, by: by?._id ?? null })
}
