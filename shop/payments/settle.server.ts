import { and, eq, isNull, sql } from 'drizzle-orm'
import { prepareOnce } from '#db/prepared.ts'
import { orderLines, payments, type Queries, refunds, webhookEvents } from '#db/schema.ts'
import { issueCreditNotes, issueInvoice } from '#shop/documents/issue.server.ts'
import { ProviderFailure, ShopError } from '#shop/errors.ts'
import { orderPaidEmail, orderReinstatedEmail, unappliedPaymentRefundEmail } from '#shop/orders/emails.ts'
import { addEvent } from '#shop/orders/events.server.ts'
import { endShortHolds } from '#shop/orders/hold-limits.server.ts'
import { customerEmails, emailCustomer } from '#shop/orders/notify.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import { lockOrder, type OrderRow } from '#shop/orders/purchase-rows.server.ts'
import { orderPaidStaffEmail } from '#shop/orders/staff-emails.ts'
import { retakeStock } from '#shop/orders/stock.server.ts'
import type { Payment, Refund, Shop } from '#shop/ports.ts'
import { log } from '#telemetry/log.ts'
import { checkSoon } from './checks.server.ts'
import { recordDispute } from './disputes.server.ts'
import { addLedgerEntry, markRefundCompleted, recordRefund } from './record-refund.server.ts'
import { addPaymentTask } from './tasks.server.ts'

/**
 * Idempotent. Refunds a payment that the order cannot accept; ignores payments of unknown orders. Returns whether the payment has just
 * paid its order: then the event that told of it counts as processed.
 */
export async function settlePayment(shop: Shop, payment: Payment, eventId?: string): Promise<boolean> {
  const isJustPaid = await recordPayment(shop, payment, eventId)
  if (isJustPaid && payment.refunds.length === 0) return true
  for (const refund of await findPending(shop.db, { id: payment.id })) {
    // `reconcile` retries a failed refund.
    await executeRefund(shop, refund).catch((err) => log.error({ err }, 'refund postponed'))
  }
  return isJustPaid
}

const findPending = prepareOnce((db: Queries) =>
  db
    .select()
    .from(refunds)
    .where(
      and(eq(refunds.paymentId, sql.placeholder('id')), isNull(refunds.completedAt), isNull(refunds.refusal)),
    ),
)

/** Idempotent. Throws 'unavailable' when the refund stays pending because the provider did not process it. */
export async function executeRefund(shop: Shop, refund: typeof refunds.$inferSelect): Promise<void> {
  const { _id: key, paymentId, amountCents, providerFailures: failures } = refund
  const refusal = await shop.payments.refund(paymentId, { amountCents, key, failures }).then(
    () => null,
    (error) => error,
  )
  if (refusal instanceof ProviderFailure) await countProviderFailure(shop, refund)
  if (refusal && !(refusal instanceof ShopError && refusal.code === 'conflict')) throw refusal
  const payment = await shop.payments.find(paymentId)
  if (payment) await recordPayment(shop, payment)
  if (refusal) await recordRefusal(shop, refund, refusal, payment)
}

async function countProviderFailure({ db }: Shop, { _id, providerFailures }: typeof refunds.$inferSelect) {
  await db
    .update(refunds)
    .set({ providerFailures: providerFailures + 1 })
    .where(and(eq(refunds._id, _id), eq(refunds.providerFailures, providerFailures)))
}

/** A refund without a requester is required, less what was refunded manually: it stays pending, as a task for admins. */
async function recordRefusal(
  shop: Shop,
  refund: typeof refunds.$inferSelect,
  { message }: ShopError,
  payment: Payment | null,
) {
  const { _id, orderId, lineId, paymentId, amountCents, reason } = refund
  const remaining = refund.requestedBy === null && payment ? unrefundedCents(payment) : 0
  await shop.db.transaction(async (tx) => {
    await lockOrder(tx, orderId)
    if (remaining >= amountCents) {
      await tx
        .update(refunds)
        .set({ refusal: message })
        .where(and(eq(refunds._id, _id), isNull(refunds.completedAt)))
      return addPaymentTask(tx, { orderId, kind: 'refund rejected', reference: _id, detail: message })
    }
    const wasPending = await markRefundCompleted(tx, _id, message)
    if (wasPending && remaining > 0)
      await tx.insert(refunds).values({ orderId, lineId, paymentId, amountCents: remaining, reason })
  })
}

const nothing = { isJustPaid: false, refunded: [] }

/** Returns whether the payment has just paid its order. */
async function recordPayment(shop: Shop, payment: Payment, eventId?: string): Promise<boolean> {
  const { id, status, amountCents } = payment
  if (status !== 'paid' && status !== 'cancelled') return false
  const { isJustPaid, refunded } = await shop.db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId)
    if (!order) {
      await markPaymentSettled(tx, id)
      return nothing
    }
    if (status === 'cancelled' || Number.isNaN(amountCents))
      await upsertSettledPayment(shop, tx, order, payment)
    if (status === 'cancelled') return nothing
    if (Number.isNaN(amountCents)) {
      const detail =
        'This payment is in a currency we don’t accept. Refund it in the payment provider’s dashboard.'
      await addPaymentTask(tx, { orderId: order._id, kind: 'unsupported currency', reference: id, detail })
      return nothing
    }
    const paid = await recordIncomingPayment(shop, tx, order, { payment, eventId })
    const changes: boolean[] = []
    const refunded: Refund[] = []
    for (const refund of payment.refunds) {
      const isNew = await recordRefund(shop, tx, order, payment, refund)
      changes.push(isNew)
      if (isNew && refund.status === 'succeeded') refunded.push(refund)
    }
    for (const dispute of payment.disputes)
      changes.push(await recordDispute(shop, tx, order, payment, dispute))
    if (changes.includes(true)) await tx.update(payments).set(checkSoon()).where(eq(payments._id, id))
    // Last, because the counters stay locked until the transaction ends.
    if (paid) await issueInvoice(shop, tx, paid)
    if (changes.includes(true)) await issueCreditNotes(shop, tx, order, id)
    return { isJustPaid: paid !== null, refunded }
  })
  if (isJustPaid) shop.metrics.count('payment received', amountCents)
  for (const { amountCents } of refunded) shop.metrics.count('refund made', amountCents)
  return isJustPaid
}

