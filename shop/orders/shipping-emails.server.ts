import { and, asc, eq, lte } from 'drizzle-orm'
import { orders } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'
import { orderShippedEmail } from './emails.ts'
import { emailCustomer } from './notify.server.ts'

/** How long an admin can undo shipping before the customer is told. */
const undoMs = 60_000

export function shippingEmailTime(now = Date.now()) {
  return new Date(now + undoMs).toISOString()
}

/** Safe to run concurrently. `now` is Unix time in ms. */
export async function sendShippingEmails(shop: Shop, now = Date.now()): Promise<void> {
  const isDue = lte(orders.shippingEmailDueAt, new Date(now).toISOString())
  const batch = await shop.db
    .select({ _id: orders._id })
    .from(orders)
    .where(isDue)
    .orderBy(asc(orders.shippingEmailDueAt))
    .limit(500)
  for (const { _id } of batch) {
    await shop.db.transaction(async (tx) => {
      const [order] = await tx
        .update(orders)
        .set({ shippingEmailDueAt: null })
        .where(and(eq(orders._id, _id), isDue))
        .returning()
      if (order) await emailCustomer(shop, tx, order, (order) => orderShippedEmail(shop, order))
    })
  }
}
