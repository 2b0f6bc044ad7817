import { desc, eq, lt, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import { type Charge, changeCharge, findCharge, serializeCharge } from './charges.ts'
import { eventRows, recordEvent } from './events.ts'
import { amount, email, type FormTree, flag, metadata, readFields, text, toListSchema } from './forms.ts'
import { type IdempotentCall, requestJson } from './idempotency.ts'
import { pageParams, toList } from './lists.ts'
import type { RequestCall } from './requests.ts'
import {
  BankApiError,
  type BankCall,
  type BankQueries,
  type BankResponse,
  invalidRequestError,
  newId,
  notFoundError,
  ok,
  seconds,
} from './responses.ts'
import { type Intent, serializeIntent } from './serialize-intent.ts'
import { serializeRefund } from './serialize-refund.ts'
import {
  type AnyDatabase,
  bankRefunds,
  charges,
  executeRows,
  paymentIntents,
  prepareOnce,
  toRowJson,
  toWellFormedJson,
} from './shop.ts'

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

function isCurrency(code: string) {
  return currencies.has(code)
}

const createParams = z.strictObject({
  amount,
  currency: z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.string().refine(isCurrency),
  ),
  allowed_payment_method_types: toListSchema(z.enum(['card'])).optional(),
  payment_method_types: toListSchema(z.enum(['card'])).optional(),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']).default('automatic_async'),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  description: text.optional(),
  receipt_email: email.optional(),
  metadata: metadata.default({}),
})

const cancelParams = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
})

const isWanted = eq(paymentIntents.id, sql.placeholder('id'))

const selectWithCharge = prepareOnce((tx: BankQueries) =>
  tx
    .select({
      intent: paymentIntents,
      charge: charges,
      hasRefunds: sql<boolean>`exists (select from ${bankRefunds} where ${bankRefunds.charge} = ${charges.id})`,
    })
    .from(paymentIntents)
    .leftJoin(charges, eq(charges.id, paymentIntents.latestCharge))
    .where(isWanted),
)

/** With its latest charge. */
async function findWithCharge(call: BankCall, id: string, param = 'intent') {
  const [found] = await selectWithCharge(call.tx, { id })
  if (!found || !isAuthorized(call, found.intent)) throw notFoundError('payment_intent', id, param)
  return found
}

const selectToChange = prepareOnce((tx: BankQueries) =>
  tx.select().from(paymentIntents).where(isWanted).for('update'),
)

const selectAlone = prepareOnce((tx: BankQueries) => tx.select().from(paymentIntents).where(isWanted))

export function lockIntent(call: BankCall, id: string, param?: string): Promise<Intent> {
  call.isLocked = true
  return readAuthorized(selectToChange, call, id, param)
}

/** Not locked. */
export function findIntent(call: BankCall, id: string): Promise<Intent> {
  return readAuthorized(selectAlone, call, id)
}

async function readAuthorized(select: typeof selectAlone, call: BankCall, id: string, param = 'intent') {
  const [intent] = await select(call.tx, { id })
  if (!intent || !isAuthorized(call, intent)) throw notFoundError('payment_intent', id, param)
  return intent
}

function isAuthorized({ hasSecretKey, clientSecret }: BankCall, intent: Intent) {
  return hasSecretKey || clientSecret === intent.clientSecret
}

/** In one statement. `isFirst` is false for a repeated request, whose response is stored. */
export async function createIntent(
  db: AnyDatabase,
  call: RequestCall,
  { form, request }: { form: FormTree; request: IdempotentCall | null },
): Promise<{ response: BankResponse; isFirst: boolean }> {
  const intent = newIntent(form)
  const serialized = serializeIntent(intent)
  const response = ok(serialized)
  const [created] = eventRows(call, [['payment_intent.created', serialized]])
  const [row] = await executeRows<{ isFirst: boolean }>(
    db,
    sql`select bank.create_intent(${request && toWellFormedJson(requestJson(request, response))}::jsonb,
      ${toRowJson(intent)}::jsonb, ${toRowJson(created!)}::jsonb) as "isFirst"`,
  )
  return { response, isFirst: row!.isFirst }
}

