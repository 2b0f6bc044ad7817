import Stripe from 'stripe'
import { ShopError } from '#shop/errors.ts'
import type { Payment, Payments } from '#shop/ports.ts'

const currency = 'usd'

const status: Record<string, Payment['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'paid',
  canceled: 'cancelled',
}

/** Card payments through Stripe's own SDK, whichever service it is pointed at. */
export function stripePayments(stripe: Stripe): Payments {
  return {
    open: (order, key) =>
      ask(async () => {
        const intent = await stripe.paymentIntents.create(
          {
            amount: order.price * 100,
            currency,
            allowed_payment_method_types: ['card'],
            receipt_email: order.email,
            metadata: { orderId: order._id },
          },
          { idempotencyKey: key },
        )
        return toPayment(intent)
      }),

    find: (id) =>
      ask(async () => {
        // Anything else would be read as another address of the provider.
        if (!/^pi_\w+$/.test(id)) return null
        try {
          return toPayment(await stripe.paymentIntents.retrieve(id))
        } catch (error) {
          if (error instanceof Stripe.errors.StripeInvalidRequestError) return null
          throw error
        }
      }),

    cancel: (id) =>
      ask(async () => {
        try {
          return toPayment(await stripe.paymentIntents.cancel(id))
        } catch (error) {
          // It is past cancelling: how it stands says why.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
          return toPayment(await stripe.paymentIntents.retrieve(id))
        }
      }),
  }
}

function toPayment(intent: Stripe.PaymentIntent): Payment {
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    orderId: intent.metadata.orderId ?? '',
    // An amount in another currency is nobody's price.
    amount: intent.currency === currency ? intent.amount / 100 : Number.NaN,
    // A state that this program does not know is neither open nor paid.
    status: status[intent.status] ?? 'processing',
  }
}

async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    console.error('card provider failed:', error.type, error.code, error.message)
    throw new ShopError(
      'unavailable',
      'The card provider does not answer. Nothing was charged; please try again.',
      {
        retryAfter: 5,
      },
    )
  }
}
