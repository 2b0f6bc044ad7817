import { and, asc, eq, isNotNull, notExists, sql } from 'drizzle-orm'
import { invoices, orderLines } from '#db/schema.ts'
import { lockOrder } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import { log } from '#telemetry/log.ts'
import { issueCreditNotes } from './issue.server.ts'

/** For orders that were paid before there were invoices: in the order of their payments, each with its credit notes. */
export async function issueMissingInvoices(shop: Shop) {
  const { orderId, transactionId, paidAt } = orderLines
  const invoice = shop.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.kind, 'invoice'), eq(invoices.reference, transactionId)))
  const missing = await shop.db
    .select({ orderId, transactionId })
    .from(orderLines)
    .where(and(isNotNull(paidAt), notExists(invoice)))
    .groupBy(orderId, transactionId)
    .orderBy(asc(sql`min(${paidAt})`))
  for (const { orderId, transactionId } of missing) {
    await shop.db
      .transaction(async (tx) => {
        const order = await lockOrder(tx, orderId)
        if (order && transactionId) await issueCreditNotes(shop, tx, order, transactionId)
      })
      .catch((err) => log.error({ err, orderId }, 'invoice not issued'))
  }
}
