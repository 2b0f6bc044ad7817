import { sql } from 'drizzle-orm'
import { toWellFormedJson } from '#db/driver/json.ts'
import { executeRows } from '#db/driver/rows.ts'
import { type Queries, refunds } from '#db/schema.ts'
import { invoiceJson } from '#shop/documents/issue.server.ts'
import { emailJson } from '#shop/emails.ts'
import { endShortHolds } from '#shop/orders/close/short-holds.server.ts'
import {
  orderPaidEmail,
  orderReinstatedEmail,
  unappliedPaymentRefundEmail,
} from '#shop/orders/emails/emails.ts'
import { composeFor, emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { orderPaidStaffEmail } from '#shop/orders/emails/staff-emails.ts'
import { addEvents } from '#shop/orders/events.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import {
  type ConfirmedOrder,
  chargedCents,
  findOrderToRecord,
  type OrderRow,
  totalCents,
} from '#shop/orders/read/purchase-rows.server.ts'
import type { Payment, Shop } from '#shop/ports.ts'
import { promiseShipping } from '#shop/settings/ship-by.server.ts'
import { retakeStock } from '#shop/stock/line-stock.server.ts'
import { soonCheckColumns } from './checks.server.ts'
import { concernedLines } from './refund-items.server.ts'

export interface Incoming {
  payment: Payment
  /** Of the event that told of it. */
  eventId: string | undefined
}

/**
 * Pays an order whose payment needs nothing else, in one statement: no transaction keeps the counter of invoices while it waits for this
 * process. Returns false when there is more to do, the order has just changed, or the payment is known: then a transaction goes on.
 */
export async function payIfUnchanged(shop: Shop, incoming: Incoming): Promise<boolean> {
  const { orderId, status, amountCents, refunds, disputes } = incoming.payment
  if (status !== 'paid' || refunds.length > 0 || disputes.length > 0) return false
  const order = await findOrderToRecord(shop.db, orderId)
  if (!order || order.shortHoldUntil || isExpired(order) || rejectionReason(order, amountCents) !== null)
    return false
  const paid = toPaid(shop, order, incoming.payment)
  return (await callRecordPayment(shop, shop.db, order, { ...incoming, paid })) === 'new'
}

/** Settles the payment, too. Returns whether this payment has just paid the order, which is locked. */
export async function acceptOrRefund(
  shop: Shop,
  tx: Queries,
  order: ConfirmedOrder,
  incoming: Incoming,
): Promise<boolean> {
  const { payment } = incoming
  const reason = rejectionReason(order, payment.amountCents)
  const paid = reason === null ? toPaid(shop, order, payment) : null
  const isInTime = !isExpired(order)
  const outcome = await callRecordPayment(shop, tx, order, { ...incoming, paid: isInTime ? paid : null })
  if (outcome === 'changed') throw new Error(`Order ${order._id} changed while it was locked`)
  if (outcome === 'known') return false
  if (!paid || !(isInTime || (await reinstate(shop, tx, order, paid)))) {
    await requireRefund(shop, tx, order, { payment, reason: reason ?? lateReason })
    return false
  }
  if (order.shortHoldUntil) await endShortHolds(tx, order.userId)
  return true
}

const lateReason = 'The payment deadline had passed, and we no longer had enough of these parts in stock.'

/** Null when the order can accept the payment; an expired one, if the stock still suffices. */
function rejectionReason(order: OrderRow, amountCents: number): string | null {
  const lines = order.lines.filter(isNotCancelled)
  if (lines.some(({ paidAt }) => paidAt))
    return 'The order was already paid with another payment, which isn’t affected.'
  if (lines.length === 0) return 'The order was cancelled.'
  return amountCents === totalCents(lines) ? null : 'The amount didn’t match the order total.'
}

function isNotCancelled({ cancelledAt }: OrderRow['lines'][number]) {
  return cancelledAt === null
}

/** Lines expire together. */
function isExpired({ lines }: OrderRow) {
  return lines.some(({ cancelledAt, expiredAt }) => cancelledAt === null && expiredAt !== null)
}

type PaidOrder = ConfirmedOrder & { paidAt: string; shipBy: string }

