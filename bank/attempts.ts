import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { type AcceptedCard, findTestCard, namedCard, validateCard } from './cards.ts'
import { notAuthenticated } from './charges.ts'
import { recordEvent } from './events.ts'
import { email, type FormTree, flag, maxText, readFields, text, unset } from './forms.ts'
import { changeIntent, findIntent, lockIntent, unexpectedStateError } from './intents.ts'
import {
  challenge,
  charge,
  decline,
  NeedsLockError,
  recordUnauthenticated,
  withoutPaymentMethod,
} from './outcomes.ts'
import { serializePaymentMethod } from './payment-methods.ts'
import { BankApiError, type BankCall, type BankResponse, newId, notFoundError, ok } from './responses.ts'
import { type Intent, serializeIntent } from './serialize-intent.ts'
import { charges } from './shop.ts'

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
  return confirm(call, await lockIntent(call, id), form)
}

/** Without a transaction; null for what one statement cannot record, and when the payment intent has changed meanwhile. */
export async function confirmAtOnce(
  call: BankCall,
  id: string,
  form: FormTree,
): Promise<BankResponse | null> {
  const intent = await findIntent(call, id)
  if (intent.status !== 'requires_payment_method') return null
  try {
    return await confirm(call, intent, form)
  } catch (error) {
    if (error instanceof NeedsLockError) return null
    throw error
  }
}

async function confirm(call: BankCall, intent: Intent, form: FormTree): Promise<BankResponse> {
  const fields = readFields(confirmParams, form)
  // A pending 3-D Secure challenge may be replaced by another card.
  if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action') {
    throw unexpectedStateError(intent, 'confirm')
  }
  const { card, declineError, requiresAction } = acceptCard(intent, fields)
  await checkFailures(call, intent)
  if (intent.status === 'requires_action') await recordUnauthenticated(call, intent)
  const { name, email } = fields.payment_method_data?.billing_details ?? {}
  const billingDetails = { name: name || null, email: email || null }
  const attempt = { paymentMethod: newId('pm'), card, billingDetails }
  const receiptEmail = fields.receipt_email || intent.receiptEmail
  const updated = { ...intent, receiptEmail }
  if (requiresAction) return challenge(call, updated, attempt)
  if (declineError) return decline(call, updated, attempt, { failure: declineError })
  return ok(serializeIntent(await charge(call, updated, attempt)))
}

/** The cardholder’s answer to 3-D Secure; not part of Stripe’s public API. */
export async function authenticateIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const intent = await lockIntent(call, id)
  const { outcome } = readFields(authenticateParams, form)
  const { paymentMethod, card, billingDetails } = intent
  if (intent.status !== 'requires_action' || !paymentMethod || !card || !billingDetails) {
    throw unexpectedStateError(intent, 'authenticate')
  }
  const attempt = { paymentMethod, card, billingDetails }
  if (outcome === 'complete') {
    const { declineError: failure } = findTestCard(card)
    if (failure) return decline(call, intent, attempt, { failure, authenticated: true })
    return ok(serializeIntent(await charge(call, intent, attempt, true)))
  }
  await recordUnauthenticated(call, intent)
  const error = { ...notAuthenticated, payment_method: serializePaymentMethod(attempt) }
  const failed = await changeIntent(call, intent, withoutPaymentMethod(error))
  await recordEvent(call, 'payment_intent.payment_failed', serializeIntent(failed))
  return ok(serializeIntent(failed))
}

/** Throws for invalid cards, which rolls back: nothing of the card is stored and the idempotency key can be reused. */
function acceptCard(intent: Intent, fields: z.output<typeof confirmParams>): AcceptedCard {
  const { payment_method: name, payment_method_data: data } = fields
  if (name) {
    const accepted = namedCard(name)
    if (!accepted) throw notFoundError('PaymentMethod', name, 'payment_method')
    return accepted
  }
  if (!data?.card) {
    const code = 'payment_intent_unexpected_state'
    const message = `You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.`
    throw new BankApiError(400, {
      type: 'invalid_request_error',
      code,
      message,
      payment_intent: serializeIntent(intent),
    })
  }
  const { number = '', exp_month: expMonth = '', exp_year: expYear = '', cvc = '' } = data.card
  const outcome = validateCard({ number, expMonth, expYear, cvc })
  if (!('error' in outcome)) return outcome
  throw new BankApiError(402, { ...outcome.error, payment_intent: serializeIntent(intent) })
}

async function checkFailures({ tx }: BankCall, intent: Intent) {
  const isFirst = intent.status === 'requires_payment_method' && !intent.lastPaymentError
  if (isFirst) return
  const failed = and(eq(charges.paymentIntent, intent.id), eq(charges.status, 'failed'))
  if ((await tx.$count(charges, failed)) < maxFailures) return
  throw new BankApiError(402, {
    type: 'card_error',
    code: 'card_decline_rate_limit_exceeded',
    message:
      'Too many cards were declined for this payment. You weren’t charged. Cancel the order and place it again.',
    payment_intent: serializeIntent(intent),
  })
}
