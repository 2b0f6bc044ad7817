import Stripe from 'stripe'
import type { AnyDatabase } from '#db/embedded.ts'
import type { Payments } from '#shop/ports.ts'
import { testBank } from './bank/bank.ts'
import { stripePayments } from './stripe.ts'

export interface EmbeddedPayments extends Payments {
  /** Answers the browser's requests under `/payments/v1`. */
  fetch(request: Request): Response | Promise<Response>
}

/** The official SDK, spoken to a test bank in this process instead of over the network. */
export function embeddedPayments(db: AnyDatabase, secret: string): EmbeddedPayments {
  const secretKey = `sk_test_${secret}`
  const bank = testBank(db, secretKey)
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(async (input, init) => bank.fetch(new Request(input, init))),
  })
  return { ...stripePayments(stripe), fetch: (request) => bank.fetch(withoutPrefix(request)) }
}

function withoutPrefix(request: Request) {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^\/payments/, '')
  return new Request(url, request)
}
