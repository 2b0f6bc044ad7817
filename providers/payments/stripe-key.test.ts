import Stripe from 'stripe'
import { afterEach, expect, test, vi } from 'vitest'
import { testOrder } from '#test/bank.ts'
import { stripeClientOptions, stripePayments } from './stripe.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

type Respond = (request: Request) => Response

function paymentsWith(respond: Respond) {
  const httpClient = Stripe.createFetchHttpClient(async (input, init) => respond(new Request(input, init)))
  const stripe = new Stripe('sk_test_1', { httpClient, maxNetworkRetries: 0, telemetry: false })
  const settings = { kind: 'stripe', publishableKey: 'pk_test_1' } as const
  return stripePayments(stripe, { webhookSecret: 'whsec_1', settings, provider: 'stripe test' })
}

const failure = (status: number, message: string) =>
  Response.json({ error: { type: 'invalid_request_error', message } }, { status })

const missing: Respond = ({ method }) =>
  method === 'GET' ? Response.json({ object: 'list', data: [] }) : failure(404, 'No such payment_intent')

test('a refused key is told apart from a provider that does not answer', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const payments = paymentsWith(() => failure(401, 'Invalid API Key provided: sk_test_*1'))
  expect(payments.keyProblem()).toBe(null)
  await expect(payments.open(testOrder, 'key')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Card payments and refunds are unavailable right now. No money has moved. Try again later.',
  })
  expect(payments.keyProblem()).toBe('Stripe rejects STRIPE_SECRET_KEY: Invalid API Key provided: sk_test_*1')
  expect(log).toHaveBeenCalledTimes(1)
})

test('checkKey accepts a key with all permissions, and charges nothing', async () => {
  const requests: string[] = []
  const payments = paymentsWith((request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`)
    return missing(request)
  })
  await payments.checkKey()
  expect(payments.keyProblem()).toBe(null)
  expect(requests.sort()).toEqual([
    'GET /v1/disputes',
    'GET /v1/payment_intents',
    'GET /v1/refunds',
    'POST /v1/payment_intents/pi_missing/cancel',
    'POST /v1/refunds',
  ])
})

test('checkKey names a missing permission, and a later check takes it back', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  for (const lacking of [
    'GET /v1/disputes',
    'POST /v1/refunds',
    'POST /v1/payment_intents/pi_missing/cancel',
  ]) {
    let isLacking = true
    const payments = paymentsWith((request) =>
      isLacking && `${request.method} ${new URL(request.url).pathname}` === lacking
        ? failure(403, 'The provided key does not have the required permissions.')
        : missing(request),
    )
    await payments.checkKey()
    expect(payments.keyProblem(), lacking).toContain('STRIPE_SECRET_KEY lacks a permission')
    isLacking = false
    await payments.checkKey()
    expect(payments.keyProblem(), lacking).toBe(null)
  }
})

test('checkKey says nothing about a key when the provider does not answer', async () => {
  const payments = paymentsWith(() => failure(500, 'no'))
  await payments.checkKey()
  expect(payments.keyProblem()).toBe(null)
})

test('a silent provider is given up before the browser gives up after 30 seconds', () => {
  const { timeout, maxNetworkRetries } = stripeClientOptions
  const longestPause = 2_000
  expect((timeout + longestPause) * (maxNetworkRetries + 1)).toBeLessThan(30_000)
})
