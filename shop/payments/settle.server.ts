import { and, eq, isNull, sql } from 'drizzle-orm'
import { prepareOnce } from '#db/driver/prepared.ts'
import { payments, type Queries, refunds, webhookEvents } from '#db/schema.ts'
import { issueCreditNotes } from '#shop/documents/issue.server.ts'
import { ProviderFailure, ShopError } from '#shop/errors.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import {
  type ConfirmedOrder,
  findOrder,
  lockOrder,
  type OrderRow,
} from '#shop/orders/read/purchase-rows.server.ts'
import type { Payment, Refund, Shop } from '#shop/ports.ts'
import { log } from '#telemetry/log.ts'
import { soonCheckColumns } from './checks.server.ts'
import { recordDispute } from './disputes.server.ts'
import { acceptOrRefund, type Incoming, payIfUnchanged, unrefundedCents } from './incoming.server.ts'
import { closeRefund, recordRefund } from './record-refund.server.ts'
import { addPaymentTask } from './tasks.server.ts'

/**
 * Idempotent. Refunds a payment that the order cannot accept; ignores payments of unknown orders. Returns whether the payment has just
 * paid its order: then the event that told of it counts as processed.
 */
export async function settlePayment(shop: Shop, payment: Payment, eventId?: string): Promise<boolean> {
  const isJustPaid = await recordProviderState(shop, payment, eventId)
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
      and(eq(refunds.paymentId, sql.placeholder('id')), isNull(refunds.endedAt), isNull(refunds.lastRefusal)),
    ),
)

/** For one that the card provider does not know. The keys of another account may have been set by mistake: it is asked for again later. */
export async function markPaymentUnknown({ db }: Shop, id: string) {
  const settledAt = sql`coalesce(${payments.settledAt}, ${new Date().toISOString()})`
  const nextCheckAt = sql`coalesce(${payments.nextCheckAt}, ${soonCheckColumns().nextCheckAt})`
  await db.update(payments).set({ settledAt, nextCheckAt }).where(eq(payments._id, id))
}

/**
 * Idempotent; does nothing once an admin has made the refund another way. Throws 'unavailable' when it stays pending because the provider
 * did not process it. With `isAwaited`, an admin waits for the answer and reads why it is refused; without, a refusal becomes a task.
 */
export async function executeRefund(
  shop: Shop,
  refund: typeof refunds.$inferSelect,
  { isAwaited = false } = {},
): Promise<void> {
  const { _id: key, paymentId, amountCents, providerFailures: failures } = refund
  // It may have waited for its turn.
  const isPending = and(eq(refunds._id, key), isNull(refunds.endedAt))
  if ((await shop.db.$count(refunds, isPending)) === 0) return
  const refusal = await shop.payments.refund(paymentId, { amountCents, key, failures }).then(
    () => null,
    (error) => error,
  )
  if (refusal instanceof ProviderFailure) await countProviderFailure(shop, refund)
  if (refusal && !(refusal instanceof ShopError && refusal.code === 'conflict')) throw refusal
  const payment = await shop.payments.find(paymentId)
  if (payment) await recordProviderState(shop, payment)
  if (refusal) await recordRefusal(shop, refund, { reason: refusal.message, payment, isAwaited })
}

async function countProviderFailure({ db }: Shop, { _id, providerFailures }: typeof refunds.$inferSelect) {
  await db
    .update(refunds)
    .set({ providerFailures: providerFailures + 1 })
    .where(and(eq(refunds._id, _id), eq(refunds.providerFailures, providerFailures)))
}

/**
 * The shop owes a refund that nobody requested. It stays pending, with a task, and becomes a smaller one when part of the payment was
 * refunded at the provider. So does any refund of a payment that the provider does not know: the keys may be those of another account.
 */
