import Stripe from 'stripe'
import type { Payments } from '#shop/ports.ts'
import { stripePayments, timeoutMs } from './stripe.ts'

interface Keys {
  secretKey: string
  publishableKey: string
  webhookSecret: string
}

export function hostedPayments({ secretKey, publishableKey, webhookSecret }: Keys): Payments {
  const stripe = new Stripe(secretKey, { ...timeoutMs, telemetry: false })
  return stripePayments(stripe, { webhookSecret, settings: { kind: 'stripe', publishableKey } })
}
