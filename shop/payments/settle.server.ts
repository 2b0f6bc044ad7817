import { and, eq, gte, isNull, sql } from 'drizzle-orm'
import { orders, parts, payments, type Queries, refunds } from '#db/schema.ts'
import { ShopError, stackTraceOf } from '#shop/errors.ts'
import { orderReinstatedEmail, receiptEmail, unappliedPaymentRefundEmail } from '#shop/orders/emails.ts'
import { addEvent } from '#shop/orders/events.server.ts'
import { endShortHolds } from '#shop/orders/hold-limits.server.ts'
import { emailCustomer } from '#shop/orders/notify.server.ts'
import type { Payment, Shop } from '#shop/ports.ts'
import { addLedgerEntry, logForReview, markRefundCompleted, recordRefund } from './record-refund.server.ts'

type OrderRow = typeof orders.$inferSelect

/** Idempotent. Refunds a payment that the order cannot accept; ignores payments of unknown orders. */
export async function settlePayment(shop: Shop, payment: Payment): Promise<void> {
  await recordPayment(shop, payment)
  const pending = await shop.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.paymentId, payment.id), isNull(refunds.completedAt)))
  for (const refund of pending) {
    // `reconcile` retries a failed refund.
    await executeRefund(shop, refund).catch((error) =>
      console.error('a refund has to wait:', stackTraceOf(error)),
    )
  }
}

/** Idempotent. Throws when the refund stays pending: 'unavailable', or 'conflict' when a required refund is refused. */
export async function executeRefund(shop: Shop, refund: typeof refunds.$inferSelect): Promise<void> {
  const { _id: key, paymentId, amount } = refund
  const refusal = await shop.payments.refund(paymentId, { amount, key }).then(
    () => null,
    (error) => error,
  )
  if (refusal && !(refusal instanceof ShopError && refusal.code === 'conflict')) throw refusal
  const payment = await shop.payments.find(paymentId)
  if (payment) await recordPayment(shop, payment)
  if (!refusal) return
  // A refund without a requester is required, less what was refunded manually.
  const remaining = refund.requestedBy === null && payment ? unrefundedAmount(payment) : 0
  if (remaining >= amount) throw refusal
  await shop.db.transaction(async (tx) => {
    const wasPending = await markRefundCompleted(tx, key, refusal.message)
    const { orderId, reason } = refund
    if (wasPending && remaining > 0) {
      await tx.insert(refunds).values({ orderId, paymentId, amount: remaining, reason })
    }
  })
}

async function recordPayment(shop: Shop, payment: Payment) {
  const { id, status, amount } = payment
  if (status !== 'paid' && status !== 'cancelled') return
  await shop.db.transaction(async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders._id, payment.orderId)).for('update')
    if (!order) return markPaymentSettled(tx, id)
    await upsertSettledPayment(tx, order, id)
    if (status === 'cancelled') return
    if (!Number.isInteger(amount)) return logForReview('payment', id, order)
    await recordIncomingPayment(shop, tx, order, payment)
    for (const refund of payment.refunds) await recordRefund(shop, tx, order, payment, refund)
  })
}

/** For a payment without an order, or unknown to the card provider because another provider opened it. */
export async function markPaymentSettled(tx: Queries, id: string) {
  await tx.update(payments).set({ settledAt: new Date().toISOString() }).where(eq(payments._id, id))
}

async function upsertSettledPayment(tx: Queries, { _id: orderId }: OrderRow, id: string) {
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

async function recordIncomingPayment(shop: Shop, tx: Queries, order: OrderRow, payment: Payment) {
  const { id: paymentId, amount } = payment
  const isNew = await addLedgerEntry(tx, {
    orderId: order._id,
    paymentId,
    reference: paymentId,
    kind: 'payment',
    amount,
  })
  if (!isNew) return
  const reason = await rejectionReason(tx, order, amount)
  if (reason === null) return markPaid(shop, tx, order, paymentId)
  // Part of it may have been refunded manually.
  const remaining = unrefundedAmount(payment)
  if (remaining <= 0) return
  await tx.insert(refunds).values({ orderId: order._id, paymentId, amount: remaining, reason })
  const refund = { amount: remaining, reason }
  await emailCustomer(shop, tx, order, (order) => unappliedPaymentRefundEmail(shop, order, refund))
}

function unrefundedAmount({ amount, refunds }: Payment) {
  const completed = refunds.filter(
    (refund) => refund.status === 'succeeded' && Number.isInteger(refund.amount),
  )
  return completed.reduce((remaining, refund) => remaining - refund.amount, amount)
}

/** Null when the order can accept the payment. Takes the stock again for an expired order. */
async function rejectionReason(tx: Queries, order: OrderRow, amount: number): Promise<string | null> {
  if (order.paidAt) return 'The order had been paid already.'
  if (order.cancelledAt) return 'The order had been cancelled.'
  if (amount !== order.price) return 'It was not the price of the order.'
  if (order.expiredAt && !(await retakeStock(tx, order))) {
    return 'The time to pay was over, and the parts have been sold to somebody else.'
  }
  return null
}

async function retakeStock(tx: Queries, { partId, quantity }: OrderRow): Promise<boolean> {
  const updated = await tx
    .update(parts)
    .set({ availableQuantity: sql`${parts.availableQuantity} - ${quantity}` })
    .where(and(eq(parts._id, partId), gte(parts.availableQuantity, quantity)))
    .returning({ _id: parts._id })
  return updated.length > 0
}

async function markPaid(shop: Shop, tx: Queries, order: OrderRow, transactionId: string) {
  const [paid] = await tx
    .update(orders)
    .set({ paidAt: new Date().toISOString(), transactionId, expiredAt: null })
    .where(eq(orders._id, order._id))
    .returning()
  if (order.expiredAt) await addEvent(tx, order._id, 'taken again', null)
  if (order.shortHoldUntil) await endShortHolds(tx, order.userId)
  const composeEmail = order.expiredAt ? orderReinstatedEmail : receiptEmail
  await emailCustomer(shop, tx, paid!, (order) => composeEmail(shop, order))
}