/** Does nothing for an event that was processed. */
export function markEventProcessed(tx: Queries, id: string) {
  return tx.insert(webhookEvents).values({ _id: id }).onConflictDoNothing()
}

/** For a payment without an order, or unknown to the card provider because another provider opened it. */
export async function markPaymentSettled(tx: Queries, id: string) {
  const settledAt = sql`coalesce(${payments.settledAt}, ${new Date().toISOString()})`
  await tx.update(payments).set({ settledAt, nextCheckAt: null }).where(eq(payments._id, id))
}

function upsertSettledPayment(shop: Shop, tx: Queries, { _id: orderId }: OrderRow, payment: Payment) {
  const now = new Date().toISOString()
  const settled = {
    ...checkSoon(),
    settledAt: now,
    ...(payment.status === 'cancelled' && { nextCheckAt: null }),
  }
  const { provider } = shop.payments
  return tx
    .insert(payments)
    .values({ _id: payment.id, orderId, provider, checkedAt: now, ...settled })
    .onConflictDoUpdate({ target: payments._id, set: settled, setWhere: isNull(payments.settledAt) })
    .returning({ id: payments._id })
}

interface Incoming {
  payment: Payment
  /** Of the event that told of it. */
  eventId: string | undefined
}

/** Settles the payment, too. Returns the paid order when this payment has just paid it. */
async function recordIncomingPayment(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  { payment, eventId }: Incoming,
) {
  const { id: paymentId, amountCents } = payment
  // One statement with the entry in the ledger.
  const settled = tx.$with('settled').as(upsertSettledPayment(shop, tx, order, payment))
  const processed = eventId ? [tx.$with('processed').as(markEventProcessed(tx, eventId).returning())] : []
  const isNew = await addLedgerEntry(tx.with(settled, ...processed), {
    orderId: order._id,
    paymentId,
    reference: paymentId,
    kind: 'payment',
    amountCents,
  })
  if (isNew === null) return null
  const reason = await rejectionReason(tx, order, amountCents)
  if (reason === null) return markPaid(shop, tx, order, paymentId)
  await requireRefund(shop, tx, order, { payment, reason })
  return null
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
  const kept = order.lines.filter(isNotCancelled)
  const paid = { ...order, lines: kept.length > 0 ? kept : order.lines }
  await emailCustomer(shop, tx, paid, (order) => unappliedPaymentRefundEmail(shop, order, refund))
}

/** What is left of a payment. While a dispute is open, its money may still come back. */
function unrefundedCents({ amountCents, refunds, disputes }: Payment) {
  const refunded = refunds.filter(({ status }) => status === 'succeeded').map((refund) => refund.amountCents)
  const lost = disputes
    .filter(({ status }) => status === 'lost')
    .map(({ withdrawnCents, returnedCents }) => withdrawnCents - returnedCents)
  return [...refunded, ...lost].reduce((remaining, cents) => remaining - cents, amountCents)
}

/** Null when the order can accept the payment. Takes the stock again for an expired order. */
async function rejectionReason(tx: Queries, order: OrderRow, amountCents: number): Promise<string | null> {
  const lines = order.lines.filter(isNotCancelled)
  if (lines.some(({ paidAt }) => paidAt))
    return 'The order was already paid with another payment, which isn’t affected.'
  if (lines.length === 0) return 'The order was cancelled.'
  const price = lines.reduce((sum, { price }) => sum + price, 0)
  if (amountCents !== price * 100) return 'The amount didn’t match the order total.'
  if (isExpired(order) && !(await retakeStock(tx, lines))) {
    return 'The payment deadline had passed, and we no longer had enough of these parts in stock.'
  }
  return null
}

function isNotCancelled({ cancelledAt }: OrderRow['lines'][number]) {
  return cancelledAt === null
}

/** Lines expire together. */
function isExpired({ lines }: OrderRow) {
  return lines.some(({ cancelledAt, expiredAt }) => cancelledAt === null && expiredAt !== null)
}

async function markPaid(shop: Shop, tx: Queries, order: OrderRow, transactionId: string) {
  const paymentProvider = shop.payments.provider
  const payment = { paidAt: new Date().toISOString(), transactionId, paymentProvider, expiredAt: null }
  await tx
    .update(orderLines)
    .set(payment)
    .where(and(eq(orderLines.orderId, order._id), isNull(orderLines.cancelledAt)))
  if (isExpired(order)) await addEvent(tx, { orderId: order._id, _id: null }, 'reserved again', null)
  if (order.shortHoldUntil) await endShortHolds(tx, order.userId)
  const composeEmail = isExpired(order) ? orderReinstatedEmail : orderPaidEmail
  const paid = {
    ...order,
    lines: order.lines.filter(isNotCancelled).map((line) => ({ ...line, ...payment })),
  }
  const emails = await customerEmails(shop, tx, paid, (order) => composeEmail(shop, order))
  await shop.mail.send([...emails, orderPaidStaffEmail(shop, withNumber(shop, paid))], tx)
  return paid
}
