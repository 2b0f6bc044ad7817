import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { paymentIntents } from '#db/embedded.ts'
import { recordEvent } from './events.ts'
import { amount, email, type FormTree, flag, listOf, metadata, readFields, text } from './forms.ts'
import {
  BankApiError,
  type BankCall,
  type BankResponse,
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

export async function findIntent(call: BankCall, id: string, param = 'intent'): Promise<Intent> {
  const [intent] = await call.tx.select().from(paymentIntents).where(eq(paymentIntents.id, id))
  if (!intent || !isAuthorized(call, intent)) throw notFoundError('payment_intent', id, param)
  return intent
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

export async function readIntent(call: BankCall, id: string): Promise<BankResponse> {
  return ok(serializeIntent(await findIntent(call, id)))
}

export async function cancelIntent(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const { cancellation_reason: cancellationReason = null } = readFields(cancelParams, form)
  const intent = await lockIntent(call, id)
  if (intent.status === 'succeeded' || intent.status === 'canceled')
    throw unexpectedStateError(intent, 'cancel')
  const canceled = await changeIntent(call, intent, {
    status: 'canceled',
    canceledAt: seconds(),
    cancellationReason,
  })
  await recordEvent(call, 'payment_intent.canceled', serializeIntent(canceled))
  return ok(serializeIntent(canceled))
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
