import { and, asc, eq, lte } from 'drizzle-orm'
import { orderLines } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'
import { orderShippedEmail } from './emails.ts'
import { emailCustomer } from './notify.server.ts'
import { findOrder, toPurchase } from './purchase-rows.server.ts'
import { orderStatus } from './status.ts'

/** How long an admin can undo shipping before the customer is told. */
const undoMs = 60_000

export function shippingEmailTime(now = Date.now()) {
  return new Date(now + undoMs).toISOString()
}

/** Safe to run concurrently. `now` is Unix time in ms. */
export async function sendShippingEmails(shop: Shop, now = Date.now()): Promise<void> {
  const isDue = lte(orderLines.shippingEmailDueAt, new Date(now).toISOString())
  const batch = await shop.db
    .select({ orderId: orderLines.orderId })
    .from(orderLines)
    .where(isDue)
    .orderBy(asc(orderLines.shippingEmailDueAt))
    .limit(500)
  // One email for all lines of an order.
  for (const orderId of new Set(batch.map(({ orderId }) => orderId))) {
    await shop.db.transaction(async (tx) => {
      const due = await tx
        .update(orderLines)
        .set({ shippingEmailDueAt: null })
        .where(and(eq(orderLines.orderId, orderId), isDue))
        .returning({ _id: orderLines._id })
      if (due.length === 0) return
      const { lines, ...order } = await findOrder(tx, orderId)
      const shipped = lines.filter((line) => due.some(({ _id }) => _id === line._id))
      await emailCustomer(shop, tx, { ...order, lines: shipped }, (order) =>
        orderShippedEmail(shop, order, {
          more: lines.some((line) => orderStatus(toPurchase(shop, line)) === 'paid'),
        }),
      )
    })
  }
}
