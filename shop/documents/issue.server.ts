import { and, asc, eq, getTableColumns, inArray, Subquery, sql } from 'drizzle-orm'
import { toWellFormedJson } from '#db/driver/json.ts'
import { invoices, ledger, type Queries, refundLines, refunds } from '#db/schema.ts'
import { pickDelivery } from '#shop/addresses/address.ts'
import { orderCharges } from '#shop/charges/order-charges.ts'
import { toDollars } from '#shop/money.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import { chargedCents, type OrderRow, totalCents } from '#shop/orders/read/purchase-rows.server.ts'
import { failureReference, refundReference } from '#shop/payments/failed-refund.ts'
import { externalRefundReason, findRefundItems } from '#shop/payments/refund-items.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { InvoiceContent, Seller } from './document.ts'
import { billCharges, creditCharges, negateCharges } from './document-charges.ts'

type InvoiceRow = typeof invoices.$inferSelect

/** `order` has only the lines that its payment has paid. Call it last: the counter stays locked until the transaction ends. */
async function issueInvoice(shop: Shop, tx: Queries, order: OrderRow): Promise<InvoiceRow> {
  const { transactionId } = order.lines[0]!
  const issued = sql`issue_invoice(${order._id}, ${transactionId}, ${toWellFormedJson(invoiceJson(shop, order))}::jsonb)`
  const [invoice] = await tx
    .select(invoiceColumns)
    .from(new Subquery(sql`select * from ${issued}`, invoiceColumns, 'invoices'))
  return invoice!
}

const invoiceColumns = getTableColumns(invoices)

/** As the function `issue_invoice` reads it. `order` has only the lines that its payment has paid. */
export function invoiceJson(shop: Shop, order: OrderRow) {
  const { paidAt, transactionId, paymentProvider } = order.lines[0]!
  const testPayment = (paymentProvider ?? shop.payments.provider) !== 'stripe live'
  return {
    id: crypto.randomUUID(),
    createdAt: new Date(),
    prefix: shop.settings.current.numbers.invoice,
    firstNumber: shop.firstInvoiceNumber,
    content: {
      ...describeOrder(shop, order),
      ...describeCharges(shop, order),
      paidAt,
      transactionId,
      testPayment,
    },
    lines: order.lines.map(
      ({ _id: purchase, partId, parts, quantity, unitPrice, price: amount, ...line }) => ({
        purchase,
        partId,
        parts,
        quantity,
        unitPrice,
        amount,
        ...(order.charges !== null && describeTaxOfLine({ ...line, price: amount })),
      }),
    ),
  }
}

/** Of the lines that are billed. */
export function describeCharges({ settings }: Pick<Shop, 'settings'>, { charges, lines }: OrderRow) {
  const total = toDollars(totalCents(lines))
  const { tax, note } = settings.current.deliveryAndTax
  const noted = tax.mode === 'none' && note ? { taxNote: note } : {}
  if (charges === null) return { total, ...noted }
  const items = lines.map((line) => {
    return { purchase: line._id, amount: line.price, ...describeTaxOfLine(line) }
  })
  const charged = orderCharges.parse(charges)
  return { total, charges: billCharges(charged, items), ...(charged.mode === 'none' && noted) }
}

type TaxedLine = Pick<OrderRow['lines'][number], 'price' | 'addedCents' | 'taxCents' | 'taxLabel'>

export function describeTaxOfLine(line: TaxedLine) {
  const { taxCents, taxLabel } = line
  return { charged: chargedCents(line), tax: taxCents, ...(taxLabel !== null && { taxLabel }) }
}

/** What the documents of an order have in common. */
export function describeOrder(shop: Shop, order: OrderRow) {
  const { number, createdAt, name, email } = order
  const settings = shop.settings.current
  return {
    order: formatOrderNumber(shop, number),
    orderedAt: createdAt,
    timeZone: shop.timeZone,
    seller: describeSeller(shop),
    customer: { name, email },
    delivery: pickDelivery(order),
    ...(order.collected && { collectAt: settings.deliveryAndTax.collection?.address ?? 'The factory' }),
    payBy: null,
    paidAt: null,
    transactionId: null,
    testPayment: false,
    invoice: null,
    reason: null,
    cancels: null,
  }
}

/** As of now; what was issued keeps its own. */
function describeSeller({ settings }: Pick<Shop, 'settings'>): Seller {
  const { company, tax, bank } = settings.current
  return { ...company, taxId: tax.ids || null, bankDetails: bank.details || null }
}

/**
 * For each refund of the payment in the ledger that has none; for one that failed after that, another that cancels it. Nothing for a
 * payment that the order could not accept, which was not billed.
 */
