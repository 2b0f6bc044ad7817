import Stripe from 'stripe'
import { logText, ShopError } from '#shop/errors.ts'
import type { PaymentSettings, Payments, Refund } from '#shop/ports.ts'
import { paymentCurrency, toPayment, toRefund } from './stripe-objects.ts'
import { verifyStripeWebhook } from './stripe-webhooks.ts'

interface Options {
  /** Verifies webhook signatures; an empty secret rejects every event. */
  webhookSecret: string
  settings: PaymentSettings
}

type InvalidRequestError = InstanceType<typeof Stripe.errors.StripeInvalidRequestError>

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
            currency: paymentCurrency,
            allowed_payment_method_types: ['card'],
            metadata: { orderId: order._id },
          },
          { idempotencyKey: key },
        )
        // A replayed response shows the state at creation, which may be outdated.
        return isReplayed(intent) ? fetchPayment(stripe, intent.id) : toPayment(intent, [])
      }),

    find: (id) =>
      callStripe(unavailableMessage, async () => {
        try {
          return isPaymentId(id) ? await fetchPayment(stripe, id) : null
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
          return error.code === 'resource_missing' ? null : await fetchPayment(stripe, id)
        }
      }),

    refund: (id, request) =>
      callStripe(
        'The card provider does not answer. Whether the money was given back shows as soon as it does.',
        () => refundOnce(stripe, id, request),
      ),

    verifyWebhook: (body, signature) => verifyStripeWebhook(stripe, webhookSecret, { body, signature }),
  }
}

async function refundOnce(stripe: Stripe, id: string, { amount, key }: { amount: number; key: string }) {
  if (!isPaymentId(id)) throw paymentNotFoundError()
  try {
    // Stripe forgets idempotency keys after a day, but never a refund.
    const existing = (await listRefunds(stripe, id)).find((refund) => refund.key === key)
    if (existing) return existing
    const refund = { payment_intent: id, amount: amount * 100, metadata: { key } }
    return toRefund(await stripe.refunds.create(refund, { idempotencyKey: key }))
  } catch (error) {
    throw isInvalidRequest(error) ? (refundError(error) ?? error) : error
  }
}

async function fetchPayment(stripe: Stripe, id: string) {
  const intent = await stripe.paymentIntents.retrieve(id)
  return toPayment(intent, intent.status === 'succeeded' ? await listRefunds(stripe, id) : [])
}

/** An expanded charge lists at most ten refunds. */
async function listRefunds(stripe: Stripe, id: string) {
  const refunds: Refund[] = []
  for await (const refund of stripe.refunds.list({ payment_intent: id, limit: 100 })) {
    refunds.push(toRefund(refund))
  }
  return refunds
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

function paymentNotFoundError() {
  return new ShopError('conflict', 'The card provider knows no such payment.')
}

/** undefined when a retry may succeed, such as after an insufficient balance. */
function refundError({ code, param, message }: InvalidRequestError) {
  if (code === 'resource_missing') return paymentNotFoundError()
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
