import { expect, test } from 'vitest'
import { takeEvents } from '../test/bank.ts'
import { payByCard, type TestShop, testShop } from '../test/shop.ts'
import { testCards } from './card/test-cards.client.tsx'

// The types of Stripe’s SDK check every field. What they leave open is here: formats and ranges.

const idPrefixes: Record<string, string> = {
  balance_transaction: 'txn',
  charge: 'ch',
  dispute: 'du',
  event: 'evt',
  payment_intent: 'pi',
  payment_method: 'pm',
  refund: 're',
}

const formats: Record<string, RegExp> = {
  api_version: /^\d{4}-\d\d-\d\d/,
  charge: /^ch_[0-9a-f]{24}$/,
  client_secret: /^pi_[0-9a-f]{24}_secret_[0-9a-f]{24}$/,
  code: /^[a-z0-9_]+$/,
  currency: /^[a-z]{3}$/,
  doc_url: /^https:\/\/docs\.stripe\.com\/error-codes\/[a-z0-9-]+$/,
  last4: /^\d{4}$/,
  latest_charge: /^ch_[0-9a-f]{24}$/,
  payment_intent: /^pi_[0-9a-f]{24}$/,
  payment_method: /^pm_[0-9a-f]{24}$/,
  source: /^du_[0-9a-f]{24}$/,
  url: /^\/v1\//,
}

const times = /^(created|canceled_at|available_on|due_by)$/
const maySink = new Set(['amount', 'net'])

type Json = Record<string, unknown>

/** The paths of the values that Stripe would not send. */
function findFaults(object: Json, path = ''): string[] {
  const prefix = idPrefixes[String(object.object)]
  const hasId = !prefix || new RegExp(`^${prefix}_[0-9a-f]{24}$`).test(String(object.id))
  const faults = Object.entries(object).flatMap(([name, value]) => {
    const at = `${path}.${name}`
    if (typeof value === 'object' && value !== null) return findFaults(value as Json, at)
    const isRight =
      typeof value === 'number'
        ? isNumberOf(object, name, value)
        : typeof value !== 'string' || (formats[name]?.test(value) ?? true)
    return isRight && !(name === 'livemode' && value !== false) ? [] : [`${at}: ${value}`]
  })
  return hasId ? faults : [`${path}.id: ${object.id}`, ...faults]
}

/** Amounts are whole cents, times whole seconds. */
function isNumberOf({ object }: Json, name: string, value: number) {
  const now = Date.now() / 1000
  if (times.test(name)) return Number.isInteger(value) && Math.abs(value - now) < 30 * 86_400
  const isSigned = object === 'balance_transaction' && maySink.has(name)
  return Number.isInteger(value) && (isSigned || value >= 0)
}