function newIntent(form: FormTree): Intent {
  const fields = readFields(createParams, form)
  if (fields.automatic_payment_methods) {
    for (const name of ['payment_method_types', 'allowed_payment_method_types'] as const) {
      if (!fields[name]) continue
      const message = `You may only specify one of these parameters: automatic_payment_methods, ${name}.`
      throw invalidRequestError(message)
    }
  }
  const id = newId('pi')
  return {
    ...unconfirmed,
    id,
    clientSecret: newId(`${id}_secret`),
    amount: fields.amount,
    currency: fields.currency,
    captureMethod: fields.capture_method,
    description: fields.description ?? null,
    metadata: fields.metadata,
    receiptEmail: fields.receipt_email ?? null,
    automaticPaymentMethods: fields.automatic_payment_methods
      ? { allow_redirects: 'always', ...fields.automatic_payment_methods }
      : null,
    created: seconds(),
  }
}

const unconfirmed = {
  status: 'requires_payment_method',
  amountReceived: null,
  canceledAt: null,
  cancellationReason: null,
  lastPaymentError: null,
  latestCharge: null,
  paymentMethod: null,
  card: null,
  billingDetails: null,
} as const

const readParams = z.strictObject({ client_secret: text.optional(), expand: toListSchema(text).default([]) })

const expandable = ['latest_charge', 'latest_charge.refunds']

/** Only `latest_charge` and its refunds can be expanded, and only with the secret key. */
export async function readIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const { expand } = readFields(readParams, form)
  const { intent, charge, hasRefunds } = await findWithCharge(call, id)
  const refused = expand.find((name) => !expandable.includes(name) || !call.hasSecretKey)
  if (refused !== undefined) throw invalidRequestError(`This property cannot be expanded (${refused}).`)
  if (expand.length === 0 || !charge) return ok(serializeIntent(intent))
  const refunds = expand.includes('latest_charge.refunds') && {
    refunds: await listRefunds(call, charge, hasRefunds),
  }
  const expanded: Stripe.PaymentIntent = {
    ...serializeIntent(intent),
    latest_charge: { ...serializeCharge(charge), ...refunds },
  }
  return ok(expanded)
}

/** The latest ten. */
async function listRefunds(call: BankCall, { id }: Charge, hasRefunds: boolean) {
  const limit = 10
  const rows = hasRefunds
    ? await call.tx
        .select()
        .from(bankRefunds)
        .where(eq(bankRefunds.charge, id))
        .orderBy(desc(bankRefunds.number))
        .limit(limit + 1)
    : []
  return toList(`/v1/charges/${id}/refunds`, rows, { limit, serialize: serializeRefund })
}

const listParams = z.strictObject(pageParams)

export async function listIntents(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const { limit, starting_after: after } = readFields(listParams, form)
  const number = after ? (await findWithCharge(call, after, 'starting_after')).intent.number : undefined
  const rows = await call.tx
    .select()
    .from(paymentIntents)
    .where(number === undefined ? undefined : lt(paymentIntents.number, number))
    .orderBy(desc(paymentIntents.number))
    .limit(limit + 1)
  return ok(toList('/v1/payment_intents', rows, { limit, serialize: serializeIntent }))
}

export async function cancelIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const { cancellation_reason: cancellationReason = null } = readFields(cancelParams, form)
  const intent = await lockIntent(call, id)
  if (!cancelable.includes(intent.status)) throw unexpectedStateError(intent, 'cancel')
  if (intent.status === 'requires_capture') await releaseCharge(call, intent)
  const canceled = await changeIntent(call, intent, {
    status: 'canceled',
    canceledAt: seconds(),
    cancellationReason,
  })
  await recordEvent(call, 'payment_intent.canceled', serializeIntent(canceled))
  return ok(serializeIntent(canceled))
}

const cancelable: Intent['status'][] = ['requires_payment_method', 'requires_action', 'requires_capture']

async function releaseCharge(call: BankCall, intent: Intent) {
  const charge = await findCharge(call, intent.latestCharge!)
  const released = await changeCharge(call, charge, { amountRefunded: charge.amount })
  await recordEvent(call, 'charge.refunded', serializeCharge(released), {
    amount_refunded: 0,
    refunded: false,
  })
}

export async function changeIntent(call: BankCall, { id }: Intent, values: Partial<Intent>): Promise<Intent> {
  const [intent] = await call.tx
    .update(paymentIntents)
    .set(values)
    .where(eq(paymentIntents.id, id))
    .returning()
  return intent!
}

export function unexpectedStateError(intent: Intent, verb: string) {
  const message =
    verb === 'authenticate' && intent.status === 'canceled'
      ? 'This payment was cancelled. Nothing was charged.'
      : `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`
  return new BankApiError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: serializeIntent(intent),
  })
}
