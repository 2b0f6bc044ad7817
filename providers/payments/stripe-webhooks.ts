import type Stripe from 'stripe'
import { z } from 'zod'
import { ShopError } from '#shop/errors.ts'

/** Seconds, into the past and the future. */
const toleranceSeconds = 300

interface SignedBody {
  body: string
  signature: string
}

const eventShape = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  data: z.object({
    object: z.object({
      id: z.string().optional(),
      payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    }),
  }),
})

/** Throws 'invalid' for a wrong signature, a timestamp outside the tolerance, or a body that is no event. */
export async function verifyStripeWebhook(stripe: Stripe, secret: string, signed: SignedBody) {
  const parsed = eventShape.safeParse(await constructEvent(stripe, secret, signed))
  if (!parsed.success) throw new ShopError('invalid', 'This request isn’t a payment provider event.')
  const { id, type, data } = parsed.data
  const { id: objectId = null, payment_intent: intent } = data.object
  if (endings.has(type)) return { id, endsPayment: true, paymentId: objectId }
  const paymentId = typeof intent === 'string' ? intent : (intent?.id ?? null)
  return { id, endsPayment: false, paymentId: isHandled(type) ? paymentId : null }
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

/** The other events of a payment, as when it is opened or declined, change nothing in the shop. */
const endings = new Set(['payment_intent.succeeded', 'payment_intent.canceled'])

/** Those that docs/payments.md names for the webhook. */
export function isHandled(type: string): boolean {
  return endings.has(type) || /^(refund|charge\.(refund|refunded|dispute))(\.|$)/.test(type)
}

function invalidSignatureError() {
  return new ShopError('invalid', 'The signature of this event is invalid or too old.')
}
