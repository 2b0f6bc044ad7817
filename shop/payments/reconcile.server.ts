import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders, payments, refunds } from '#db/schema.ts'
import { traceOf } from '#shop/errors.ts'
import { unpaid } from '#shop/orders/orders.server.ts'
import type { Shop } from '#shop/ports.ts'
import { forget, giveBack, settle } from './settle.server.ts'

/** How many are asked about in one go, and how many of them at once. */
const most = 200
const atOnce = 10

/**
 * Asks the card provider about payments whose end is not known, the longer ago they were shown the more rarely, and for
 * refunds that it has not made yet. What fails is asked again later and stops nothing else. Throws at the end when something
 * failed. Times are in milliseconds since 1970.
 */
export async function reconcile(shop: Shop, now = Date.now()): Promise<void> {
  const at = new Date(now).toISOString()
  const owed = await claimRefunds(shop, at)
  const open = await claimPayments(shop, at)
  const limit = pLimit(atOnce)
  const asked = await Promise.allSettled([
    ...owed.map((refund) => limit(() => giveBack(shop, refund))),
    ...open.map((payment) => limit(() => ask(shop, payment))),
  ])
  const failures = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  if (failures[0])
    throw new Error(
      `Could not ask the card provider ${failures.length} times. First: ${traceOf(failures[0])}`,
    )
}

async function ask(shop: Shop, { _id: id, orderId }: typeof payments.$inferSelect) {
  const payable = await shop.db.$count(orders, and(eq(orders._id, orderId), unpaid))
  const payment = payable ? await shop.payments.find(id) : await shop.payments.cancel(id)
  if (payment) await settle(shop, payment)
  else await forget(shop.db, id)
}

/** What is due: nobody else asks about the same now. */
function claimPayments({ db }: Shop, at: string) {
  const due = db
    .select({ _id: payments._id })
    .from(payments)
    .where(
      and(
        isNull(payments.endedAt),
        sql`${payments.askedAt} < ${at}::timestamptz - ${pause(at, payments.shownAt)}`,
      ),
    )
    .orderBy(asc(payments.askedAt))
    .limit(most)
    .for('update', { skipLocked: true })
  return db.update(payments).set({ askedAt: at }).where(inArray(payments._id, due)).returning()
}

function claimRefunds({ db }: Shop, at: string) {
  const due = db
    .select({ _id: refunds._id })
    .from(refunds)
    .where(
      and(
        isNull(refunds.endedAt),
        sql`${refunds.askedAt} < ${at}::timestamptz - ${pause(at, refunds.createdAt)}`,
      ),
    )
    .orderBy(asc(refunds.askedAt))
    .limit(most)
    .for('update', { skipLocked: true })
  return db.update(refunds).set({ askedAt: at }).where(inArray(refunds._id, due)).returning()
}

/** A tenth of the time since then, and never less than 20 seconds. */
function pause(at: string, since: typeof payments.shownAt | typeof refunds.createdAt) {
  return sql`greatest(interval '20 seconds', (${at}::timestamptz - ${since}) / 10)`
}
