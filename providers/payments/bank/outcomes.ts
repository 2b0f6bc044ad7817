import { type BankError, charges } from '#db/embedded.ts'
import { testCardOf } from './cards.ts'
import { type Charge, changeCharge, notAuthenticated, serializeCharge } from './charges.ts'
import { createDispute } from './disputes.ts'
import { recordEvent, recordEvents } from './events.ts'
import { changeIntent } from './intents.ts'
import { type PaymentMethod, serializePaymentMethod } from './payment-methods.ts'
import { type BankCall, type BankResponse, fail, newId, ok, seconds } from './responses.ts'
import { type Intent, serializeIntent } from './serialize-intent.ts'

export function recordUnauthenticated(call: BankCall, intent: Intent) {
  return addCharge(call, intent, { status: 'failed', failure: notAuthenticated })
}

export async function challenge(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
): Promise<BankResponse> {
  const pending = await changeIntent(call, intent, {
    ...attempt,
    status: 'requires_action',
    receiptEmail: intent.receiptEmail,
    lastPaymentError: null,
  })
  await recordEvent(call, 'payment_intent.requires_action', serializeIntent(pending))
  return ok(serializeIntent(pending))
}

export async function charge(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
  authenticated = false,
): Promise<Intent> {
  const { isProcessing } = testCardOf(attempt.card)
  const settled = intent.captureMethod === 'manual' ? authorized : captured(intent.amount)
  const outcome = isProcessing ? processing : settled
  const charge = await addCharge(call, intent, { ...attempt, authenticated, ...outcome.charge })
  const charged = await changeIntent(call, intent, {
    ...attempt,
    ...outcome.intent,
    receiptEmail: intent.receiptEmail,
    lastPaymentError: null,
    latestCharge: charge.id,
  })
  await recordCharge(call, charged, charge)
  return charged
}

export async function completeCharge(call: BankCall, intent: Intent, pending: Charge): Promise<Intent> {
  const outcome = intent.captureMethod === 'manual' ? authorized : captured(pending.amount)
  const charge = await changeCharge(call, pending, outcome.charge)
  const charged = await changeIntent(call, intent, outcome.intent)
  await recordCharge(call, charged, charge)
  return charged
}

export async function captureCharge(
  call: BankCall,
  intent: Intent,
  { charge: uncaptured, amount }: { charge: Charge; amount: number },
): Promise<Intent> {
  const outcome = captured(amount)
  const charge = await changeCharge(call, uncaptured, outcome.charge)
  const amountReceived = amount < intent.amount ? amount : null
  const paid = await changeIntent(call, intent, { ...outcome.intent, amountReceived })
  await recordCharge(call, paid, charge, 'charge.captured')
  return paid
}

const processing = { charge: { status: 'pending' }, intent: { status: 'processing' } } as const
const authorized = { charge: { status: 'succeeded' }, intent: { status: 'requires_capture' } } as const

function captured(amount: number) {
  return {
    charge: { status: 'succeeded', captured: true, amountCaptured: amount },
    intent: { status: 'succeeded' },
  } as const
}

const intentEvents: Partial<Record<Intent['status'], string>> = {
  processing: 'payment_intent.processing',
  requires_capture: 'payment_intent.amount_capturable_updated',
  succeeded: 'payment_intent.succeeded',
}

async function recordCharge(
  call: BankCall,
  intent: Intent,
  charge: Charge,
  type = `charge.${charge.status}`,
) {
  await recordEvents(call, [
    [type, serializeCharge(charge)],
    [intentEvents[intent.status]!, serializeIntent(intent)],
  ])
  const { dispute } = testCardOf(charge.card!)
  if (dispute && intent.status === 'succeeded') {
    await createDispute(call, charge, { amount: charge.amountCaptured, inquiry: dispute === 'inquiry' })
  }
}

export async function decline(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
  { failure, authenticated = false }: { failure: BankError; authenticated?: boolean },
): Promise<BankResponse> {
  const charge = await addCharge(call, intent, { ...attempt, failure, authenticated, status: 'failed' })
  const error = { ...failure, charge: charge.id, payment_method: serializePaymentMethod(attempt) }
  const reopened = await requireNewPaymentMethod(call, { ...intent, latestCharge: charge.id }, error)
  await recordEvents(call, [
    ['charge.failed', serializeCharge(charge)],
    ['payment_intent.payment_failed', serializeIntent(reopened)],
  ])
  return fail(402, { ...error, payment_intent: serializeIntent(reopened) })
}

async function addCharge(
  call: BankCall,
  { id, amount, currency }: Intent,
  values: Omit<typeof charges.$inferInsert, 'id' | 'paymentIntent' | 'amount' | 'currency' | 'created'>,
) {
  const row = { id: newId('ch'), paymentIntent: id, amount, currency, created: seconds(), ...values }
  const [charge] = await call.tx.insert(charges).values(row).returning()
  return charge!
}

export function requireNewPaymentMethod(
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
