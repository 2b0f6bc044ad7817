import Stripe from 'stripe'
import { type Bank, openBank } from '#bank/bank.ts'
import type { AnyDatabase } from '#db/embedded.ts'
import type { Payments } from '#shop/ports.ts'
import { stripeClientOptions, stripePayments } from './stripe.ts'

export type EmbeddedPayments = Payments & Bank

type Send = (request: Request) => Promise<Response>

interface Options {
  /** The API key and the webhook secret are derived from it. */
  secret: string
  webhook?: Parameters<typeof openBank>[1]['webhook']
  transport?: (send: Send) => Send
  sdk?: { timeout?: number; maxNetworkRetries?: number }
}

export function embeddedPayments(
  db: AnyDatabase,
  { secret, webhook, transport = (send) => send, sdk }: Options,
): EmbeddedPayments {
  const secretKey = `sk_test_${secret}`
  const webhookSecret = `whsec_${secret}`
  const bank = openBank(db, { secretKey, webhookSecret, ...(webhook && { webhook }) })
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
    ...bank,
  }
}

/** Uses the given signal: a request’s own signal, which follows it, may be garbage-collected too early. */
function withAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, aborted])
}
