import Stripe from 'stripe'
import { ShopError } from '#shop/errors.ts'
import type { Payment, PaymentSettings, Payments, Refund } from '#shop/ports.ts'

interface Options {
  /** Signs what the provider tells us; without one, nothing is believed. */
  webhookSecret: string
  settings: PaymentSettings
}

type Refusal = InstanceType<typeof Stripe.errors.StripeInvalidRequestError>

const currency = 'usd'

/** Seconds by which the clock of a message may be off, either way. */
const tolerance = 300

const status: Record<string, Payment['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'paid',
  canceled: 'cancelled',
}

const noAnswer = 'The card provider does not answer. Please try again.'

/** How long the SDK waits for an answer, in milliseconds, and how often it asks again. */
export const timeoutMs = { timeout: 10_000, maxNetworkRetries: 2 }

/** Card payments through Stripe's own SDK, whichever service it is pointed at. */
export function stripePayments(stripe: Stripe, { webhookSecret, settings }: Options): Payments {
  return {
    settings,

    open: (order, key) =>
      ask('The card provider does not answer. Nothing was charged; please try again.', async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: order.price * 100,
            currency,
            allowed_payment_method_types: ['card'],
            metadata: { orderId: order._id },
          },
          { idempotencyKey: key },
        )
        // An answer of before may have been overtaken since.
        return wasReplayed(intent) ? read(intent.id) : toPayment(intent, [])
      }),

    find: (id) =>
      ask(noAnswer, async () => {
        try {
          return isPaymentId(id) ? await read(id) : null
        } catch (error) {
          if (isRefusal(error) && error.code === 'resource_missing') return null
          throw error
        }
      }),

    cancel: (id) =>
      ask(noAnswer, async () => {
        if (!isPaymentId(id)) return null
        try {
          return toPayment(await stripe.paymentIntents.cancel(id), [])
        } catch (error) {
          if (!isRefusal(error)) throw error
          // It is past cancelling: how it stands says why.
          return error.code === 'resource_missing' ? null : await read(id)
        }
      }),

    refund: (id, { amount, key }) =>
      ask(
        'The card provider does not answer. Whether the money was given back shows as soon as it does.',
        async () => {
          if (!isPaymentId(id)) throw unknownPayment()
          try {
            // The provider forgets the keys of requests after a day, but never a refund.
            const before = (await refundsOf(id)).find((refund) => refund.key === key)
            if (before) return before
            const refund = { payment_intent: id, amount: amount * 100, metadata: { key } }
            return toRefund(await stripe.refunds.create(refund, { idempotencyKey: key }))
          } catch (error) {
            throw isRefusal(error) ? (refused(error) ?? error) : error
          }
        },
      ),

    async verifyWebhook(body, signature) {
      const event = await verify(body, signature)
      return { id: event.id, paymentId: paymentOf(event.type, event.data.object) }
    },
  }

  async function read(id: string) {
    const intent = await stripe.paymentIntents.retrieve(id)
    return toPayment(intent, intent.status === 'succeeded' ? await refundsOf(id) : [])
  }

  /** All of them: a payment that is expanded by its charge shows no more than ten. */
  async function refundsOf(id: string) {
    const refunds: Refund[] = []
    for await (const refund of stripe.refunds.list({ payment_intent: id, limit: 100 })) {
      refunds.push(toRefund(refund))
    }
    return refunds
  }

  async function verify(body: string, signature: string) {
    // The SDK refuses a message from long ago, but none from the future.
    const latest = Date.now() / 1000 + tolerance
    const times = signature.split(',').filter((part) => part.startsWith('t='))
    if (times.some((time) => Number.parseInt(time.slice(2), 10) > latest)) throw notGenuine()
    try {
      return await stripe.webhooks.constructEventAsync(body, signature, webhookSecret, tolerance)
    } catch {
      // Of some headers the SDK says so with an error of no kind.
      throw notGenuine()
    }
  }
}

function isPaymentId(id: string) {
  // Anything else would be read as another address of the provider.
  return /^pi_\w+$/.test(id)
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

function wasReplayed({ lastResponse }: Stripe.Response<unknown>) {
  // Over the network the SDK shows headers as an object, and from a fetch function as that makes them.
  const headers: Record<string, string> | Headers = lastResponse.headers
  const replayed = 'idempotent-replayed'
  return (headers instanceof Headers ? headers.get(replayed) : headers[replayed]) === 'true'
}

function toPayment(intent: Stripe.PaymentIntent, refunds: Refund[]): Payment {
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    orderId: intent.metadata.orderId ?? '',
    amount: dollarsOf(
      intent.currency,
      intent.status === 'succeeded' ? intent.amount_received : intent.amount,
    ),
    // A state that this program does not know is neither open nor paid.
    status: status[intent.status] ?? 'processing',
    refunds,
  }
}

/** An amount in another currency is nobody's price, and so is one with cents. */
function dollarsOf(unit: string, cents: number) {
  return unit === currency && cents % 100 === 0 ? cents / 100 : Number.NaN
}

function toRefund(refund: Stripe.Refund): Refund {
  const gone = refund.status === 'failed' || refund.status === 'canceled'
  return {
    id: refund.id,
    amount: dollarsOf(refund.currency, refund.amount),
    status: gone ? 'failed' : 'done',
    key: refund.metadata?.key ?? null,
  }
}

/** Of a payment, its id; of a charge or a refund, the payment that it belongs to. */
function paymentOf(type: string, about: object) {
  const { id, payment_intent: of } = about as { id?: string; payment_intent?: string | { id: string } | null }
  if (type.startsWith('payment_intent.')) return id ?? null
  if (!/^(charge|refund)\./.test(type) || !of) return null
  return typeof of === 'string' ? of : of.id
}

function notGenuine() {
  return new ShopError('invalid', 'This message is not genuine, or it is too old.')
}

function unknownPayment() {
  return new ShopError('conflict', 'The card provider knows no such payment.')
}

/** Why a refund cannot be made at all; undefined when it may be later, as when the account has too little money just now. */
function refused({ code, param, message }: Refusal) {
  if (code === 'resource_missing') return unknownPayment()
  if (code === 'charge_already_refunded') {
    return new ShopError('conflict', 'All of this payment was given back before.')
  }
  const final = code === 'charge_disputed' || /^(amount|charge|payment_intent)$/.test(param ?? '')
  if (!final) return undefined
  return new ShopError('conflict', `The card provider refused to give the money back: ${message}`)
}

async function ask<T>(failure: string, question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    console.error('card provider failed:', error.type, error.code, error.message)
    throw new ShopError('unavailable', failure, { retryAfter: 5 })
  }
}
