import { and, eq, sql } from 'drizzle-orm'
import { type AnyDatabase, bankRefunds, charges } from '#db/embedded.ts'
import { failingRefundLast4 } from './cards.ts'
import { recordEvent } from './events.ts'
import { lockIntent } from './intents.ts'
import { serializeRefund } from './refunds.ts'

/** Fails the refunds to the published test card whose refunds fail later. */
export async function failRefunds(db: AnyDatabase) {
  const pendingFailures = await db
    .select({ id: bankRefunds.id, intent: bankRefunds.paymentIntent })
    .from(bankRefunds)
    .innerJoin(charges, eq(charges.id, bankRefunds.charge))
    .where(and(eq(bankRefunds.status, 'succeeded'), sql`${charges.card} ->> 'last4' = ${failingRefundLast4}`))
  for (const { id, intent } of pendingFailures) {
    await db.transaction(async (tx) => {
      const call = { tx, hasSecretKey: true, clientSecret: null, idempotencyKey: null, version: null }
      await lockIntent({ ...call, requestId: '' }, intent)
      const [refund] = await tx
        .update(bankRefunds)
        .set({ status: 'failed' })
        .where(and(eq(bankRefunds.id, id), eq(bankRefunds.status, 'succeeded')))
        .returning()
      if (!refund) return
      await tx
        .update(charges)
        .set({ amountRefunded: sql`${charges.amountRefunded} - ${refund.amount}` })
        .where(eq(charges.id, refund.charge))
      await recordEvent({ ...call, requestId: null }, 'refund.failed', serializeRefund(refund), {
        status: 'succeeded',
      })
    })
  }
}