export async function issueCreditNotes(shop: Shop, tx: Queries, order: OrderRow, paymentId: string) {
  const invoice = await findOrIssueInvoice(shop, tx, order, paymentId)
  if (!invoice) return
  const { number, kind, reference, refundId, deliveryCents } = ledger
  const entries = await tx
    .select({ number, kind, reference, refundId, deliveryCents, reason: refunds.reason })
    .from(ledger)
    .leftJoin(refunds, eq(refunds._id, ledger.refundId))
    .where(and(eq(ledger.paymentId, paymentId), inArray(ledger.kind, ['refund', 'failed refund'])))
    .orderBy(asc(ledger.number))
  const failed = new Set(
    entries.filter(({ kind }) => kind === 'failed refund').map(({ reference }) => reference),
  )
  const creditNotes = await findCreditNotes(tx, order)
  for (const { number, kind, reference, refundId, deliveryCents, reason } of entries) {
    if (creditNotes.has(reference)) continue
    const credited = creditNotes.get(refundReference(reference))
    if (kind === 'failed refund' && credited)
      creditNotes.set(reference, await issueCancellation(shop, tx, credited, reference))
    if (kind === 'failed refund' || failed.has(failureReference(reference))) continue
    const refund = { number, reference, refundId, deliveryCents, reason: reason ?? externalRefundReason }
    const earlier = [...creditNotes.values()].map(readContent)
    creditNotes.set(reference, await issueCreditNote(shop, tx, invoice, { ...refund, earlier }))
  }
}

/** Also for an order that was paid before there were invoices. */
async function findOrIssueInvoice(shop: Shop, tx: Queries, order: OrderRow, paymentId: string) {
  const [invoice] = await tx
    .select()
    .from(invoices)
    .where(and(eq(invoices.kind, 'invoice'), eq(invoices.reference, paymentId)))
  if (invoice) return invoice
  const lines = order.lines.filter(({ transactionId }) => transactionId === paymentId)
  return lines.length > 0 ? issueInvoice(shop, tx, { ...order, lines }) : null
}

async function findCreditNotes(tx: Queries, { _id }: OrderRow) {
  const rows = await tx
    .select()
    .from(invoices)
    .where(and(eq(invoices.orderId, _id), eq(invoices.kind, 'credit note')))
  return new Map(rows.map((row) => [row.reference, row]))
}

async function issueCreditNote(
  shop: Shop,
  tx: Queries,
  invoice: InvoiceRow,
  {
    number,
    reference,
    refundId,
    deliveryCents,
    reason,
    earlier,
  }: {
    number: number
    reference: string
    refundId: string | null
    deliveryCents: number
    reason: string
    /** The credit notes of the invoice until now. */
    earlier: InvoiceContent[]
  },
) {
  const shares = await tx.select().from(refundLines).where(eq(refundLines.ledgerNumber, number))
  const items = refundId === null ? [] : await findRefundItems(tx, refundId)
  const billed = readContent(invoice)
  const lines = billed.lines.flatMap((line) => {
    const share = shares.find(({ lineId }) => lineId === line.purchase)
    if (!share) return []
    const quantity = items.find(({ lineId }) => lineId === line.purchase)?.quantity
    const credited = { ...line, unitPrice: null, amount: toDollars(-share.amountCents) }
    return [quantity ? { ...credited, refundedQuantity: quantity } : credited]
  })
  const total = toDollars(shares.reduce((cents, { amountCents }) => cents - amountCents, -deliveryCents))
  const content = { ...billed, lines, total, invoice: invoice.prefix + invoice.number, reason }
  if (billed.charges) {
    const credited = new Map(shares.map(({ lineId, amountCents }) => [lineId, -amountCents]))
    const bill = { ...billed, charges: billed.charges }
    const { charges, taxByLine } = creditCharges(bill, earlier, { credited, delivery: -deliveryCents })
    content.charges = charges
    content.lines = lines.map((line) => ({
      ...line,
      charged: credited.get(line.purchase),
      tax: taxByLine.get(line.purchase),
    }))
  }
  return insertCreditNote(shop, tx, { orderId: invoice.orderId, reference, content })
}

async function issueCancellation(shop: Shop, tx: Queries, creditNote: InvoiceRow, reference: string) {
  const { lines, total, charges, ...content } = readContent(creditNote)
  return insertCreditNote(shop, tx, {
    orderId: creditNote.orderId,
    reference,
    content: {
      ...content,
      lines: lines.map(negateLine),
      total: -total,
      ...(charges && { charges: negateCharges(charges) }),
      reason: null,
      cancels: creditNote.prefix + creditNote.number,
    },
  })
}

function negateLine(line: InvoiceContent['lines'][number]) {
  const { amount, charged, tax } = line
  if (charged === undefined) return { ...line, amount: -amount }
  return { ...line, amount: -amount, charged: -charged, tax: -(tax ?? 0) || 0 }
}

/** Documents that are older than the setting have days of UTC. */
export function readContent({ content }: Pick<InvoiceRow, 'content'>): InvoiceContent {
  return { timeZone: 'UTC', ...(content as Omit<InvoiceContent, 'timeZone'>) }
}

type CreditNote = Pick<InvoiceRow, 'orderId' | 'reference'> & { content: InvoiceContent }

async function insertCreditNote(
  { settings, firstInvoiceNumber, timeZone }: Shop,
  tx: Queries,
  row: CreditNote,
) {
  const kind = 'credit note'
  const number = sql`next_invoice_number(${kind}, ${firstInvoiceNumber})`
  const content = { ...row.content, timeZone }
  const [added] = await tx
    .insert(invoices)
    .values({ ...row, content, kind, prefix: settings.current.numbers.creditNote, number })
    .returning()
  return added!
}
