import { desc, eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { charges, paymentIntents } from '#db/embedded.ts'
import { changeCharge, findCharge, serializeCharge } from './charges.ts'
import { recordEvent } from './events.ts'
import { amount, email, type FormTree, flag, listOf, metadata, readFields, text } from './forms.ts'
import { listResponse, pageParams } from './lists.ts'
import {
  BankApiError,
  type BankCall,
  type BankResponse,
  invalidRequestError,
  newId,
  notFoundError,
  ok,
  seconds,
} from './responses.ts'
import { type Intent, serializeIntent } from './serialize-intent.ts'

const createParams = z.strictObject({
  amount,
  currency: z.preprocess(
    (value) => (typeof value === 'string' ? value.toLowerCase() : value),
    z.enum(['usd']),
  ),
  allowed_payment_method_types: listOf(z.enum(['card'])).optional(),
  payment_method_types: listOf(z.enum(['card'])).optional(),
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

/** With its latest charge. */
async function findWithCharge(call: BankCall, id: string, param = 'intent') {
  const [found] = await call.tx
    .select({ intent: paymentIntents, charge: charges })
    .from(paymentIntents)
    .leftJoin(charges, eq(charges.id, paymentIntents.latestCharge))
    .where(eq(paymentIntents.id, id))
  if (!found || !isAuthorized(call, found.intent)) throw notFoundError('payment_intent', id, param)
  return found
}

export async function lockIntent(call: BankCall, id: string, param = 'intent'): Promise<Intent> {
  const rows = call.tx.select().from(paymentIntents).where(eq(paymentIntents.id, id)).for('update')
  const [intent] = await rows
  if (!intent || !isAuthorized(call, intent)) throw notFoundError('payment_intent', id, param)
  return intent
}

function isAuthorized({ hasSecretKey, clientSecret }: BankCall, intent: Intent) {
  return hasSecretKey || clientSecret === intent.clientSecret
}

export async function createIntent(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const fields = readFields(createParams, form)
  if (fields.automatic_payment_methods) {
    for (const name of ['payment_method_types', 'allowed_payment_method_types'] as const) {
      if (!fields[name]) continue
      const message = `You may only specify one of these parameters: automatic_payment_methods, ${name}.`
      throw invalidRequestError(message)
    }
  }
  const id = newId('pi')
  const [intent] = await call.tx
    .insert(paymentIntents)
    .values({
      id,
      clientSecret: newId(`${id}_secret`),
      amount: fields.amount,
      currency: fields.currency,
      status: 'requires_payment_method',
      captureMethod: fields.capture_method,
      description: fields.description,
      metadata: fields.metadata,
      receiptEmail: fields.receipt_email,
      automaticPaymentMethods: fields.automatic_payment_methods && {
        allow_redirects: 'always',
        ...fields.automatic_payment_methods,
      },
      created: seconds(),
    })
    .returning()
  await recordEvent(call, 'payment_intent.created', serializeIntent(intent!))
  return ok(serializeIntent(intent!))
}

const readParams = z.strictObject({ client_secret: text.optional(), expand: listOf(text).default([]) })

/** Only `latest_charge` can be expanded, and only with the secret key. */
export async function readIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const { expand } = readFields(readParams, form)
  const { intent, charge } = await findWithCharge(call, id)
  const refused = expand.find((name) => name !== 'latest_charge' || !call.hasSecretKey)
  if (refused !== undefined) throw invalidRequestError(`This property cannot be expanded (${refused}).`)
  const expanded = expand.length > 0 && charge && { latest_charge: serializeCharge(charge) }
  return ok({ ...serializeIntent(intent), ...expanded })
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
  return listResponse('/v1/payment_intents', rows, { limit, serialize: serializeIntent })
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
