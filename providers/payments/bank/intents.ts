import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { paymentIntents } from '#db/embedded.ts'
import { recordEvent } from './events.ts'
import {
  amount,
  email,
  type FormTree,
  flag,
  listOf,
  mergeMetadata,
  metadata,
  readFields,
  text,
  unset,
} from './forms.ts'
import { list, page } from './lists.ts'
import {
  BankApiError,
  type BankCall,
  type BankResponse,
  newId,
  notFound,
  ok,
  seconds,
  withDocUrl,
} from './responses.ts'

export type Intent = typeof paymentIntents.$inferSelect

const currencies = [
  'usd',
  'eur',
  'gbp',
  'cad',
  'aud',
  'nzd',
  'chf',
  'sek',
  'nok',
  'dkk',
  'pln',
  'czk',
] as const
const cardOnly = listOf(z.enum(['card']))

const createParams = z.strictObject({
  amount,
  currency: z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(currencies),
  ),
  allowed_payment_method_types: cardOnly.optional(),
  payment_method_types: cardOnly.optional(),
  automatic_payment_methods: z
    .strictObject({ enabled: flag, allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
  confirmation_method: z.enum(['automatic']).optional(),
  description: text.optional(),
  receipt_email: email.optional(),
  metadata: z.union([unset, metadata]).optional(),
})

const updateParams = z.strictObject({
  amount: amount.optional(),
  description: z.union([unset, text]).optional(),
  receipt_email: z.union([unset, email]).optional(),
  metadata: z.union([unset, metadata]).optional(),
})

const cancelParams = z.strictObject({
  cancellation_reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned']).optional(),
})

export async function findIntent(call: BankCall, id: string, param = 'intent'): Promise<Intent> {
  const [intent] = await call.tx.select().from(paymentIntents).where(eq(paymentIntents.id, id))
  if (!intent || !isAuthorized(call, intent)) throw notFound('payment_intent', id, param)
  return intent
}

/** Locks the payment intent until the transaction ends. */
export async function lockIntent(call: BankCall, id: string, param = 'intent'): Promise<Intent> {
  const rows = call.tx.select().from(paymentIntents).where(eq(paymentIntents.id, id)).for('update')
  const [intent] = await rows
  if (!intent || !isAuthorized(call, intent)) throw notFound('payment_intent', id, param)
  return intent
}

function isAuthorized({ isShop, clientSecret }: BankCall, intent: Intent) {
  return isShop || clientSecret === intent.clientSecret
}

export async function createIntent(call: BankCall, form: FormTree): Promise<BankResponse> {
  const fields = readFields(createParams, form)
  const id = newId('pi')
  const [intent] = await call.tx
    .insert(paymentIntents)
    .values({
      id,
      clientSecret: newId(`${id}_secret`),
      amount: fields.amount,
      currency: fields.currency,
      status: 'requires_payment_method',
      description: fields.description,
      metadata: mergeMetadata({}, fields.metadata ?? ''),
      receiptEmail: fields.receipt_email,
      automaticPaymentMethods: fields.automatic_payment_methods && {
        allow_redirects: 'always',
        ...fields.automatic_payment_methods,
      },
      created: seconds(),
    })
    .returning()
  await recordEvent(call, 'payment_intent.created', showIntent(intent!))
  return ok(showIntent(intent!))
}

export async function readIntent(call: BankCall, id: string): Promise<BankResponse> {
  return ok(showIntent(await findIntent(call, id)))
}

export async function listIntents(call: BankCall, form: FormTree): Promise<BankResponse> {
  const options = { url: '/v1/payment_intents', object: 'payment_intent', table: paymentIntents, where: [] }
  return list(call, { ...options, page: readFields(page, form), show: showIntent })
}

export async function updateIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const fields = readFields(updateParams, form)
  const intent = await lockIntent(call, id)
  const isSettled = intent.status !== 'requires_payment_method'
  if (isSettled && (fields.amount !== undefined || fields.receipt_email !== undefined)) {
    throw unexpectedState(intent, 'update')
  }
  const { receipt_email: receiptEmail = intent.receiptEmail, description = intent.description } = fields
  const changed = await changeIntent(call, intent, {
    amount: fields.amount ?? intent.amount,
    receiptEmail: receiptEmail || null,
    description: description || null,
    metadata:
      fields.metadata === undefined ? intent.metadata : mergeMetadata(intent.metadata, fields.metadata),
  })
  return ok(showIntent(changed))
}

export async function cancelIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const { cancellation_reason: cancellationReason = null } = readFields(cancelParams, form)
  const intent = await lockIntent(call, id)
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedState(intent, 'cancel')
  const canceled = await changeIntent(call, intent, {
    status: 'canceled',
    canceledAt: seconds(),
    cancellationReason,
  })
  await recordEvent(call, 'payment_intent.canceled', showIntent(canceled))
  return ok(showIntent(canceled))
}

export async function changeIntent(call: BankCall, { id }: Intent, values: Partial<Intent>): Promise<Intent> {
  const [intent] = await call.tx
    .update(paymentIntents)
    .set(values)
    .where(eq(paymentIntents.id, id))
    .returning()
  return intent!
}

export function unexpectedState(intent: Intent, verb: string) {
  const message =
    verb === 'authenticate' && intent.status === 'canceled'
      ? 'This payment was cancelled. Nothing was charged.'
      : `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`
  return new BankApiError(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message,
    payment_intent: showIntent(intent),
  })
}

export function showIntent(intent: Intent) {
  const isPending = intent.status === 'requires_action'
  const challenge = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_challenge' },
  }
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: intent.amount,
    amount_capturable: 0,
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: intent.automaticPaymentMethods,
    canceled_at: intent.canceledAt,
    cancellation_reason: intent.cancellationReason,
    capture_method: 'automatic',
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: null,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.lastPaymentError && withDocUrl(intent.lastPaymentError),
    latest_charge: intent.latestCharge,
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action: isPending ? challenge : null,
    on_behalf_of: null,
    payment_method: intent.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: intent.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  }
}