async function recordRefusal(
  shop: Shop,
  refund: typeof refunds.$inferSelect,
  { reason: refusal, payment, isAwaited }: { reason: string; payment: Payment | null; isAwaited: boolean },
) {
  const { _id, orderId, lineId, paymentId, amountCents, reason } = refund
  const owed = refund.requestedBy === null && payment ? unrefundedCents(payment) : 0
  const remaining = payment ? owed : amountCents
  await shop.db.transaction(async (tx) => {
    await lockOrder(tx, orderId)
    if (remaining >= amountCents) {
      await tx
        .update(refunds)
        .set({ lastRefusal: refusal })
        .where(and(eq(refunds._id, _id), isNull(refunds.endedAt)))
      return addPaymentTask(tx, { orderId, kind: 'refund rejected', reference: _id, detail: refusal })
    }
    const wasPending = await closeRefund(tx, _id, refusal)
    if (wasPending && refund.requestedBy !== null && !isAwaited) {
      const detail = `The refund of ${formatDollars(toDollars(amountCents))} that was saved can’t be made: ${refusal} Check what the customer is still owed.`
      await addPaymentTask(tx, { orderId, kind: 'refund failed', reference: _id, detail })
    }
    if (wasPending && remaining > 0)
      await tx.insert(refunds).values({ orderId, lineId, paymentId, amountCents: remaining, reason })
  })
}

const nothing = { isJustPaid: false, refunded: [] as Refund[] }

/** Returns whether the payment has just paid its order. */
async function recordProviderState(shop: Shop, payment: Payment, eventId?: string): Promise<boolean> {
  const { id, status, amountCents } = payment
  if (status !== 'paid' && status !== 'cancelled') return false
  const incoming = { payment, eventId }
  const paidAtOnce = await payIfUnchanged(shop, incoming)
  const { isJustPaid, refunded } = paidAtOnce
    ? { isJustPaid: true, refunded: [] }
    : await shop.db.transaction(async (tx) => {
        const order = await lockOrder(tx, payment.orderId)
        if (order) return recordOnOrder(shop, tx, order, incoming)
        await markPaymentSettled(tx, id)
        return nothing
      })
  if (isJustPaid) shop.metrics.count('payment received', amountCents)
  for (const { amountCents } of refunded) shop.metrics.count('refund made', amountCents)
  return isJustPaid
}

/** The order is locked. */
async function recordOnOrder(shop: Shop, tx: Queries, order: ConfirmedOrder, incoming: Incoming) {
  const { payment } = incoming
  const { id, status, amountCents } = payment
  if (status === 'cancelled' || Number.isNaN(amountCents))
    await upsertSettledPayment(shop, tx, order, payment)
  if (status === 'cancelled') return nothing
  if (Number.isNaN(amountCents)) {
    const detail =
      'This payment is in a currency we don’t accept. Refund it in the payment provider’s dashboard.'
    await addPaymentTask(tx, { orderId: order._id, kind: 'unsupported currency', reference: id, detail })
    return nothing
  }
  const isJustPaid = await acceptOrRefund(shop, tx, order, incoming)
  const paid = isJustPaid ? { ...order, lines: (await findOrder(tx, order._id)).lines } : order
  const changes: boolean[] = []
  const refunded: Refund[] = []
  for (const refund of payment.refunds) {
    const isNew = await recordRefund(shop, tx, paid, payment, refund)
    changes.push(isNew)
    if (isNew && refund.status === 'accepted') refunded.push(refund)
  }
  for (const dispute of payment.disputes) changes.push(await recordDispute(shop, tx, paid, payment, dispute))
  if (!changes.includes(true)) return { isJustPaid, refunded }
  await tx.update(payments).set(soonCheckColumns()).where(eq(payments._id, id))
  // Last, because the counters stay locked until the transaction ends.
  await issueCreditNotes(shop, tx, order, id)
  return { isJustPaid, refunded }
}

/** Does nothing for an event that was processed. */
export function markEventProcessed(tx: Queries, id: string) {
  return tx.insert(webhookEvents).values({ _id: id }).onConflictDoNothing()
}

/** For a payment without an order. */
async function markPaymentSettled(tx: Queries, id: string) {
  const settledAt = sql`coalesce(${payments.settledAt}, ${new Date().toISOString()})`
  await tx.update(payments).set({ settledAt, nextCheckAt: null }).where(eq(payments._id, id))
}

function upsertSettledPayment(shop: Shop, tx: Queries, { _id: orderId }: OrderRow, payment: Payment) {
  const now = new Date().toISOString()
  const settled = {
    ...soonCheckColumns(),
    settledAt: now,
    ...(payment.status === 'cancelled' && { nextCheckAt: null }),
  }
  const { provider } = shop.payments
  return tx
    .insert(payments)
    .values({ _id: payment.id, orderId, provider, checkedAt: now, ...settled })
    .onConflictDoUpdate({ target: payments._id, set: settled, setWhere: isNull(payments.settledAt) })
}
