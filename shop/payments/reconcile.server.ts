import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders, payments, refunds } from '#db/schema.ts'
import { traceOf } from '#shop/errors.ts'
import { unpaid } from '#shop/orders/orders.server.ts'
import type { Shop } from '#shop/ports.ts'
import { closePayment, executeRefund, settlePayment } from './settle.server.ts'

/** How many are asked about in one go, and how many of them at once. */
const batchSize = 200
const maxConcurrent = 10

/**
 * Asks the card provider about payments whose end is not known, the longer ago they were shown the more rarely, and for
 * refunds that it has not made yet. What fails is asked again later and stops nothing else. Throws at the end when something
 * failed. Times are in milliseconds since 1970.
 */
export async function reconcile(shop: Shop, now = Date.now()): Promise<void> {
  const at = new Date(now).toISOString()
  const owed = await claimRefunds(shop, at)
  const open = await claimPayments(shop, at)
  const limit = pLimit(maxConcurrent)
  const asked = await Promise.allSettled([
    ...owed.map((refund) => limit(() => executeRefund(shop, refund))),
    ...open.map((payment) => limit(() => checkPayment(shop, payment))),
  ])
  const failures = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failures[0])
    throw new Error(
      `Could not ask the card provider ${failures.length} times. First: ${traceOf(failures[0])}`,
    )
}

async function checkPayment(shop: Shop, { _id: id, orderId }: typeof payments.$inferSelect) {
  const payable = await shop.db.$count(orders, and(eq(orders._id, orderId), unpaid))
  const payment = payable ? await shop.payments.find(id) : await shop.payments.cancel(id)
  if (payment) await settlePayment(shop, payment)
  else await closePayment(shop.db, id)
}

/** What is due: nobody else asks about the same now. */
function claimPayments({ db }: Shop, at: string) {
  const due = db
    .select({ _id: payments._id })
    .from(payments)
    .where(
      and(
        isNull(payments.settledAt),
        sql`${payments.checkedAt} < ${at}::timestamptz - ${backoff(at, payments.presentedAt)}`,
      ),
    )
    .orderBy(asc(payments.checkedAt))
    .limit(batchSize)
    .for('update', { skipLocked: true })
  return db.update(payments).set({ checkedAt: at }).where(inArray(payments._id, due)).returning()
}

function claimRefunds({ db }: Shop, at: string) {
  const due = db
    .select({ _id: refunds._id })
    .from(refunds)
    .where(
      and(
        isNull(refunds.completedAt),
        sql`${refunds.attemptedAt} < ${at}::timestamptz - ${backoff(at, refunds.createdAt)}`,
      ),
    )
    .orderBy(asc(refunds.attemptedAt))
    .limit(batchSize)
    .for('update', { skipLocked: true })
  return db.update(refunds).set({ attemptedAt: at }).where(inArray(refunds._id, due)).returning()
}

/** A tenth of the time since then, and never less than 20 seconds. */
function backoff(at: string, since: typeof payments.presentedAt | typeof refunds.createdAt) {
  return sql`greatest(interval '20 seconds', (${at}::timestamptz - ${since}) / 10)`
}