/** As the function `mark_paid` leaves it. */
function toPaid(shop: Shop, order: ConfirmedOrder, { id: transactionId }: Payment): PaidOrder {
  const paidAt = new Date().toISOString()
  const payment = { paidAt, transactionId, paymentProvider: shop.payments.provider, expiredAt: null }
  const lines = order.lines.filter(isNotCancelled).map((line) => ({ ...line, ...payment }))
  const { shipBy } = promiseShipping(shop)
  return { ...order, lines, paidAt, shipBy }
}

/** As the function `mark_paid` reads them. */
function composeEmailsAndInvoice(shop: Shop, paid: PaidOrder, composeEmail: typeof orderPaidEmail) {
  const emails = [
    composeFor(withNumber(shop, paid), paid.isEmailConfirmed, (order) => composeEmail(shop, order)),
    orderPaidStaffEmail(shop, withNumber(shop, paid)),
  ]
  return {
    emails: toWellFormedJson(emails.map((email) => emailJson(shop.mail.toRow(email)))),
    invoice: toWellFormedJson({ ...invoiceJson(shop, paid), shipBy: paid.shipBy }),
  }
}

/** In one statement. `paid` is the order when the payment pays it. Nothing is stored when the order is not as it was read. */
async function callRecordPayment(
  shop: Shop,
  tx: Queries,
  { _id: orderId, lines }: OrderRow,
  { payment, eventId, paid }: Incoming & { paid: PaidOrder | null },
): Promise<'new' | 'known' | 'changed'> {
  const at = paid?.paidAt ?? new Date().toISOString()
  const { nextCheckAt } = soonCheckColumns(Date.parse(at))
  const expected = lines.map((line) => [
    ...[line._id, chargedCents(line), line.deliveryCents, line.taxCents, line.taxLabel],
    ...[line.paidAt, line.expiredAt, line.cancelledAt].map((at) => at !== null),
  ])
  const { emails = null, invoice = null } = paid ? composeEmailsAndInvoice(shop, paid, orderPaidEmail) : {}
  const [row] = await executeRows<{ outcome: 'new' | 'known' | 'changed' }>(
    tx,
    sql`select record_payment(${payment.id}, ${orderId}, ${shop.payments.provider}, ${payment.amountCents}, ${eventId ?? null}, ${at},
      ${nextCheckAt}, ${JSON.stringify(expected)}::jsonb, ${emails}::jsonb, ${invoice}::jsonb) as outcome`,
  )
  return row!.outcome
}

/** Takes the stock of an expired order again, and pays it; false when there is not enough. */
async function reinstate(shop: Shop, tx: Queries, order: OrderRow, paid: PaidOrder): Promise<boolean> {
  if (!(await retakeStock(tx, order.lines.filter(isNotCancelled)))) return false
  await addEvents(tx, paid._id, { kind: 'reserved again', by: null, lineIds: null })
  const { transactionId, paymentProvider } = paid.lines[0]!
  const { emails, invoice } = composeEmailsAndInvoice(shop, paid, orderReinstatedEmail)
  await tx.execute(
    sql`select mark_paid(${paid._id}, ${transactionId}, ${paymentProvider}, ${paid.paidAt}, ${emails}::jsonb, ${invoice}::jsonb)`,
  )
  return true
}

async function requireRefund(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  { payment, reason }: { payment: Payment; reason: string },
) {
  // Part of it may have been refunded manually.
  const amountCents = unrefundedCents(payment)
  if (amountCents <= 0) return
  await tx.insert(refunds).values({ orderId: order._id, paymentId: payment.id, amountCents, reason })
  const refund = { amountCents, reason }
  const paid = { ...order, lines: concernedLines(order) }
  await emailCustomer(shop, tx, paid, (order) => unappliedPaymentRefundEmail(shop, order, refund))
}

/** What is left of a payment. While a dispute is open, its money may still come back. */
export function unrefundedCents({ amountCents, refunds, disputes }: Payment) {
  const refunded = refunds.filter(({ status }) => status === 'accepted').map((refund) => refund.amountCents)
  const lost = disputes
    .filter(({ status }) => status === 'lost')
    .map(({ withdrawnCents, returnedCents }) => withdrawnCents - returnedCents)
  return [...refunded, ...lost].reduce((remaining, cents) => remaining - cents, amountCents)
}
