import { type BankError, charges } from '#db/embedded.ts'
import { notAuthenticated, serializeCharge } from './charges.ts'
import { recordEvent } from './events.ts'
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
  const charge = await addCharge(call, intent, { ...attempt, authenticated, status: 'succeeded' })
  const paid = await changeIntent(call, intent, {
    ...attempt,
    status: 'succeeded',
    receiptEmail: intent.receiptEmail,
    lastPaymentError: null,
    latestCharge: charge.id,
  })
  await recordEvent(call, 'charge.succeeded', serializeCharge(charge))
  await recordEvent(call, 'payment_intent.succeeded', serializeIntent(paid))
  return paid
}

export async function decline(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
  failure: BankError,
): Promise<BankResponse> {
  const charge = await addCharge(call, intent, { ...attempt, failure, status: 'failed' })
  const error = { ...failure, charge: charge.id, payment_method: serializePaymentMethod(attempt) }
  const reopened = await requireNewPaymentMethod(call, { ...intent, latestCharge: charge.id }, error)
  await recordEvent(call, 'charge.failed', serializeCharge(charge))
  await recordEvent(call, 'payment_intent.payment_failed', serializeIntent(reopened))
  return fail(402, { ...error, payment_intent: serializeIntent(reopened) })
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
