import { and, desc, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { bankRefunds, charges } from '#db/embedded.ts'
import { type Charge, findCharge, serializeCharge } from './charges.ts'
import { recordEvent } from './events.ts'
import { type FormTree, integerField, metadata, positive, readFields, text } from './forms.ts'
import { lockIntent } from './intents.ts'
import {
  type BankCall,
  type BankResponse,
  invalidRequestError,
  newId,
  notFoundError,
  ok,
  seconds,
} from './responses.ts'

type BankRefund = typeof bankRefunds.$inferSelect

const refundParams = z.strictObject({
  payment_intent: text,
  amount: positive.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
})

/** Without an amount, refunds the remainder. */
export async function createRefund(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const fields = readFields(refundParams, form)
  const charge = await lockCharge(call, fields.payment_intent)
  const remaining = charge.amount - charge.amountRefunded
  const { amount = remaining } = fields
  if (remaining === 0) {
    throw invalidRequestError(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  }
  if (amount > remaining) {
    const maxName = remaining === charge.amount ? 'charge amount' : 'unrefunded amount on charge'
    const message = `Refund amount (${formatDollars(amount)}) is greater than ${maxName} (${formatDollars(remaining)})`
    throw invalidRequestError(message, { param: 'amount' })
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
      metadata: fields.metadata,
      created: seconds(),
    })
    .returning()
  await recordEvent(call, 'refund.created', serializeRefund(refund!))
  await recordEvent(call, 'charge.refunded', serializeCharge(updated!), previous)
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

export async function readRefund(call: BankCall, id: string): Promise<BankResponse> {
  return ok(serializeRefund(await findRefund(call, id)))
}

async function findRefund(call: BankCall, id: string, param?: string): Promise<BankRefund> {
  const [refund] = await call.tx.select().from(bankRefunds).where(eq(bankRefunds.id, id))
  if (!refund) throw notFoundError('refund', id, param)
  return refund
}

const listParams = z.strictObject({
  payment_intent: text.optional(),
  limit: integerField
    .refine((limit) => limit >= 1 && limit <= 100, {
      message: 'This value must be between 1 and 100.',
      params: { code: 'parameter_invalid_integer' },
    })
    .default(10),
  starting_after: text.optional(),
})

export async function listRefunds(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const { payment_intent: intent, limit, starting_after: after } = readFields(listParams, form)
  const { number } = after ? await findRefund(call, after, 'starting_after') : { number: undefined }
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
  const data = rows.slice(0, limit).map(serializeRefund)
  return ok({ object: 'list', data, has_more: rows.length > limit, url: '/v1/refunds' })
}

export function serializeRefund(refund: BankRefund) {
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
