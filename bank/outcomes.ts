import { sql } from 'drizzle-orm'
import { findTestCard } from './cards.ts'
import { type Charge, changeCharge, notAuthenticated, serializeCharge } from './charges.ts'
import { createDispute } from './disputes.ts'
import { type EventType, eventRows, type NewEvent, recordEvents } from './events.ts'
import { changeIntent } from './intents.ts'
import { type PaymentMethod, serializePaymentMethod } from './payment-methods.ts'
import { type BankCall, type BankResponse, fail, newId, ok, seconds } from './responses.ts'
import { type Intent, serializeIntent } from './serialize-intent.ts'
import { type BankError, charges, executeRows, toRowJson } from './shop.ts'

export async function recordUnauthenticated({ tx }: BankCall, intent: Intent) {
  await tx.insert(charges).values(newCharge(intent, { status: 'failed', failure: notAuthenticated }))
}

export async function challenge(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
): Promise<BankResponse> {
  const status = 'requires_action' as const
  const changed = { ...intent, ...attempt, status, lastPaymentError: null }
  const body = serializeIntent(changed)
  await recordAttempt(call, intent, {
    charge: null,
    changed,
    events: [['payment_intent.requires_action', body]],
  })
  return ok(body)
}

export async function charge(
  call: BankCall,
  intent: Intent,
  attempt: PaymentMethod,
  authenticated = false,
): Promise<Intent> {
  const { isProcessing, dispute } = findTestCard(attempt.card)
  if (dispute && !call.isLocked) throw new NeedsLockError()
  const settled = intent.captureMethod === 'manual' ? authorized : captured(intent.amount)
  const outcome = isProcessing ? processing : settled
  const charge = newCharge(intent, { ...attempt, authenticated, ...outcome.charge })
  const charged = {
    ...intent,
    ...attempt,
    ...outcome.intent,
    lastPaymentError: null,
    latestCharge: charge.id,
  }
  await recordAttempt(call, intent, { charge, changed: charged, events: listEvents(charged, charge) })
  await openDispute(call, charged, charge)
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

const intentEvents: Partial<Record<Intent['status'], EventType>> = {
  processing: 'payment_intent.processing',
  requires_capture: 'payment_intent.amount_capturable_updated',
  succeeded: 'payment_intent.succeeded',
}

async function recordCharge(call: BankCall, intent: Intent, charge: Charge, type?: EventType) {
  await recordEvents(call, listEvents(intent, charge, type))
  await openDispute(call, intent, charge)
}

function listEvents(intent: Intent, charge: Charge, type: EventType = `charge.${charge.status}`): NewEvent[] {
  return [
    [type, serializeCharge(charge)],
    [intentEvents[intent.status]!, serializeIntent(intent)],
  ]
}

/** As the test card wants, in the transaction of the charge. */
async function openDispute(call: BankCall, intent: Intent, charge: Charge) {
  const { dispute } = findTestCard(charge.card!)
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
  const charge = newCharge(intent, { ...attempt, failure, authenticated, status: 'failed' })
  const error = { ...failure, charge: charge.id, payment_method: serializePaymentMethod(attempt) }
  const reopened = { ...intent, ...withoutPaymentMethod(error), latestCharge: charge.id }
  const events: NewEvent[] = [
    ['charge.failed', serializeCharge(charge)],
    ['payment_intent.payment_failed', serializeIntent(reopened)],
  ]
  await recordAttempt(call, intent, { charge, changed: reopened, events })
  return fail(402, { ...error, payment_intent: serializeIntent(reopened) })
}

function newCharge(
  { id, amount, currency }: Intent,
  values: Pick<Charge, 'status'> & Partial<Charge>,
): Charge {
  return {
    id: newId('ch'),
    paymentIntent: id,
    amount,
    currency,
    created: seconds(),
    captured: false,
    amountCaptured: 0,
    amountRefunded: 0,
    disputed: false,
    authenticated: false,
    card: null,
    billingDetails: null,
    paymentMethod: null,
    failure: null,
    ...values,
  }
}

interface Attempted {
  /** Null when the cardholder is asked first. */
  charge: Charge | null
  /** What the payment intent becomes. */
  changed: Intent
  events: NewEvent[]
}

/** The payment intent is no longer as it was read, or takes several statements. */
export class NeedsLockError extends Error {}

/** In one statement. Throws NeedsLockError unless the payment intent is locked. */
async function recordAttempt(call: BankCall, seen: Intent, { charge, changed, events }: Attempted) {
  const rows = eventRows(call, events).map(toRowJson)
  const [row] = await executeRows<{ recorded: boolean }>(
    call.tx,
    sql`select bank.record_attempt(${toRowJson(seen)}::jsonb, ${toRowJson(changed)}::jsonb, ${charge && toRowJson(charge)}::jsonb,
      ${`[${rows.join()}]`}::jsonb) as recorded`,
  )
  if (!row!.recorded) throw new NeedsLockError()
}

/** What changes when a payment intent can be confirmed again. */
export function withoutPaymentMethod(lastPaymentError: Intent['lastPaymentError']) {
  return {
    status: 'requires_payment_method',
    lastPaymentError,
    paymentMethod: null,
    card: null,
    billingDetails: null,
  } as const
}
