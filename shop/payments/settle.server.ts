import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import { ledger, orders, parts, payments, type Queries, refunds } from '#db/schema.ts'
import { ShopError, traceOf } from '#shop/errors.ts'
import {
  orderReinstatedEmail,
  paymentReturnedEmail,
  receiptEmail,
  refundedEmail,
  refundFailedEmail,
  refundRequestEmail,
} from '#shop/orders/emails.ts'
import { addEvent } from '#shop/orders/events.server.ts'
import type { Payment, Refund, Shop } from '#shop/ports.ts'

type Row = typeof orders.$inferSelect

/** Why, when nobody asked the shop for a refund. */
const externalRefundReason = 'It was given back through the card provider.'

/**
 * Makes order, stock and ledger agree with a payment as the card provider reports it, once, however often and from wherever
 * it is told. A success that no order can take is given back. Payments of orders that are not ours are left alone.
 */
export async function settlePayment(shop: Shop, payment: Payment): Promise<void> {
  await recordPayment(shop, payment)
  const due = await shop.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.paymentId, payment.id), isNull(refunds.completedAt)))
  for (const refund of due) {
    // What fails is done by `reconcile`: the payment itself is settled.
    await executeRefund(shop, refund).catch((error) => console.error('a refund has to wait:', traceOf(error)))
  }
}

/**
 * Has the card provider do a refund that was asked for, once. A refusal for good ends it with its `failure`. Throws
 * 'unavailable' when the provider does not answer: then it is still to be done.
 */
export async function executeRefund(shop: Shop, refund: typeof refunds.$inferSelect): Promise<void> {
  const { _id: key, paymentId, amount } = refund
  const refused = await shop.payments.refund(paymentId, { amount, key }).then(
    () => null,
    (error) => error,
  )
  if (refused && !(refused instanceof ShopError && refused.code === 'conflict')) throw refused
  const payment = await shop.payments.find(paymentId)
  if (payment) await recordPayment(shop, payment)
  if (!refused) return
  // What nobody asked for has to go back, unless somebody has given it back by hand, or a part of it.
  const left = refund.requestedBy === null && payment ? unrefundedAmount(payment) : 0
  if (left >= amount) throw refused
  await shop.db.transaction(async (tx) => {
    const ended = await endRefund(tx, key, refused.message)
    const { orderId, reason } = refund
    if (ended && left > 0) await tx.insert(refunds).values({ orderId, paymentId, amount: left, reason })
  })
}

/** The books of one payment, in one transaction that holds its order. */
async function recordPayment(shop: Shop, payment: Payment) {
  const { id, status, amount } = payment
  if (status !== 'paid' && status !== 'cancelled') return
  await shop.db.transaction(async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders._id, payment.orderId)).for('update')
    if (!order) return closePayment(tx, id)
    await endPayment(tx, order, id)
    if (status === 'cancelled') return
    if (!Number.isInteger(amount)) return logForReview('payment', id, order)
    await recordReceipt(shop, tx, order, payment)
    for (const refund of payment.refunds) await recordRefund(shop, tx, order, payment, refund)
  })
}

/** Ends a payment that no order of ours has, or that the card provider does not know, for it was opened at another one. */
export async function closePayment(tx: Queries, id: string) {
  await tx.update(payments).set({ settledAt: new Date().toISOString() }).where(eq(payments._id, id))
}

async function endPayment(tx: Queries, { _id: orderId }: Row, id: string) {
  const now = new Date().toISOString()
  await tx
    .insert(payments)
    .values({ _id: id, orderId, presentedAt: now, checkedAt: now, settledAt: now })
    .onConflictDoUpdate({
      target: payments._id,
      set: { settledAt: now },
      setWhere: isNull(payments.settledAt),
    })
}

async function recordReceipt(shop: Shop, tx: Queries, order: Row, payment: Payment) {
  const { id: paymentId, amount } = payment
  const first = await addLedgerEntry(tx, {
    orderId: order._id,
    paymentId,
    reference: paymentId,
    kind: 'payment',
    amount,
  })
  if (!first) return
  const reason = await rejectionReason(tx, order, amount)
  if (reason === null) return markPaid(shop, tx, order, paymentId)
  // Somebody may have given back a part of it by hand.
  const left = unrefundedAmount(payment)
  if (left <= 0) return
  await tx.insert(refunds).values({ orderId: order._id, paymentId, amount: left, reason })
  await shop.mail.send(paymentReturnedEmail(shop, order, { amount: left, reason }), tx)
}

