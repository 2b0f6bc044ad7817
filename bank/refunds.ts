import { and, desc, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { findTestCard } from './cards.ts'
import { type Charge, changeCharge, findCharge, serializeCharge } from './charges.ts'
import { hasChargeback } from './disputes.ts'
import { type EventType, recordEvents } from './events.ts'
import { type FormTree, metadata, positive, readFields, text } from './forms.ts'
import { lockIntent } from './intents.ts'
import { pageParams, toList } from './lists.ts'
import {
  type BankCall,
  type BankResponse,
  invalidRequestError,
  newId,
  notFoundError,
  ok,
  seconds,
} from './responses.ts'
import { type BankRefund, serializeRefund } from './serialize-refund.ts'
import { bankRefunds } from './shop.ts'

const refundParams = z.strictObject({
  payment_intent: text,
  amount: positive.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
})

export async function createRefund(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const fields = readFields(refundParams, form)
  const charge = await lockCharge(call, fields.payment_intent)
  const remaining = charge.amountCaptured - charge.amountRefunded
  const { amount = remaining } = fields
  if (charge.disputed && (await hasChargeback(call, charge))) {
    throw invalidRequestError(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  if (remaining === 0) {
    throw invalidRequestError(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  }
  if (amount > remaining) {
    const maxName = remaining === charge.amountCaptured ? 'charge amount' : 'unrefunded amount on charge'
    const message = `Refund amount (${formatDollars(amount)}) is greater than ${maxName} (${formatDollars(remaining)})`
    throw invalidRequestError(message, { param: 'amount' })
  }

  const previous = { amount_refunded: charge.amountRefunded, refunded: false }
  const updated = await changeCharge(call, charge, { amountRefunded: charge.amountRefunded + amount })
  const [refund] = await call.tx
    .insert(bankRefunds)
    .values({
      id: newId('re'),
      charge: charge.id,
      paymentIntent: charge.paymentIntent,
      amount,
      currency: charge.currency,
      status: findTestCard(charge.card!).hasPendingRefunds ? 'pending' : 'succeeded',
      reason: fields.reason,
      metadata: fields.metadata,
      created: seconds(),
    })
    .returning()
  await recordEvents(call, [
    ['refund.created', serializeRefund(refund!)],
    ['charge.refunded', serializeCharge(updated), previous],
  ])
  return ok(serializeRefund(refund!))
}

/** Locks the payment intent, so that concurrent refunds never exceed the charge. */
async function lockCharge(call: BankCall, intentId: string): Promise<Charge> {
  const intent = await lockIntent(call, intentId, 'payment_intent')
  if (intent.status !== 'succeeded') {
    const message = `PaymentIntent ${intentId} does not have a successful charge to refund.`
    throw invalidRequestError(message, { param: 'payment_intent' })
  }
  return findCharge(call, intent.latestCharge!)
}

interface RefundEnd {
  id: string
  intent: string
  from: BankRefund['status']
  to: 'succeeded' | 'failed'
}

const endEvents: Record<RefundEnd['to'], EventType[]> = {
  succeeded: ['refund.updated', 'charge.refund.updated'],
  failed: ['refund.failed'],
}

/** Does nothing when the refund no longer has the status `from`. */
export async function endRefund(call: BankCall, { id, intent, from, to }: RefundEnd) {
  await lockIntent(call, intent)
  const [refund] = await call.tx
    .update(bankRefunds)
    .set({ status: to })
    .where(and(eq(bankRefunds.id, id), eq(bankRefunds.status, from)))
    .returning()
  if (!refund) return
  if (to === 'failed') {
    const charge = await findCharge(call, refund.charge)
    await changeCharge(call, charge, { amountRefunded: charge.amountRefunded - refund.amount })
  }
  await recordEvents(
    call,
    endEvents[to].map((type) => [type, serializeRefund(refund), { status: from }]),
  )
}

const listParams = z.strictObject({ payment_intent: text.optional(), ...pageParams })

export async function listRefunds(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const { payment_intent: intent, limit, starting_after: after } = readFields(listParams, form)
  const number = after ? await findRefundNumber(call, after) : undefined
  const rows = await call.tx
    .select()
    .from(bankRefunds)
    .where(
      and(
        intent === undefined ? undefined : eq(bankRefunds.paymentIntent, intent),
        number === undefined ? undefined : lt(bankRefunds.number, number),
      ),
    )
    .orderBy(desc(bankRefunds.number))
    .limit(limit + 1)
  return ok(toList('/v1/refunds', rows, { limit, serialize: serializeRefund }))
}

async function findRefundNumber(call: BankCall, id: string) {
  const [refund] = await call.tx.select().from(bankRefunds).where(eq(bankRefunds.id, id))
  if (!refund) throw notFoundError('refund', id, 'starting_after')
  return refund.number
}

function formatDollars(cents: number) {
  return `$${(cents / 100).toFixed(2)}`
}
