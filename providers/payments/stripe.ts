import Stripe from 'stripe'
import { ProviderFailure, ShopError } from '#shop/errors.ts'
import type { PayableOrder, PaymentProvider, PaymentSettings, Payments, Refund } from '#shop/ports.ts'
import { logText } from '#telemetry/errors.ts'
import { log } from '#telemetry/log.ts'
import { createKeyMonitor } from './stripe-key.ts'
import { paymentCurrency, toDispute, toPayment, toRefund } from './stripe-objects.ts'
import { stripeTaxes } from './stripe-taxes.ts'
import { verifyStripeWebhook } from './stripe-webhooks.ts'

interface Options {
  /** Verifies webhook signatures; an empty secret rejects every event. */
  webhookSecret: string
  settings: PaymentSettings
  provider: PaymentProvider
}

type InvalidRequestError = InstanceType<typeof Stripe.errors.StripeInvalidRequestError>

const unavailableMessage = 'The payment provider isn’t responding. Try again.'
const keyRefusedMessage =
  'Card payments and refunds are unavailable right now. No money has moved. Try again later.'

/** `timeout` is in milliseconds. With its retry, a call ends well before the browser gives up after 30 seconds. */
export const stripeClientOptions = {
  apiVersion: '2026-10-28.endive',
  timeout: 9_000,
  maxNetworkRetries: 1,
} as const

/** How often a request is repeated whose idempotency key another request is using, and the milliseconds between. */
const inUse = { tries: 40, delay: 200 }

export function stripePayments(stripe: Stripe, { webhookSecret, settings, provider }: Options): Payments {
  const monitor = createKeyMonitor(stripe)
  const call = <T>(message: string, request: () => Promise<T>) => callStripe(monitor, message, request)
  return {
    settings,
    provider,
    checkKey: monitor.check,
    keyProblem: monitor.problem,

    open: (order, idempotencyKey) =>
      call('The payment provider isn’t responding. You weren’t charged. Try again.', () =>
        openIntent(stripe, order, idempotencyKey),
      ),

    find: (id) => call(unavailableMessage, () => findPayment(stripe, id)),

    cancel: (id) =>
      call(unavailableMessage, async () => {
        if (!isPaymentId(id)) return null
        try {
          return toPayment(await stripe.paymentIntents.cancel(id))
        } catch (error) {
          if (!isInvalidRequest(error)) throw error
          return error.code === 'resource_missing' ? null : await fetchPayment(stripe, id)
        }
      }),

    refund: (id, request) =>
      call('The payment provider isn’t responding. The refund’s status will update when it does.', () =>
        refundOnce(stripe, id, request),
      ),

    verifyWebhook: (body, signature) => verifyStripeWebhook(stripe, webhookSecret, { body, signature }),
    taxes: stripeTaxes(stripe),
  }
}

/** An unconfirmed payment charges nothing, so after the provider's own error a second one is harmless. */
async function openIntent(stripe: Stripe, order: PayableOrder, idempotencyKey: string) {
  const { _id: orderId, number, amountCents, name, email, contents } = order
  const params: Stripe.PaymentIntentCreateParams = {
    amount: amountCents,
    currency: paymentCurrency(),
    allowed_payment_method_types: ['card'],
    description: `Order ${number}: ${contents}`,
    receipt_email: email,
    metadata: { orderId, orderNumber: String(number), customerName: name },
  }
  const create = (idempotencyKey: string) =>
    retryWhileInUse(() => stripe.paymentIntents.create(params, { idempotencyKey }))
  const retryWith = (key: string) => (error: unknown) => {
    if (isProviderFailure(error)) return create(key)
    throw error
  }
  const intent = await create(idempotencyKey)
    .catch(retryWith(idempotencyKey))
    .catch(retryWith(`${idempotencyKey}-${crypto.randomUUID()}`))
  // A replayed response shows the state at creation, which may be outdated.
  return isReplayed(intent) ? fetchPayment(stripe, intent.id) : toPayment(intent)
}

async function retryWhileInUse<T>(request: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request()
    } catch (error) {
      if (!isStripeError(error) || error.statusCode !== 409 || tries === inUse.tries) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, inUse.delay))
  }
}