async function callApi(shop: TestShop, path: string, form?: Record<string, string>, headers: object = {}) {
  const response = await shop.payments.fetch(
    new Request(`http://shop.test/payments/v1/${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: 'Bearer sk_test_bank', 'stripe-version': '2026-10-28.endive', ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    }),
  )
  return { status: response.status, body: await response.json() }
}

const intentParams = {
  amount: '124000',
  currency: 'usd',
  receipt_email: 'ada@example.com',
  'metadata[orderId]': '1',
}

/** Pays, refunds and disputes by one card, as far as it goes, and returns all that the bank said. */
async function tryCard(shop: TestShop, number: string, params: Record<string, string> = {}) {
  const said: { status: number; body: Json }[] = []
  const call = async (path: string, form?: Record<string, string>) => {
    const answer = await callApi(shop, path, form)
    said.push(answer)
    return answer.body
  }
  const { id, client_secret: secret } = await call('payment_intents', { ...intentParams, ...params })
  const { status, response } = await payByCard(shop, secret, number)
  said.push({ status, body: response })
  await call(`payment_intents/${id}`)
  await call(`payment_intents/${id}/authenticate`, { outcome: 'fail' })
  await payByCard(shop, secret, number)
  await call(`payment_intents/${id}/authenticate`, { outcome: 'complete' })
  await call(`payment_intents/${id}/capture`, { amount_to_capture: '100000' })
  await call('refunds', { payment_intent: id, amount: '1000', reason: 'duplicate', 'metadata[key]': 'a' })
  for (const text of ['escalate_inquiry_evidence', 'winning_evidence']) {
    const { data } = await call(`disputes?payment_intent=${id}`)
    for (const { id: dispute } of data)
      await call(`disputes/${dispute}`, { 'evidence[uncategorized_text]': text })
  }
  await call('refunds', { payment_intent: id })
  const events = await takeEvents(shop)
  said.push(...events.map(({ body }) => ({ status: 200, body: JSON.parse(body) as Json })))
  await call(`refunds?payment_intent=${id}`)
  await call(`payment_intents/${id}?expand[]=latest_charge.refunds`)
  await call(`payment_intents/${id}/cancel`, { cancellation_reason: 'abandoned' })
  await call('payment_intents?limit=1')
  return said
}

const inquiry = '4000000000001976'
const cards = [...testCards.map(({ number }) => number.replaceAll(' ', '')), inquiry]

const ways: Record<string, string>[] = [
  {},
  { capture_method: 'manual' },
  { 'automatic_payment_methods[enabled]': 'true' },
]

test('every response and event of every test card has Stripe’s formats', async () => {
  const shop = await testShop()
  const types = new Set<string>()
  for (const params of ways) {
    for (const number of cards) {
      for (const { body } of await tryCard(shop, number, params)) {
        expect(findFaults(body), number).toEqual([])
        types.add(String(body.type ?? body.status ?? body.object))
      }
    }
  }
  expect([...types].filter((type) => type.includes('.')).sort()).toEqual([
    'charge.captured',
    'charge.dispute.closed',
    'charge.dispute.created',
    'charge.dispute.funds_reinstated',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.updated',
    'charge.failed',
    'charge.pending',
    'charge.refund.updated',
    'charge.refunded',
    'charge.succeeded',
    'payment_intent.amount_capturable_updated',
    'payment_intent.canceled',
    'payment_intent.created',
    'payment_intent.payment_failed',
    'payment_intent.processing',
    'payment_intent.requires_action',
    'payment_intent.succeeded',
    'refund.created',
    'refund.failed',
    'refund.updated',
  ])
})

test('errors have Stripe’s types and formats', async () => {
  const shop = await testShop()
  const { body: intent } = await callApi(shop, 'payment_intents', intentParams)
  const path = `payment_intents/${intent.id}`
  const guessed = { authorization: 'Bearer sk_test_guess' }
  const restricted = { authorization: 'Bearer rk_test_bank' }
  const key = { 'idempotency-key': 'key' }
  await callApi(shop, 'payment_intents', intentParams, key)
  // biome-ignore format: a table
  const errors: [answer: Awaited<ReturnType<typeof callApi>>, status: number, type: string][] = [
    [await callApi(shop, `${path}/confirm`, { payment_method: 'pm_card_visa_chargeDeclined' }), 402, 'card_error'],
    [await callApi(shop, `${path}/authenticate`, { outcome: 'complete' }), 400, 'invalid_request_error'],
    [await callApi(shop, 'payment_intents', { ...intentParams, amount: '100' }, key), 400, 'idempotency_error'],
    [await callApi(shop, 'payment_intents', { colour: 'red' }), 400, 'invalid_request_error'],
    [await callApi(shop, 'payment_intents/pi_unknown'), 404, 'invalid_request_error'],
    [await callApi(shop, 'nothing'), 404, 'invalid_request_error'],
    [await callApi(shop, path, undefined, guessed), 401, 'invalid_request_error'],
    [await callApi(shop, path, undefined, restricted), 403, 'invalid_request_error'],
  ]
  for (const [{ status, body }, ...expected] of errors) {
    expect([status, body.error.type]).toEqual(expected)
    expect(findFaults(body)).toEqual([])
  }
})
