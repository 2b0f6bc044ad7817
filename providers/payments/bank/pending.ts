import { and, eq, sql } from 'drizzle-orm'
import { type AnyDatabase, bankRefunds, charges, paymentIntents } from '#db/embedded.ts'
import { failingRefundLast4 } from './cards.ts'
import { findCharge } from './charges.ts'
import { lockIntent } from './intents.ts'
import { completeCharge } from './outcomes.ts'
import { endRefund } from './refunds.ts'
import { type BankCall, backgroundCall } from './responses.ts'

/** Completes what the test cards leave pending: payments that are processing, pending refunds, and refunds that fail later. */
export async function completePending(db: AnyDatabase) {
  const processing = await db
    .select({ id: paymentIntents.id })
    .from(paymentIntents)
    .where(eq(paymentIntents.status, 'processing'))
  for (const { id } of processing) await db.transaction((tx) => completePayment(backgroundCall(tx), id))

  const refund = { id: bankRefunds.id, intent: bankRefunds.paymentIntent }
  const pending = await db.select(refund).from(bankRefunds).where(eq(bankRefunds.status, 'pending'))
  for (const { id, intent } of pending) {
    await db.transaction((tx) =>
      endRefund(backgroundCall(tx), { id, intent, from: 'pending', to: 'succeeded' }),
    )
  }

  const failing = await db
    .select(refund)
    .from(bankRefunds)
    .innerJoin(charges, eq(charges.id, bankRefunds.charge))
    .where(and(eq(bankRefunds.status, 'succeeded'), sql`${charges.card} ->> 'last4' = ${failingRefundLast4}`))
  for (const { id, intent } of failing) {
    await db.transaction((tx) =>
      endRefund(backgroundCall(tx), { id, intent, from: 'succeeded', to: 'failed' }),
    )
  }
}

async function completePayment(call: BankCall, id: string) {
  const intent = await lockIntent(call, id)
  if (intent.status !== 'processing') return
  const charge = await findCharge(call, intent.latestCharge!)
  await completeCharge(call, intent, charge)
}
