import { and, asc, eq, lte } from 'drizzle-orm'
import { orderLines } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'
import { orderShippedEmail } from './emails.ts'
import { emailCustomer } from './notify.server.ts'
import { findPurchase, toOrderRow } from './purchase-rows.server.ts'

/** How long an admin can undo shipping before the customer is told. */
const undoMs = 60_000

export function shippingEmailTime(now = Date.now()) {
  return new Date(now + undoMs).toISOString()
}

/** Safe to run concurrently. `now` is Unix time in ms. */
export async function sendShippingEmails(shop: Shop, now = Date.now()): Promise<void> {
  const isDue = lte(orderLines.shippingEmailDueAt, new Date(now).toISOString())
  const batch = await shop.db
    .select({ _id: orderLines._id })
    .from(orderLines)
    .where(isDue)
    .orderBy(asc(orderLines.shippingEmailDueAt))
    .limit(500)
  for (const { _id } of batch) {
    await shop.db.transaction(async (tx) => {
      const due = await tx
        .update(orderLines)
        .set({ shippingEmailDueAt: null })
        .where(and(eq(orderLines._id, _id), isDue))
        .returning({ _id: orderLines._id })
      if (due.length === 0) return
      const order = toOrderRow([await findPurchase(tx, _id)])
      await emailCustomer(shop, tx, order, (order) => orderShippedEmail(shop, order))
    })
  }
}
