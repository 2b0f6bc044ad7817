import Stripe from 'stripe'
import { serializeEvent } from './events.ts'
import type { bankEvents } from './shop.ts'
import { log } from './shop.ts'

export type Webhook = (request: Request) => Response | Promise<Response>

const timeoutMs = 10_000

export async function signRequest(event: typeof bankEvents.$inferSelect, webhookSecret: string) {
  const body = JSON.stringify(serializeEvent(event))
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret: webhookSecret,
  })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
  return new Request('http://shop.test/payments/webhook', { method: 'POST', headers, body })
}

export async function sendRequest(request: Request, to: Webhook) {
  try {
    const response = await withTimeout(Promise.resolve(to(request)))
    return response.ok
  } catch (error) {
    log.error({ err: error }, 'test bank: the webhook failed')
    return false
  }
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs)
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
