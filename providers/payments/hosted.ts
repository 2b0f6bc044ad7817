import Stripe from 'stripe'
import type { Payments } from '#shop/ports.ts'
import { stripeClientOptions, stripePayments } from './stripe.ts'

interface Keys {
  secretKey: string
  publishableKey: string
  webhookSecret: string
}

export function hostedPayments({ secretKey, publishableKey, webhookSecret }: Keys): Payments {
  const stripe = new Stripe(secretKey, { ...stripeClientOptions, telemetry: false })
  return stripePayments(stripe, {
    webhookSecret,
    settings: { kind: 'stripe', publishableKey },
    provider: secretKey.includes('_live_') ? 'stripe live' : 'stripe test',
  })
}
