import Stripe from 'stripe'
import { logText, ShopError } from '#shop/errors.ts'
import type { Payment, PaymentSettings, Payments, Refund } from '#shop/ports.ts'

interface Options {
  /** Verifies webhook signatures; an empty secret rejects every event. */
  webhookSecret: string
  settings: PaymentSettings
}

type InvalidRequestError = InstanceType<typeof Stripe.errors.StripeInvalidRequestError>

const currency = 'usd'

/** Seconds, into the past and the future. */
const toleranceSeconds = 300

const statuses: Record<string, Payment['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'paid',
  canceled: 'cancelled',
}

const unavailableMessage = 'The card provider does not answer. Please try again.'

/** `timeout` is in milliseconds. */
export const stripeClientOptions = { timeout: 10_000, maxNetworkRetries: 2 }

export function stripePayments(stripe: Stripe, { webhookSecret, settings }: Options): Payments {
  return {
    settings,

    open: (order, key) =>
      callStripe('The card provider does not answer. Nothing was charged; please try again.', async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: order.price * 100,
            currency,
            allowed_payment_method_types: ['card'],
            metadata: { orderId: order._id },
          },
          { idempotencyKey: key },
        )
        // A replayed response shows the state at creation, which may be outdated.
        return isReplayed(intent) ? fetchPayment(intent.id) : toPayment(intent, [])
      }),

    find: (id) =>
      callStripe(unavailableMessage, async () => {
        try {
          return isPaymentId(id) ? await fetchPayment(id) : null
        } catch (error) {
          if (isInvalidRequest(error) && error.code === 'resource_missing') return null
          throw error
        }
      }),

    cancel: (id) =>
      callStripe(unavailableMessage, async () => {
        if (!isPaymentId(id)) return null
        try {
          return toPayment(await stripe.paymentIntents.cancel(id), [])
        } catch (error) {
          if (!isInvalidRequest(error)) throw error
          return error.code === 'resource_missing' ? null : await fetchPayment(id)
        }
      }),

    refund: (id, { amount, key }) =>
      callStripe(
        'The card provider does not answer. Whether the money was given back shows as soon as it does.',
        async () => {
          if (!isPaymentId(id)) throw paymentNotFound()
          try {
            // Stripe forgets idempotency keys after a day, but never a refund.
            const existing = (await listRefunds(id)).find((refund) => refund.key === key)
            if (existing) return existing
            const refund = { payment_intent: id, amount: amount * 100, metadata: { key } }
            return toRefund(await stripe.refunds.create(refund, { idempotencyKey: key }))
          } catch (error) {
            throw isInvalidRequest(error) ? (refundError(error) ?? error) : error
          }
        },
      ),

    async verifyWebhook(body, signature) {
      const event = await constructEvent(body, signature)
      return { id: event.id, paymentId: paymentIdOf(event.type, event.data.object) }
    },
  }

  async function fetchPayment(id: string) {
    const intent = await stripe.paymentIntents.retrieve(id)
    return toPayment(intent, intent.status === 'succeeded' ? await listRefunds(id) : [])
  }

  /** An expanded charge lists at most ten refunds. */
  async function listRefunds(id: string) {
    const refunds: Refund[] = []
    for await (const refund of stripe.refunds.list({ payment_intent: id, limit: 100 })) {
      refunds.push(toRefund(refund))
    }
    return refunds
  }

  async function constructEvent(body: string, signature: string) {
    // The SDK rejects timestamps that are too old, but not future ones.
    const maxTimestamp = Date.now() / 1000 + toleranceSeconds
    const timestamps = signature.split(',').filter((part) => part.startsWith('t='))
    if (timestamps.some((timestamp) => Number.parseInt(timestamp.slice(2), 10) > maxTimestamp))
      throw invalidSignature()
    try {
      return await stripe.webhooks.constructEventAsync(body, signature, webhookSecret, toleranceSeconds)
    } catch {
      // For some malformed headers the SDK throws a plain Error.
      throw invalidSignature()
    }
  }
}

function isPaymentId(id: string) {
  // Any other id would change the path of the request.
  return /^pi_\w+$/.test(id)
}

function isInvalidRequest(error: unknown): error is InvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

function isReplayed({ lastResponse }: Stripe.Response<unknown>) {
  // The SDK returns a plain object over node:http, but the raw Headers with a fetch client.
  const headers: Record<string, string> | Headers = lastResponse.headers
  const replayed = 'idempotent-replayed'
  return (headers instanceof Headers ? headers.get(replayed) : headers[replayed]) === 'true'
}

function toPayment(intent: Stripe.PaymentIntent, refunds: Refund[]): Payment {
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    orderId: intent.metadata.orderId ?? '',
    amount: toDollars(
      intent.currency,
      intent.status === 'succeeded' ? intent.amount_received : intent.amount,
    ),
    // An unknown status is treated as neither open nor paid.
    status: statuses[intent.status] ?? 'processing',
    refunds,
  }
}

/** NaN for another currency or an amount with cents, so that it never equals a price. */
function toDollars(unit: string, cents: number) {
  return unit === currency && cents % 100 === 0 ? cents / 100 : Number.NaN
}

function toRefund(refund: Stripe.Refund): Refund {
  const isFailed = refund.status === 'failed' || refund.status === 'canceled'
  return {
    id: refund.id,
    amount: toDollars(refund.currency, refund.amount),
    status: isFailed ? 'failed' : 'succeeded',
    key: refund.metadata?.key ?? null,
  }
}

function paymentIdOf(type: string, object: object) {
  const { id, payment_intent: intent } = object as {
    id?: string
    payment_intent?: string | { id: string } | null
  }
  if (type.startsWith('payment_intent.')) return id ?? null
  if (!/^(charge|refund)\./.test(type) || !intent) return null
  return typeof intent === 'string' ? intent : intent.id
}

function invalidSignature() {
  return new ShopError('invalid', 'This message is not genuine, or it is too old.')
}

function paymentNotFound() {
  return new ShopError('conflict', 'The card provider knows no such payment.')
}

/** undefined when a retry may succeed, such as after an insufficient balance. */
function refundError({ code, param, message }: InvalidRequestError) {
  if (code === 'resource_missing') return paymentNotFound()
  if (code === 'charge_already_refunded') {
    return new ShopError('conflict', 'All of this payment was given back before.')
  }
  const isPermanent = code === 'charge_disputed' || /^(amount|charge|payment_intent)$/.test(param ?? '')
  if (!isPermanent) return undefined
  return new ShopError('conflict', `The card provider refused to give the money back: ${message}`)
}

async function callStripe<T>(message: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    console.error('card provider failed:', error.type, error.code, logText(error.message))
    throw new ShopError('unavailable', message, { retryAfter: 5 })
  }
}
