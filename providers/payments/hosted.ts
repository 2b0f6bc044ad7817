import Stripe from 'stripe'
import type { Payments } from '#shop/ports.ts'
import { patience, stripePayments } from './stripe.ts'

interface Keys {
  secretKey: string
  publishableKey: string
  webhookSecret: string
}

/** Stripe itself, by the keys of an account there. */
export function hostedPayments({ secretKey, publishableKey, webhookSecret }: Keys): Payments {
  const stripe = new Stripe(secretKey, { ...patience, telemetry: false })
  return stripePayments(stripe, { webhookSecret, settings: { kind: 'stripe', publishableKey } })
}