interface RefundRequest {
  amountCents: number
  key: string
  failures: number
}

async function refundOnce(stripe: Stripe, id: string, { amountCents, key, failures }: RefundRequest) {
  if (!isPaymentId(id)) throw paymentNotFoundError()
  try {
    // Stripe forgets idempotency keys after a day, but never a refund.
    const existing = (await listRefunds(stripe, id)).find((refund) => refund.key === key)
    if (existing) return existing
    const refund = { payment_intent: id, amount: amountCents, metadata: { key } }
    const idempotencyKey = failures === 0 ? key : `${key}-${failures}`
    return toRefund(await retryWhileInUse(() => stripe.refunds.create(refund, { idempotencyKey })))
  } catch (error) {
    throw isInvalidRequest(error) ? (refundError(error) ?? error) : error
  }
}

async function findPayment(stripe: Stripe, id: string) {
  try {
    return isPaymentId(id) ? await fetchPayment(stripe, id) : null
  } catch (error) {
    if (isInvalidRequest(error) && error.code === 'resource_missing') return null
    throw error
  }
}

async function fetchPayment(stripe: Stripe, id: string) {
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.refunds'] })
  if (intent.status !== 'succeeded') return toPayment(intent)
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const { data, has_more: hasMore } = charge?.refunds ?? { data: [], has_more: true }
  return toPayment(intent, {
    // An expanded charge lists at most ten.
    refunds: hasMore ? await listRefunds(stripe, id) : data.map(toRefund),
    disputes: charge?.disputed ? await listDisputes(stripe, id) : [],
  })
}

async function listRefunds(stripe: Stripe, id: string) {
  const refunds: Refund[] = []
  for await (const refund of stripe.refunds.list({ payment_intent: id, limit: 100 })) {
    refunds.push(toRefund(refund))
  }
  return refunds
}

async function listDisputes(stripe: Stripe, id: string) {
  const { data } = await stripe.disputes.list({ payment_intent: id, limit: 100 })
  return data.map(toDispute)
}

function isPaymentId(id: string) {
  // Any other id would change the path of the request.
  return /^pi_\w+$/.test(id)
}

function isStripeError(error: unknown) {
  return error instanceof Stripe.errors.StripeError
}

function isInvalidRequest(error: unknown): error is InvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

/** Stripe stores such a response under the idempotency key, and repeats it for a day. */
function isProviderFailure(error: unknown) {
  return isStripeError(error) && (error.statusCode ?? 0) >= 500
}

function isReplayed({ lastResponse }: Stripe.Response<unknown>) {
  // The SDK returns a plain object over node:http, but the raw Headers with a fetch client.
  const headers: Record<string, string> | Headers = lastResponse.headers
  const replayed = 'idempotent-replayed'
  return (headers instanceof Headers ? headers.get(replayed) : headers[replayed]) === 'true'
}

function paymentNotFoundError() {
  return new ShopError('conflict', 'The payment provider doesn’t have this payment.')
}

/** undefined when a retry may succeed, such as after an insufficient balance. */
function refundError({ code, param, message }: InvalidRequestError) {
  if (code === 'resource_missing') return paymentNotFoundError()
  if (code === 'charge_already_refunded') {
    return new ShopError('conflict', 'This payment was already refunded in full.')
  }
  const isPermanent = code === 'charge_disputed' || /^(amount|charge|payment_intent)$/.test(param ?? '')
  if (!isPermanent) return undefined
  return new ShopError('conflict', `The payment provider rejected the refund: ${message}`)
}

async function callStripe<T>(
  monitor: ReturnType<typeof createKeyMonitor>,
  message: string,
  request: () => Promise<T>,
): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!isStripeError(error)) throw error
    if (monitor.report(error)) throw new ShopError('unavailable', keyRefusedMessage, { retryAfter: 60 })
    log.error(
      { type: error.type, code: error.code, reason: logText(error.message) },
      'payment provider failed',
    )
    const Failure = isProviderFailure(error) ? ProviderFailure : ShopError
    throw new Failure('unavailable', message, { retryAfter: 5 })
  }
}
