import { and, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import { orders, type Queries } from '#db/schema.ts'
import { hasUnpaidLine, hourMs } from '#shop/orders/read/purchase-rows.server.ts'

/** How long the order of a customer lasts who is neither confirmed nor trusted; begins again with each attempt to pay. */
const shortHoldHours = 1

/** How long an order above the limit waits for the payment to begin. */
export const payNowMinutes = 30

/** When a short hold ends that begins `now`. */
export function shortHoldFrom(now: number) {
  return new Date(now + shortHoldHours * hourMs).toISOString()
}

export function payNowHoldFrom(now: number) {
  return new Date(now + (payNowMinutes / 60) * hourMs).toISOString()
}

export async function extendShortHold(
  tx: Queries,
  order: Pick<typeof orders.$inferSelect, '_id' | 'shortHoldUntil'>,
  now = Date.now(),
) {
  if (!order.shortHoldUntil) return
  const shortHoldUntil = shortHoldFrom(now)
  await tx
    .update(orders)
    .set({ shortHoldUntil })
    .where(and(eq(orders._id, order._id), isNotNull(orders.shortHoldUntil)))
}

/** Only of holds that are not over yet: that of an account which was claimed is ended, and stays so. */
export async function endShortHolds(tx: Queries, userId: string) {
  // Waiting for an order that is being paid could deadlock; once paid, it needs no hold.
  const unlocked = tx
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.userId, userId), gt(orders.shortHoldUntil, new Date().toISOString()), hasUnpaidLine))
    .for('update', { skipLocked: true })
  await tx.update(orders).set({ shortHoldUntil: null }).where(inArray(orders._id, unlocked))
}