/** Whole dollars of a payment that were not given back. */
function unrefundedAmount({ amount, refunds }: Payment) {
  const back = refunds.filter((refund) => refund.status === 'done' && Number.isInteger(refund.amount))
  return back.reduce((left, refund) => left - refund.amount, amount)
}

/** Why an order cannot take this payment; null when it can. An expired one takes its parts from the stock again. */
async function rejectionReason(tx: Queries, order: Row, amount: number): Promise<string | null> {
  if (order.paidAt) return 'The order had been paid already.'
  if (order.cancelledAt) return 'The order had been cancelled.'
  if (amount !== order.price) return 'It was not the price of the order.'
  if (order.expiredAt && !(await retakeStock(tx, order))) {
    return 'The time to pay was over, and the parts have been sold to somebody else.'
  }
  return null
}

async function retakeStock(tx: Queries, { partId, quantity }: Row): Promise<boolean> {
  const taken = await tx
    .update(parts)
    .set({ availableQuantity: sql`${parts.availableQuantity} - ${quantity}` })
    .where(and(eq(parts._id, partId), gte(parts.availableQuantity, quantity)))
    .returning({ _id: parts._id })
  return taken.length > 0
}

async function markPaid(shop: Shop, tx: Queries, order: Row, transactionId: string) {
  const [paid] = await tx
    .update(orders)
    .set({ paidAt: new Date().toISOString(), transactionId, expiredAt: null })
    .where(eq(orders._id, order._id))
    .returning()
  if (order.expiredAt) await addEvent(tx, order._id, 'taken again', null)
  const letter = order.expiredAt ? orderReinstatedEmail : receiptEmail
  await shop.mail.send(letter(shop, paid!), tx)
}

/** One refund as the provider reports it: ours by its key, or one that somebody made there by hand. */
async function recordRefund(shop: Shop, tx: Queries, order: Row, payment: Payment, refund: Refund) {
  const { id: reference, amount, key } = refund
  if (!Number.isInteger(amount)) return logForReview('refund', reference, order)
  const request = key ? await findRefundRequest(tx, payment.id, key) : undefined
  const row = { orderId: order._id, paymentId: payment.id, refundId: request?._id ?? null }
  const first = await addLedgerEntry(tx, { ...row, reference, kind: 'refund', amount: -amount })
  if (refund.status === 'done') {
    if (first) await completeRefund(shop, tx, order, amount, request)
    return
  }
  // Both are written even when it was never seen as done: an answer from before it failed may still come.
  const news = await addLedgerEntry(tx, {
    ...row,
    reference: `${reference} failed`,
    kind: 'failed refund',
    amount,
  })
  if (request) await endRefund(tx, request._id, 'The card provider could not give it back.')
  if (!news) return
  await shop.mail.send(refundFailedEmail(shop, order, { amount }), tx)
  await shop.mail.send(refundRequestEmail(shop, order, { amount, reference }), tx)
}

/** The books are in whole dollars of one currency. */
function logForReview(what: string, id: string, order: Row) {
  console.error(
    `${what} ${id} of order ${order._id} is not whole dollars: please look at it at the card provider`,
  )
}

async function findRefundRequest(tx: Queries, paymentId: string, key: string) {
  const [request] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds._id, key), eq(refunds.paymentId, paymentId)))
  return request
}

async function completeRefund(
  shop: Shop,
  tx: Queries,
  order: Row,
  amount: number,
  request: typeof refunds.$inferSelect | undefined,
) {
  if (request) await endRefund(tx, request._id)
  if (request && request.restocked > 0) {
    await tx
      .update(parts)
      .set({ availableQuantity: sql`${parts.availableQuantity} + ${request.restocked}` })
      .where(eq(parts._id, order.partId))
  }
  // Whoever's payment could not be used knows already.
  if (request && request.requestedBy === null) return
  await shop.mail.send(
    refundedEmail(shop, order, { amount, reason: request?.reason ?? externalRefundReason }),
    tx,
  )
}

/** False when it had ended before. */
async function endRefund(tx: Queries, id: string, failure: string | null = null): Promise<boolean> {
  const ended = await tx
    .update(refunds)
    .set({ completedAt: new Date().toISOString(), failure })
    .where(and(eq(refunds._id, id), isNull(refunds.completedAt)))
    .returning({ _id: refunds._id })
  return ended.length > 0
}

/** Adds a row to the ledger, unless it is there. Answers whether it was added. */
async function addLedgerEntry(tx: Queries, row: typeof ledger.$inferInsert): Promise<boolean> {
  const added = await tx.insert(ledger).values(row).onConflictDoNothing().returning({ number: ledger.number })
  return added.length > 0
}
