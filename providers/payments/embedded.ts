import Stripe from 'stripe'
import type { AnyDatabase } from '#db/embedded.ts'
import type { Payments } from '#shop/ports.ts'
import { testBankServer } from './bank/bank.ts'
import { delivery, type Webhook } from './bank/delivery.ts'
import { purgeRequests } from './bank/idempotency.ts'
import { stripePayments, timeoutMs } from './stripe.ts'

export interface EmbeddedPayments extends Payments {
  /** Answers the browser's requests under `/payments/v1`. */
  fetch(request: Request): Response | Promise<Response>
  /** Sends each event that is due to the shop's webhook, or to another one, and answers how many were taken. */
  deliver(to?: Webhook): Promise<number>
  /** Forgets what the bank need not know any more. */
  tidy(): Promise<void>
  /** Sends no other event, and waits for the one under way. */
  close(): Promise<void>
}

type Send = (request: Request) => Promise<Response>

interface Options {
  /** Opens the bank to the shop, and signs what the bank tells it. */
  secret: string
  /** Takes the bank's signed messages; without one they wait to be delivered by hand. */
  webhook?: Webhook
  /** Stands between the shop and the bank: tests break it. */
  wire?: (send: Send) => Send
  sdk?: { timeout?: number; maxNetworkRetries?: number }
}

/** The official SDK, spoken to a test bank in this process instead of over the network. */
export function embeddedPayments(
  db: AnyDatabase,
  { secret, webhook, wire = (send) => send, sdk }: Options,
): EmbeddedPayments {
  const secretKey = `sk_test_${secret}`
  const webhookSecret = `whsec_${secret}`
  const post = delivery(db, { webhookSecret, ...(webhook && { webhook }) })
  const bank = testBankServer(db, secretKey, post.soon)
  const send = wire(async (request) => bank.fetch(request))
  const stripe = new Stripe(secretKey, {
    ...timeoutMs,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input, init) => {
      const answer = send(new Request(input, init))
      return init?.signal ? untilGivenUp(init.signal, answer) : answer
    }),
    ...sdk,
  })
  return {
    ...stripePayments(stripe, { webhookSecret, settings: { kind: 'bank' } }),
    fetch: (request) => bank.fetch(withoutPrefix(request)),
    deliver: post.deliver,
    tidy: () => purgeRequests(db),
    close: post.close,
  }
}

/**
 * As a network does it: whoever gives up stops waiting, whatever the other side may still do. The signal is the one given,
 * since a request's own, which follows it, may be collected before.
 */
function untilGivenUp<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, givenUp])
}

function withoutPrefix(request: Request) {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/payments/, '')
  return new Request(url, request)
}
