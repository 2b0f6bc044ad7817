import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders, payments, refunds } from '#db/schema.ts'
import { stackTraceOf } from '#shop/errors.ts'
import { awaitingPayment } from '#shop/orders/order-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import { executeRefund, markPaymentSettled, settlePayment } from './settle.server.ts'

const batchSize = 200
const maxConcurrent = 10

/** Polls open payments and retries refunds. Throws after the run when any failed. `now` is Unix time in ms. */
export async function reconcile(shop: Shop, now = Date.now()): Promise<void> {
  const at = new Date(now).toISOString()
  const pendingRefunds = await claimRefunds(shop, at)
  const openPayments = await claimPayments(shop, at)
  const limit = pLimit(maxConcurrent)
  const results = await Promise.allSettled([
    ...pendingRefunds.map((refund) => limit(() => executeRefund(shop, refund))),
    ...openPayments.map((payment) => limit(() => checkPayment(shop, payment))),
  ])
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (failures[0])
    throw new Error(
      `Could not ask the card provider ${failures.length} times. First: ${stackTraceOf(failures[0])}`,
    )
}

async function checkPayment(shop: Shop, { _id: id, orderId }: typeof payments.$inferSelect) {
  const isPayable = await shop.db.$count(orders, and(eq(orders._id, orderId), awaitingPayment))
  const payment = isPayable ? await shop.payments.find(id) : await shop.payments.cancel(id)
  if (payment) await settlePayment(shop, payment)
  else await markPaymentSettled(shop.db, id)
}

/** Locks the rows, so that concurrent runs do not poll the same payment. */
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

/** A tenth of the elapsed time, at least 20 seconds. */
function backoff(at: string, since: typeof payments.presentedAt | typeof refunds.createdAt) {
  return sql`greatest(interval '20 seconds', (${at}::timestamptz - ${since}) / 10)`
}
