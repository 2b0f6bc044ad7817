import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type AnyDatabase, bankRefunds, charges } from '#db/embedded.ts'
import { failingRefundLast4 } from './cards.ts'
import { type Charge, findCharge, showCharge } from './charges.ts'
import { recordEvent } from './events.ts'
import { type FormTree, mergeMetadata, metadata, positive, readFields, text, unset } from './forms.ts'
import { lockIntent } from './intents.ts'
import { list, page } from './lists.ts'
import { type BankCall, type BankResponse, invalid, newId, notFound, ok, seconds } from './responses.ts'

type BankRefund = typeof bankRefunds.$inferSelect

const refundParams = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  amount: positive.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: z.union([unset, metadata]).optional(),
})

/** Without an amount, refunds the remainder. */
export async function createRefund(call: BankCall, form: FormTree): Promise<BankResponse> {
  const fields = readFields(refundParams, form)
  const charge = await lockCharge(call, fields)
  const remaining = charge.amount - charge.amountRefunded
  const { amount = remaining } = fields
  if (remaining === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  if (amount > remaining) {
    const maxName = remaining === charge.amount ? 'charge amount' : 'unrefunded amount on charge'
    const message = `Refund amount (${formatDollars(amount)}) is greater than ${maxName} (${formatDollars(remaining)})`
    throw invalid(message, { param: 'amount' })
  }

  const previous = { amount_refunded: charge.amountRefunded, refunded: false }
  const [updated] = await call.tx
    .update(charges)
    .set({ amountRefunded: charge.amountRefunded + amount })
    .where(eq(charges.id, charge.id))
    .returning()
  const [refund] = await call.tx
    .insert(bankRefunds)
    .values({
      id: newId('re'),
      charge: charge.id,
      paymentIntent: charge.paymentIntent,
      amount,
      currency: charge.currency,
      status: 'succeeded',
      reason: fields.reason,
      metadata: mergeMetadata({}, fields.metadata ?? ''),
      created: seconds(),
    })
    .returning()
  await recordEvent(call, 'refund.created', showRefund(refund!))
  await recordEvent(call, 'charge.refunded', showCharge(updated!), previous)
  return ok(showRefund(refund!))
}

/** Fails the refunds to the published test card whose refunds fail later. */
export async function failRefunds(db: AnyDatabase) {
  const pendingFailures = await db
    .select({ id: bankRefunds.id, intent: bankRefunds.paymentIntent })
    .from(bankRefunds)
    .innerJoin(charges, eq(charges.id, bankRefunds.charge))
    .where(and(eq(bankRefunds.status, 'succeeded'), sql`${charges.card} ->> 'last4' = ${failingRefundLast4}`))
  for (const { id, intent } of pendingFailures) {
    await db.transaction(async (tx) => {
      const call = { tx, isShop: true, clientSecret: null, idempotencyKey: null, version: null }
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
      await recordEvent({ ...call, requestId: null }, 'refund.failed', showRefund(refund), {
        status: 'succeeded',
      })
    })
  }
}

/** Locks the payment intent, so that concurrent refunds never exceed the charge. */
async function lockCharge(call: BankCall, fields: z.output<typeof refundParams>): Promise<Charge> {
  const { payment_intent: intentId, charge: chargeId } = fields
  if (intentId && chargeId) {
    throw invalid('You may only specify one of these parameters: payment_intent, charge.')
  }
  if (chargeId) {
    const charge = await findCharge(call, chargeId, 'charge')
    await lockIntent(call, charge.paymentIntent)
    if (charge.status === 'failed') throw notCharged(`Charge ${chargeId}`, 'charge')
    return findCharge(call, chargeId)
  }
  if (!intentId) {
    const message =
      'One of the following params should be provided for this request: payment_intent or charge.'
    throw invalid(message, { code: 'parameter_missing', param: 'payment_intent' })
  }
  const intent = await lockIntent(call, intentId, 'payment_intent')
  if (intent.status !== 'succeeded') throw notCharged(`PaymentIntent ${intentId}`, 'payment_intent')
  return findCharge(call, intent.latestCharge!)
}

function notCharged(what: string, param: string) {
  return invalid(`${what} does not have a successful charge to refund.`, { param })
}

export async function readRefund(call: BankCall, id: string): Promise<BankResponse> {
  const [refund] = await call.tx.select().from(bankRefunds).where(eq(bankRefunds.id, id))
  if (!refund) throw notFound('refund', id)
  return ok(showRefund(refund))
}

const listParams = page.extend({ payment_intent: text.optional(), charge: text.optional() })

export async function listRefunds(call: BankCall, form: FormTree): Promise<BankResponse> {
  const { payment_intent: intent, charge, ...page } = readFields(listParams, form)
  const where = [
    intent ? eq(bankRefunds.paymentIntent, intent) : undefined,
    charge ? eq(bankRefunds.charge, charge) : undefined,
  ]
  return list(call, {
    url: '/v1/refunds',
    object: 'refund',
    table: bankRefunds,
    page,
    where,
    show: showRefund,
  })
}

export function showRefund(refund: BankRefund) {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: null,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    payment_method: null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
    ...(refund.status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
  }
}

function formatDollars(cents: number) {
  return `$${(cents / 100).toFixed(2)}`
}
