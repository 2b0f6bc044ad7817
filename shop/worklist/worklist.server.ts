import { and, count, min } from 'drizzle-orm'
import { messages, parts, purchases } from '#db/schema.ts'
import { isNewMessage } from '#shop/messages/messages.server.ts'
import { statusConditions } from '#shop/orders/lists.server.ts'
import { notCancelled } from '#shop/orders/purchase-rows.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { stockConditions } from '#shop/parts/search.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Worklist } from './worklist.ts'

export async function readWorklist({ db }: Pick<Shop, 'db'>): Promise<Worklist> {
  const [[toShip], newMessages, soldOut] = await Promise.all([
    db
      .select({ toShip: count(), oldestToShip: min(purchases.createdAt) })
      .from(purchases)
      .where(and(notCancelled, statusConditions.pending)),
    db.$count(messages, isNewMessage),
    db.$count(parts, and(notDeleted, stockConditions['sold out'])),
  ])
  return { ...toShip!, newMessages, soldOut }
}
