import { and, asc, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { invoices, ledger, orders, payments, refunds } from '#db/schema.ts'
import type { Actor } from '#shop/audit/record.server.ts'
import { addDays, startOfDay } from '#shop/days.server.ts'
import type { DocumentCharges } from '#shop/documents/document-charges.ts'
import { currencyCode, toDollars } from '#shop/money.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import { rowsPerBatch } from '#shop/pagination.server.ts'
import { isRealMoney } from '#shop/payments/earned.server.ts'
import { refundReference } from '#shop/payments/failed-refund.ts'
import { externalRefundReason } from '#shop/payments/refund-items.server.ts'
import type { Shop } from '#shop/ports.ts'
import { amountColumn, type Columns, textColumn, timeColumn } from './columns.ts'
import type { PaymentsExport } from './export.ts'
import { sendExport } from './exports.server.ts'
import { createFile } from './file.server.ts'
import type { PaymentPeriod, PaymentTotals } from './period.ts'

/** A live shop leaves out test payments, as the overview does. */
export async function readPaymentTotals(shop: Shop, period: PaymentPeriod): Promise<PaymentTotals> {
  const sum = (kinds: SQL) =>
    sql`coalesce(sum(${ledger.amountCents}) filter (where ${kinds}), 0)::double precision`
  const [cents] = await executeRows<PaymentTotals>(
    shop.db,
    sql`select count(*)::int as entries, ${sum(sql`kind = 'payment'`)} as payments,
      ${sum(sql`kind in ('refund', 'failed refund')`)} as refunds,
      ${sum(sql`kind in ('dispute', 'dispute reversal')`)} as disputes, ${sum(sql`true`)} as net
      from ${ledger} join ${payments} on ${payments._id} = ${ledger.paymentId}
      where ${isListed(shop, period)}`,
  )
  const { entries, ...amounts } = cents!
  const dollars = Object.entries(amounts).map(([name, amount]) => [name, toDollars(amount)])
  return { entries, ...Object.fromEntries(dollars) }
}

const columns: Columns<EntryRow> = {
  Date: timeColumn(({ at }) => at),
  Kind: textColumn(({ kind }) => kind),
  Order: textColumn(({ order }) => order),
  'Invoice or credit note': textColumn(({ document }) => document),
  Transaction: textColumn(({ paymentId }) => paymentId),
  Reference: textColumn(({ kind, reference }) => (kind === 'payment' ? null : refundReference(reference))),
  Reason: textColumn(({ kind, reason }) => (/refund/.test(kind) ? (reason ?? externalRefundReason) : null)),
  Name: textColumn(({ name }) => name),
  Email: textColumn(({ email }) => email),
  Amount: amountColumn(({ amountCents }) => toDollars(amountCents)),
  Currency: textColumn(currencyCode),
  Provider: textColumn(({ provider }) => provider),
  'Tax rate': textColumn(({ taxLabel }) => taxLabel),
  Net: amountColumn(({ amountCents, taxCents }) => toDollars(amountCents - taxCents)),
  Tax: amountColumn(({ taxCents }) => toDollars(taxCents)),
}

/** A row for each entry that the totals count, in the order in which money moved; one with tax has a row for each rate. */
export async function exportPayments(shop: Shop, admin: Actor, { format, ...period }: PaymentsExport) {
  const isIncluded = isListed(shop, period)
  const first = await readEntries(shop, isIncluded)

  async function* batches() {
    for (let rows = first; ; rows = await readEntries(shop, and(isIncluded, isAfter(rows.at(-1)!)))) {
      yield rows.flatMap((row) => splitByRate({ ...row, order: formatOrderNumber(shop, row.orderNumber) }))
      if (rows.length < rowsPerBatch) return
    }
  }
  const dates = `${period.from}-to-${period.to}`
  const file = createFile(shop, { list: 'payments', dates, format, columns, batches: batches() })
  return sendExport(shop, admin, 'exportPayments', period, file)
}

function isListed(shop: Shop, period: PaymentPeriod) {
  return and(
    isWithin(period, shop.timeZone),
    shop.payments.provider === 'stripe live' ? isRealMoney(shop) : undefined,
  )
}

function isWithin({ from, to }: PaymentPeriod, timeZone: string) {
  const findStart = (day: string) => sql`to_timestamp(${startOfDay(day, timeZone) / 1_000}::double precision)`
  return and(gte(ledger.at, findStart(from)), lt(ledger.at, findStart(addDays(to, 1))))
}

type EntryRow = Entry & { order: string; taxLabel: string | null; taxCents: number }

function splitByRate(entry: Entry & { order: string }): EntryRow[] {
  const { kind, taxes } = entry
  if (!taxes || taxes.length === 0) return [{ ...entry, taxLabel: null, taxCents: 0 }]
  const sign = kind === 'payment' ? 1 : -1
  return taxes.map(({ label, base, tax }) => ({
    ...entry,
    taxLabel: label,
    taxCents: sign * tax,
    amountCents: sign * (base + tax),
  }))
}

type Entry = Awaited<ReturnType<typeof readEntries>>[number]

/** `key` has microseconds. */
function isAfter({ key, number }: Entry) {
  return sql`(${ledger.at}, ${ledger.number}) > (${key}::timestamptz, ${number}::bigint)`
}

function readEntries({ db }: Pick<Shop, 'db'>, where: SQL | undefined) {
  return db
    .select({
      number: ledger.number,
      key: sql<string>`${ledger.at}::text`,
      at: ledger.at,
      kind: ledger.kind,
      amountCents: ledger.amountCents,
      paymentId: ledger.paymentId,
      reference: ledger.reference,
      provider: payments.provider,
      orderNumber: orders.number,
      name: orders.name,
      email: orders.email,
      document: sql<string | null>`${invoices.prefix} || ${invoices.number}`,
      reason: refunds.reason,
      taxes: sql<DocumentCharges['taxes'] | null>`${invoices.content}->'charges'->'taxes'`,
    })
    .from(ledger)
    .innerJoin(orders, eq(orders._id, ledger.orderId))
    .innerJoin(payments, eq(payments._id, ledger.paymentId))
    .leftJoin(refunds, eq(refunds._id, ledger.refundId))
    .leftJoin(
      invoices,
      and(
        eq(invoices.reference, ledger.reference),
        eq(invoices.kind, sql`case ${ledger.kind} when 'payment' then 'invoice' else 'credit note' end`),
      ),
    )
    .where(where)
    .orderBy(asc(ledger.at), asc(ledger.number))
    .limit(rowsPerBatch)
}
