import { and, eq, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { failingRefundLast4 } from './cards.ts'
import { findCharge } from './charges.ts'
import { lockIntent } from './intents.ts'
import { completeCharge } from './outcomes.ts'
import { endRefund } from './refunds.ts'
import { type BankCall, backgroundCall } from './responses.ts'
import { type AnyDatabase, bankRefunds, charges, paymentIntents } from './shop.ts'

/** Completes what the test cards leave pending: payments that are processing, pending refunds, and refunds that fail later. */
export async function completePending(db: AnyDatabase) {
  for (const { intent, refund, isPending } of await findPending(db)) {
    await db.transaction(async (tx) => {
      const call = backgroundCall(tx)
      if (refund === null) await completePayment(call, intent)
      else await endRefund(call, { id: refund, intent, ...(isPending ? pendingRefund : failingRefund) })
    })
  }
}

const pendingRefund = { from: 'pending', to: 'succeeded' } as const
const failingRefund = { from: 'succeeded', to: 'failed' } as const

/** In one statement: payments, whose refund is null, before refunds. */
function findPending(db: AnyDatabase) {
  const processing = db
    .select({ intent: paymentIntents.id, refund: sql<string | null>`null`, isPending: sql<boolean>`true` })
    .from(paymentIntents)
    .where(eq(paymentIntents.status, 'processing'))
  const isFailing = and(
    eq(bankRefunds.status, 'succeeded'),
    sql`${charges.card} ->> 'last4' = ${failingRefundLast4}`,
  )
  const unfinished = db
    .select({
      intent: bankRefunds.paymentIntent,
      refund: sql<string | null>`${bankRefunds.id}`,
      isPending: sql<boolean>`${bankRefunds.status} = 'pending'`,
    })
    .from(bankRefunds)
    .innerJoin(charges, eq(charges.id, bankRefunds.charge))
    .where(or(eq(bankRefunds.status, 'pending'), isFailing))
  return unionAll(processing, unfinished)
}

async function completePayment(call: BankCall, id: string) {
  const intent = await lockIntent(call, id)
  if (intent.status !== 'processing') return
  const charge = await findCharge(call, intent.latestCharge!)
  await completeCharge(call, intent, charge)
}
