import { asc, eq, sql } from 'drizzle-orm'
import { invoices, orderLines, taxTransactions } from '#db/schema.ts'
import type { TaxReversal } from '#shop/charges/tax-service.ts'
import type { InvoiceContent } from '#shop/documents/document.ts'
import { readContent } from '#shop/documents/issue.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { refundReference } from './failed-refund.ts'
import { addPaymentTask, resolvePaymentTask } from './tasks.server.ts'

interface TaxedOrder {
  orderId: string
  /** That was paid. */
  calculation: string
}

/**
 * Tells the tax service of the papers of an order that it has not kept yet: an invoice commits the calculation, and a credit note takes back
 * what it has of each item, to the cent. Idempotent. One that the service refuses is a task, and is tried again.
 */
export async function commitTaxes(shop: Shop, order: TaxedOrder): Promise<void> {
  const papers = await findPapers(shop, order)
  if (papers.every(({ transaction }) => transaction !== null)) return
  const positions = await findPositions(shop, order)
  for (const paper of papers) {
    if (paper.transaction !== null) continue
    const task = { kind: 'tax not recorded', reference: paper._id } as const
    try {
      paper.transaction = await commitPaper(shop, order, { paper, papers, positions })
    } catch (error) {
      if (!(error instanceof ShopError && error.code === 'conflict')) throw error
      const detail = `Stripe Tax didn’t take ${paper.prefix}${paper.number}, so its tax is missing in your tax reports: ${error.message}`
      return addPaymentTask(shop.db, { ...task, orderId: order.orderId, detail })
    }
    const row = { invoiceId: paper._id, transaction: paper.transaction }
    await shop.db.insert(taxTransactions).values(row).onConflictDoNothing()
    await resolvePaymentTask(shop.db, task)
  }
}

/** The invoice first: all others take something back of it. */
function findPapers({ db }: Shop, { orderId }: TaxedOrder) {
  const { _id, prefix, number, kind, reference, content } = invoices
  return db
    .select({ _id, prefix, number, kind, reference, content, transaction: taxTransactions.transaction })
    .from(invoices)
    .leftJoin(taxTransactions, eq(taxTransactions.invoiceId, invoices._id))
    .where(eq(invoices.orderId, orderId))
    .orderBy(sql`${invoices.kind} <> 'invoice'`, asc(invoices.number))
}
type Paper = Awaited<ReturnType<typeof findPapers>>[number]

/** By the id of an item: its reference at the tax service. */
async function findPositions({ db }: Shop, { orderId }: TaxedOrder) {
  const { _id, position } = orderLines
  const rows = await db.select({ _id, position }).from(orderLines).where(eq(orderLines.orderId, orderId))
  return new Map(rows.map(({ _id, position }) => [_id, String(position)]))
}

async function commitPaper(
  { payments: { taxes } }: Shop,
  { calculation }: TaxedOrder,
  { paper, papers, positions }: { paper: Paper; papers: Paper[]; positions: Map<string, string> },
): Promise<string> {
  const content = readContent(paper)
  // The number is what a person finds, the id is unique at the service.
  const reference = `${paper.prefix}${paper.number} ${paper._id}`
  if (paper.kind === 'invoice') return taxes.commit({ calculation, reference, at: content.paidAt! })
  // What cancels a credit note takes back all of what that took back.
  const cancelled = content.cancels && refundReference(paper.reference)
  const original = papers.find((one) => (cancelled ? one.reference === cancelled : one.kind === 'invoice'))!
  return taxes.reverse(original.transaction!, reference, cancelled ? null : toReversal(content, positions))
}

function toReversal({ lines, charges }: InvoiceContent, positions: Map<string, string>): TaxReversal {
  const deliveryTax = charges?.deliveryTaxes.reduce((sum, { tax }) => sum + tax, 0) ?? 0
  return {
    lines: lines.map(({ purchase, charged = 0, tax = 0 }) => {
      return { reference: positions.get(purchase)!, net: charged - tax, tax }
    }),
    delivery: { net: (charges?.delivery ?? 0) - deliveryTax, tax: deliveryTax },
  }
}
