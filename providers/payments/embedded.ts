import Stripe from 'stripe'
import type { AnyDatabase } from '#db/embedded.ts'
import { testBankServer } from '#providers/payments/bank/bank.ts'
import { createWebhookDispatcher } from '#providers/payments/bank/delivery.ts'
import { purgeExpiredRequests } from '#providers/payments/bank/idempotency.ts'
import type { Webhook } from '#providers/payments/bank/send.ts'
import type { Payments } from '#shop/ports.ts'
import { stripeClientOptions, stripePayments } from './stripe.ts'

export interface EmbeddedPayments extends Payments {
  fetch(request: Request): Response | Promise<Response>
  /** Sends the pending events to the webhook, by default the configured one; returns how many it accepted. */
  deliver(to?: Webhook): Promise<number>
  purgeExpired(): Promise<void>
  /** Waits for the delivery in progress and starts no other. */
  close(): Promise<void>
}

type Send = (request: Request) => Promise<Response>

interface Options {
  /** The API key and the webhook secret are derived from it. */
  secret: string
  /** Without a webhook, events wait for `deliver`. */
  webhook?: Webhook
  transport?: (send: Send) => Send
  sdk?: { timeout?: number; maxNetworkRetries?: number }
}

export function embeddedPayments(
  db: AnyDatabase,
  { secret, webhook, transport = (send) => send, sdk }: Options,
): EmbeddedPayments {
  const secretKey = `sk_test_${secret}`
  const webhookSecret = `whsec_${secret}`
  const dispatcher = createWebhookDispatcher(db, { webhookSecret, ...(webhook && { webhook }) })
  const bank = testBankServer(db, secretKey, dispatcher.scheduleDelivery)
  const send = transport(async (request) => bank.fetch(request))
  const stripe = new Stripe(secretKey, {
    ...stripeClientOptions,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input, init) => {
      const response = send(new Request(input, init))
      return init?.signal ? withAbort(init.signal, response) : response
    }),
    ...sdk,
  })
  return {
    ...stripePayments(stripe, { webhookSecret, settings: { kind: 'bank' }, provider: 'test bank' }),
    fetch: (request) => bank.fetch(request),
    deliver: dispatcher.deliver,
    purgeExpired: () => purgeExpiredRequests(db),
    close: dispatcher.close,
  }
}

/** Uses the given signal: a request’s own signal, which follows it, may be garbage-collected too early. */
function withAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, aborted])
}
