import type Stripe from 'stripe'
import { ShopError } from '#shop/errors.ts'

/** Seconds, into the past and the future. */
const toleranceSeconds = 300

interface SignedBody {
  body: string
  signature: string
}

/** Throws 'invalid' for a wrong signature, or a timestamp outside the tolerance. */
export async function verifyStripeWebhook(stripe: Stripe, secret: string, signed: SignedBody) {
  const event = await constructEvent(stripe, secret, signed)
  return { id: event.id, paymentId: paymentIdOf(event.type, event.data.object) }
}

async function constructEvent(stripe: Stripe, secret: string, { body, signature }: SignedBody) {
  // The SDK rejects timestamps that are too old, but not future ones.
  const maxTimestamp = Date.now() / 1000 + toleranceSeconds
  const timestamps = signature.split(',').filter((part) => part.startsWith('t='))
  if (timestamps.some((timestamp) => Number.parseInt(timestamp.slice(2), 10) > maxTimestamp))
    throw invalidSignatureError()
  try {
    return await stripe.webhooks.constructEventAsync(body, signature, secret, toleranceSeconds)
  } catch {
    // For some malformed headers the SDK throws a plain Error.
    throw invalidSignatureError()
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

function invalidSignatureError() {
  return new ShopError('invalid', 'This message is not genuine, or it is too old.')
}
