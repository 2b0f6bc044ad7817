import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { type BankError, charges } from '#db/embedded.ts'
import { type AcceptedCard, namedCard, validateCard } from './cards.ts'
import { notAuthenticated, showCharge } from './charges.ts'
import { recordEvent } from './events.ts'
import { email, type FormTree, flag, maxText, readFields, text, unset } from './forms.ts'
import { changeIntent, type Intent, lockIntent, showIntent, unexpectedState } from './intents.ts'
import { type PaymentMethod, showPaymentMethod } from './payment-methods.ts'
import {
  BankApiError,
  type BankCall,
  type BankResponse,
  fail,
  newId,
  notFound,
  ok,
  seconds,
} from './responses.ts'

/** Failed attempts per payment intent, against card testing. */
const maxFailures = 30

const confirmParams = z.strictObject({
  client_secret: text.optional(),
  payment_method: text.optional(),
  payment_method_data: z
    .strictObject({
      type: z.enum(['card']).optional(),
      card: z
        .strictObject({
          number: maxText(50).optional(),
          exp_month: maxText(50).optional(),
          exp_year: maxText(50).optional(),
          cvc: maxText(50).optional(),
        })
        .optional(),
      billing_details: z
        .strictObject({ name: maxText(256).optional(), email: maxText(512).optional() })
        .optional(),
    })
    .optional(),
  receipt_email: z.union([unset, email]).optional(),
  return_url: text.optional(),
  use_stripe_sdk: flag.optional(),
})

const authenticateParams = z.strictObject({
  client_secret: text.optional(),
  outcome: z.enum(['complete', 'fail']),
})

export async function confirmIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const intent = await lockIntent(call, id)
  const fields = readFields(confirmParams, form)
  // A pending 3-D Secure challenge may be replaced by another card.
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action') {
    throw unexpectedState(intent, 'confirm')
  }
  const { card, declineError, requiresAction } = acceptCard(intent, fields)
  await checkFailures(call, intent)
  if (intent.status === 'requires_action') await recordUnauthenticated(call, intent)
  const { name, email } = fields.payment_method_data?.billing_details ?? {}
  const billingDetails = { name: name || null, email: email || null }
  const attempt = { paymentMethod: newId('pm'), card, billingDetails }
  const receiptEmail = fields.receipt_email || intent.receiptEmail
  const updated = { ...intent, receiptEmail }
  if (declineError) return decline(call, updated, attempt, declineError)
  if (requiresAction) return challenge(call, updated, attempt)
  return ok(showIntent(await charge(call, updated, attempt)))
}

/** The cardholder’s answer to 3-D Secure; not part of Stripe’s public API. */
export async function authenticateIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const intent = await lockIntent(call, id)
  const { outcome } = readFields(authenticateParams, form)
  const { paymentMethod, card, billingDetails } = intent
  if (intent.status !== 'requires_action' || !paymentMethod || !card || !billingDetails) {
    throw unexpectedState(intent, 'authenticate')
  }
  const attempt = { paymentMethod, card, billingDetails }
  if (outcome === 'complete') return ok(showIntent(await charge(call, intent, attempt, true)))
  await recordUnauthenticated(call, intent)
  const failed = await requireNewPaymentMethod(call, intent, {
    ...notAuthenticated,
    payment_method: showPaymentMethod(attempt),
  })
  await recordEvent(call, 'payment_intent.payment_failed', showIntent(failed))
  return ok(showIntent(failed))
}

/** Throws for invalid cards, which rolls back: nothing of the card is stored and the key stays free. */
function acceptCard(intent: Intent, fields: z.output<typeof confirmParams>): AcceptedCard {
  const { payment_method: name, payment_method_data: data } = fields
  if (name) {
    const accepted = namedCard(name)
    if (!accepted) throw notFound('PaymentMethod', name, 'payment_method')
    return accepted
  }
  if (!data?.card) {
    const code = 'payment_intent_unexpected_state'
    const message = `You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.`
    throw new BankApiError(400, {
      ...{ type: 'invalid_request_error', code, message },
      payment_intent: showIntent(intent),
    })
  }
  const { number = '', exp_month: expMonth = '', exp_year: expYear = '', cvc = '' } = data.card
  const outcome = validateCard({ number, expMonth, expYear, cvc })
  if (!('error' in outcome)) return outcome
  throw new BankApiError(402, { ...outcome.error, payment_intent: showIntent(intent) })
}

async function checkFailures({ tx }: BankCall, intent: Intent) {
  const failed = and(eq(charges.paymentIntent, intent.id), eq(charges.status, 'failed'))
  if ((await tx.$count(charges, failed)) < maxFailures) return
  throw new BankApiError(402, {
    type: 'card_error',
    code: 'card_decline_rate_limit_exceeded',
    message:
      'Too many cards were declined for this payment. Nothing was charged. Please cancel the order and place it again.',
    payment_intent: showIntent(intent),
  })
}

/** Counts a failed or abandoned 3-D Secure challenge. */
function recordUnauthenticated(call: BankCall, intent: Intent) {
  return addCharge(call, intent, { status: 'failed', failure: notAuthenticated })
}

async function challenge(call: BankCall, intent: Intent, attempt: PaymentMethod): Promise<BankResponse> {
  const pending = await changeIntent(call, intent, {
    ...attempt,
    status: 'requires_action',
    receiptEmail: intent.receiptEmail,
    lastPaymentError: null,
  })
  await recordEvent(call, 'payment_intent.requires_action', showIntent(pending))
  return ok(showIntent(pending))
}

async function charge(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
  authenticated = false,
): Promise<Intent> {
  const charge = await addCharge(call, intent, { ...attempt, authenticated, status: 'succeeded' })
  const paid = await changeIntent(call, intent, {
    ...attempt,
    status: 'succeeded',
    receiptEmail: intent.receiptEmail,
    lastPaymentError: null,
    latestCharge: charge.id,
  })
  await recordEvent(call, 'charge.succeeded', showCharge(charge))
  await recordEvent(call, 'payment_intent.succeeded', showIntent(paid))
  return paid
}

async function decline(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
  failure: BankError,
): Promise<BankResponse> {
  const charge = await addCharge(call, intent, { ...attempt, failure, status: 'failed' })
  const error = { ...failure, charge: charge.id, payment_method: showPaymentMethod(attempt) }
  const reopened = await requireNewPaymentMethod(call, { ...intent, latestCharge: charge.id }, error)
  await recordEvent(call, 'charge.failed', showCharge(charge))
  await recordEvent(call, 'payment_intent.payment_failed', showIntent(reopened))
  return fail(402, { ...error, payment_intent: showIntent(reopened) })
}

async function addCharge(
  call: BankCall,
  { id, amount, currency }: Intent,
  values: Pick<typeof charges.$inferInsert, 'status' | 'authenticated' | 'failure'> & Partial<PaymentMethod>,
) {
  const row = { id: newId('ch'), paymentIntent: id, amount, currency, created: seconds(), ...values }
  const [charge] = await call.tx.insert(charges).values(row).returning()
  return charge!
}

function requireNewPaymentMethod(
  call: BankCall,
  intent: Intent,
  lastPaymentError: Intent['lastPaymentError'],
) {
  const { receiptEmail, latestCharge } = intent
  const cleared = { paymentMethod: null, card: null, billingDetails: null }
  return changeIntent(call, intent, {
    status: 'requires_payment_method',
    lastPaymentError,
    receiptEmail,
    latestCharge,
    ...cleared,
  })
}
