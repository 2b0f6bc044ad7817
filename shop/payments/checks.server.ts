import { and, asc, eq, getTableColumns, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import { orders, payments, refunds } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'

export const batchSize = 200

/** Stripe's refunds and disputes can change that long after the payment. */
const finalAfter = sql`interval '540 days'`

/** The columns of a payment whose state at the provider has just changed, or may change soon. */
export function soonCheckColumns(now = Date.now()) {
  return { activeAt: new Date(now).toISOString(), nextCheckAt: new Date(now + 20_000).toISOString() }
}

/**
 * Payments to poll at the provider: an open one after a tenth of the time since it was last active, at least 20 seconds; a
 * settled one after a quarter of it, at least 5 minutes. Locks the rows, so that concurrent runs do not poll the same payment.
 */
export function claimPayments(shop: Shop, at: string) {
  const due = shop.db
    .select({ _id: payments._id })
    .from(payments)
    .where(and(isOurs(shop), isDue(at)))
    .orderBy(sql`${payments.settledAt} is not null`, asc(payments.nextCheckAt))
    .limit(batchSize)
    .for('update', { skipLocked: true })
  const elapsed = sql`(${at}::timestamptz - ${payments.activeAt})`
  const wait = sql`case when ${payments.settledAt} is null then greatest(interval '20 seconds', ${elapsed} * 0.1)
    else greatest(interval '5 minutes', ${elapsed} * 0.25) end`
  return shop.db
    .update(payments)
    .set({
      checkedAt: at,
      nextCheckAt: sql`case when ${elapsed} < ${finalAfter} or ${payments.settledAt} is null
        then ${at}::timestamptz + ${wait} end`,
    })
    .where(inArray(payments._id, due))
    .returning({ ...getTableColumns(payments), calculation })
}

/** Of the tax service, for the order; null where the shop has its own rates. */
const calculation = sql<
  string | null
>`(select ${orders.charges} ->> 'calculation' from ${orders} where ${orders._id} = ${payments.orderId})`

/** A check in the future means that the clock was set back. */
function isDue(at: string) {
  return or(
    lte(payments.nextCheckAt, at),
    and(sql`${payments.nextCheckAt} is not null`, sql`${payments.checkedAt} > ${at}`),
  )
}

function isOurs({ payments: { provider } }: Shop) {
  return or(eq(payments.provider, provider), isNull(payments.provider))
}

export function claimRefunds(shop: Shop, at: string) {
  const wait = sql`greatest(interval '20 seconds', (${at}::timestamptz - ${refunds.createdAt}) / 10)`
  const due = shop.db
    .select({ _id: refunds._id })
    .from(refunds)
    .innerJoin(payments, eq(payments._id, refunds.paymentId))
    .where(
      and(
        isNull(refunds.endedAt),
        isOurs(shop),
        sql`${refunds.attemptedAt} not between ${at}::timestamptz - ${wait} and ${at}`,
      ),
    )
    .orderBy(asc(refunds.attemptedAt))
    .limit(batchSize)
    .for('update', { of: refunds, skipLocked: true })
  return shop.db.update(refunds).set({ attemptedAt: at }).where(inArray(refunds._id, due)).returning()
}
