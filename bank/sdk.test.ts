import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import type { Queries } from '../db/schema.ts'
import { embeddedPayments } from '../providers/payments/embedded.ts'
import { bankSdk, failure, readLatestCharge, takeEvents } from '../test/bank.ts'
import { cardBody, confirmPath } from '../test/card.ts'
import { loseRace } from '../test/locks.ts'
import { payByCard, type TestShop, testShop } from '../test/shop.ts'
import { bankDisputes, charges, paymentIntents } from './shop.ts'

const dollars = { amount: 124000, currency: 'usd' }

async function open() {
  const shop = await testShop()
  return { shop, stripe: bankSdk(shop) }
}

async function paid(stripe: Stripe, amount = 5000) {
  const intent = await stripe.paymentIntents.create({ ...dollars, amount })
  return stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
}

/** With a fetch client the SDK returns Headers, contrary to its types. */
function headersOf({ lastResponse: { headers } }: Stripe.Response<unknown>): Record<string, string> {
  return Object.fromEntries(headers as unknown as Headers)
}

const { StripeInvalidRequestError: Invalid, StripeCardError, StripeIdempotencyError } = Stripe.errors

test('a payment intent can be created and retrieved', async () => {
  const { stripe } = await open()
  const params = { ...dollars, receipt_email: 'ada@example.com', metadata: { order: '1', other: '' } }
  const created = await stripe.paymentIntents.create({ ...params, description: 'Chains' })
  const metadata = { order: '1' }
  expect(created).toMatchObject({ ...dollars, status: 'requires_payment_method', description: 'Chains' })
  expect(created).toMatchObject({ receipt_email: 'ada@example.com', metadata })
  expect(created.client_secret).toMatch(new RegExp(`^${created.id}_secret_`))
  expect(await stripe.paymentIntents.retrieve(created.id)).toEqual(created)
})

test('payment intents are listed newest first, and the key is checked', async () => {
  const { shop, stripe } = await open()
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) ids.unshift((await stripe.paymentIntents.create(dollars)).id)
  const first = await stripe.paymentIntents.list({ limit: 1 })
  expect(first).toMatchObject({ object: 'list', data: [{ id: ids[0] }], has_more: true })
  const allIds: string[] = []
  for await (const { id } of stripe.paymentIntents.list({ limit: 2 })) allIds.push(id)
  expect(allIds).toEqual(ids)
  const list = (key: string) => failure(bankSdk(shop, key).paymentIntents.list({ limit: 1 }))
  const unknown = await list('sk_test_guess')
  expect(unknown).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  const restricted = await list('rk_test_bank')
  expect(restricted).toBeInstanceOf(Stripe.errors.StripePermissionError)
  expect(restricted).toMatchObject({ statusCode: 403, code: 'more_permissions_required' })
})

test('a successful confirm creates a charge', async () => {
  const { stripe } = await open()
  const intent = await paid(stripe)
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 5000, last_payment_error: null })
  const charge = await readLatestCharge(stripe, intent.id)
  expect(charge).toMatchObject({
    amount: 5000,
    captured: true,
    paid: true,
    payment_intent: intent.id,
    status: 'succeeded',
    outcome: { type: 'authorized', network_status: 'approved_by_network' },
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242', funding: 'credit' } },
  })
  const expanded = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] })
  expect(expanded).toEqual({ ...intent, latest_charge: charge })
  const unpaid = await stripe.paymentIntents.create(dollars)
  const unexpanded = await stripe.paymentIntents.retrieve(unpaid.id, { expand: ['latest_charge'] })
  expect(unexpanded.latest_charge).toBeNull()
})

test('the charge cannot be expanded with a client secret', async () => {
  const { shop, stripe } = await open()
  const { id, client_secret } = await paid(stripe)
  const query = new URLSearchParams({ client_secret: client_secret!, 'expand[]': 'latest_charge' })
  const url = `http://shop.test/payments/v1/payment_intents/${id}?${query}`
  expect((await shop.payments.fetch(new Request(url))).status).toBe(400)
})

test('a declined card throws StripeCardError and leaves the payment intent open', async () => {
  const { shop, stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars)
  const declineParams = { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' }
  const error = await failure(stripe.paymentIntents.confirm(intent.id, declineParams))
  expect(error).toBeInstanceOf(StripeCardError)
  expect(error).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
    doc_url: 'https://docs.stripe.com/error-codes/card-declined',
    requestId: expect.stringMatching(/^req_/),
    payment_intent: { id: intent.id, status: 'requires_payment_method', latest_charge: error.charge },
    payment_method: { card: { last4: '9995' } },
  })
  const failed = await readLatestCharge(stripe, intent.id)
  expect(failed).toMatchObject({
    id: error.charge,
    status: 'failed',
    paid: false,
    captured: false,
    failure_code: 'card_declined',
    outcome: { type: 'issuer_declined', reason: 'insufficient_funds' },
  })
  const after = await stripe.paymentIntents.retrieve(intent.id)
  expect(after.last_payment_error).toMatchObject({ code: 'card_declined', charge: error.charge })
  const retried = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_mastercard' })
  expect(await readLatestCharge(stripe, retried.id)).toMatchObject({ status: 'succeeded' })
  const attempts = await shop.db
    .select({ id: charges.id, status: charges.status })
    .from(charges)
    .orderBy(charges.number)
  expect(attempts).toEqual([
    { id: failed.id, status: 'failed' },
    { id: retried.latest_charge, status: 'succeeded' },
  ])
})

test('a succeeded or canceled payment intent cannot be confirmed or canceled', async () => {
  const { stripe } = await open()
  const { id } = await paid(stripe)
  const unexpected = { code: 'payment_intent_unexpected_state', statusCode: 400 }
  expect(await failure(stripe.paymentIntents.cancel(id))).toMatchObject(unexpected)
  const again = stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  expect(await failure(again)).toMatchObject(unexpected)

  const other = await stripe.paymentIntents.create(dollars)
  const reason = { cancellation_reason: 'abandoned' } as const
  const canceled = await stripe.paymentIntents.cancel(other.id, reason)
  expect(canceled).toMatchObject({ ...reason, status: 'canceled', canceled_at: expect.any(Number) })
  const late = stripe.paymentIntents.confirm(other.id, { payment_method: 'pm_card_visa' })
  expect((await failure(late)).payment_intent).toMatchObject({ status: 'canceled' })
})

test('3-D Secure sets next_action, and a failed challenge can be retried', async () => {
  const { shop, stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars)
  const challengeParams = { payment_method: 'pm_card_authenticationRequired' }
  const confirmed = await stripe.paymentIntents.confirm(intent.id, challengeParams)
  expect(confirmed).toMatchObject({ status: 'requires_action', amount_received: 0, latest_charge: null })
  expect(confirmed.next_action).toEqual({
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_challenge' },
  })

  const failed = await authenticate(shop, intent, 'fail')
  expect(failed.response).toMatchObject({
    status: 'requires_payment_method',
    next_action: null,
    payment_method: null,
    last_payment_error: {
      code: 'payment_intent_authentication_failure',
      type: 'invalid_request_error',
      message: expect.stringContaining('unable to authenticate'),
    },
  })

  await stripe.paymentIntents.confirm(intent.id, challengeParams)
  await stripe.paymentIntents.confirm(intent.id, challengeParams)
  const { response } = await authenticate(shop, intent, 'complete')
  expect(response).toMatchObject({ status: 'succeeded' })
  const charge = await readLatestCharge(stripe, intent.id)
  expect(charge.payment_method_details?.card?.three_d_secure).toMatchObject({ result: 'authenticated' })
  expect(await shop.db.$count(charges, eq(charges.status, 'succeeded'))).toBe(1)
  expect((await authenticate(shop, intent, 'complete')).status).toBe(400)
})

test('another card can be used while 3-D Secure is pending', async () => {
  const { stripe } = await open()
  const { id } = await stripe.paymentIntents.create(dollars)
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired' })
  const other = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_amex' })
  expect(other).toMatchObject({ status: 'succeeded', next_action: null })
})

test('authenticate after a cancel returns an error and charges nothing', async () => {
  const { shop, stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars)
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_authenticationRequired' })
  expect((await stripe.paymentIntents.cancel(intent.id)).status).toBe('canceled')
  const { status, response } = await authenticate(shop, intent, 'complete')
  expect([status, response.error.message]).toEqual([400, 'This payment was cancelled. Nothing was charged.'])
  expect(await shop.db.$count(charges)).toBe(0)
})

test('of ten concurrent confirmations with a client secret, one charges the card, also with a card that is disputed', async () => {
  const { shop, stripe } = await open()
  for (const number of ['4242424242424242', '4000000000000259']) {
    const { id, client_secret: secret } = await stripe.paymentIntents.create(dollars)
    const confirm = async () => {
      const body = cardBody(secret!, { number })
      const url = `http://shop.test${confirmPath(secret!)}`
      return (await shop.payments.fetch(new Request(url, { method: 'POST', body }))).status
    }
    const lock = (tx: Queries) => tx.execute(sql`lock table bank.charges in exclusive mode`)
    const outcomes = await loseRace(shop, lock, Array(10).fill(confirm))
    const statuses = outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value)
    expect(statuses.toSorted(), number).toEqual([200, ...Array(9).fill(400)])
    expect(await shop.db.$count(charges, eq(charges.paymentIntent, id)), number).toBe(1)
  }
  expect(await shop.db.$count(bankDisputes)).toBe(1)
})

async function authenticate(shop: TestShop, intent: Stripe.PaymentIntent, outcome: string) {
  const url = `http://shop.test/payments/v1/payment_intents/${intent.id}/authenticate`
  const body = new URLSearchParams({ client_secret: intent.client_secret!, outcome })
  const response = await shop.payments.fetch(new Request(url, { method: 'POST', body }))
  return { status: response.status, response: await response.json() }
}

test('a charge can be refunded in parts, never above its amount', async () => {
  const { stripe } = await open()
  const intent = await paid(stripe)
  const charge = String(intent.latest_charge)
  const first = await stripe.refunds.create({
    payment_intent: intent.id,
    amount: 1500,
    reason: 'requested_by_customer',
    metadata: { key: 'a' },
  })
  expect(first).toMatchObject({ amount: 1500, charge, payment_intent: intent.id, status: 'succeeded' })
  expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toEqual([first])
  expect(await readLatestCharge(stripe, intent.id)).toMatchObject({ amount_refunded: 1500, refunded: false })

  const tooMuch = await failure(stripe.refunds.create({ payment_intent: intent.id, amount: 3501 }))
  expect(tooMuch).toBeInstanceOf(Invalid)
  expect(tooMuch.message).toBe('Refund amount ($35.01) is greater than unrefunded amount on charge ($35.00)')
  expect(tooMuch.param).toBe('amount')

  const rest = await stripe.refunds.create({ payment_intent: intent.id })
  expect(rest.amount).toBe(3500)
  expect(await readLatestCharge(stripe, intent.id)).toMatchObject({ amount_refunded: 5000, refunded: true })
  const none = await failure(stripe.refunds.create({ payment_intent: intent.id }))
  expect(none).toMatchObject({ code: 'charge_already_refunded', statusCode: 400 })

  const listed = await stripe.refunds.list({ payment_intent: intent.id, limit: 1 })
  expect(listed).toMatchObject({ object: 'list', has_more: true, url: '/v1/refunds' })
  const allIds: string[] = []
  for await (const { id } of stripe.refunds.list({ payment_intent: intent.id, limit: 1 })) allIds.push(id)
  expect(allIds).toEqual([rest.id, first.id])
  const unknown = stripe.refunds.list({ payment_intent: intent.id, starting_after: 're_unknown' })
  expect(await failure(unknown)).toMatchObject({ code: 'resource_missing', param: 'starting_after' })
})

test('a payment intent without a successful charge cannot be refunded', async () => {
  const { stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars)
  const unpaid = await failure(stripe.refunds.create({ payment_intent: intent.id }))
  expect(unpaid.message).toContain('does not have a successful charge to refund')
  const declined = stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' })
  expect(await failure(declined)).toBeInstanceOf(StripeCardError)
  expect(await failure(stripe.refunds.create({ payment_intent: intent.id }))).toBeInstanceOf(Invalid)
  expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toEqual([])
  expect(await failure(stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' })
})

test('every state change is recorded as an event', async () => {
  const { shop, stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars, { idempotencyKey: 'creation' })
  await payByCard(shop, intent.client_secret!, '4000000000000002')
  await payByCard(shop, intent.client_secret!, '4000002500003155')
  await authenticate(shop, intent, 'complete')
  await stripe.refunds.create({ payment_intent: intent.id, amount: 100 })
  const other = await stripe.paymentIntents.create(dollars)
  await stripe.paymentIntents.cancel(other.id)

  const events = (await takeEvents(shop)).map(({ body }) => JSON.parse(body) as Stripe.Event)
  expect(events.map((event) => event.type)).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'payment_intent.requires_action',
    'charge.succeeded',
    'payment_intent.succeeded',
    'refund.created',
    'charge.refunded',
    'payment_intent.created',
    'payment_intent.canceled',
  ])
  expect(events[0]).toMatchObject({
    object: 'event',
    api_version: Stripe.API_VERSION,
    livemode: false,
    pending_webhooks: 1,
    data: { object: intent },
    request: { idempotency_key: 'creation' },
  })
  expect(events.find((event) => event.type === 'charge.refunded')?.data).toMatchObject({
    object: { amount_refunded: 100 },
    previous_attributes: { amount_refunded: 0 },
  })
})

test('a repeated idempotency key with the same parameters replays the response', async () => {
  const { shop, stripe } = await open()
  const key = { idempotencyKey: 'key' }
  const first = await stripe.paymentIntents.create(dollars, key)
  const again = await stripe.paymentIntents.create(dollars, key)
  expect(again).toEqual(first)
  expect(headersOf(first)).not.toHaveProperty('idempotent-replayed')
  expect(headersOf(again)).toMatchObject({
    'idempotent-replayed': 'true',
    'idempotency-key': 'key',
    'original-request': first.lastResponse.requestId,
  })
  expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId)
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('10 concurrent requests with one idempotency key run once, and the others get 409 until it ends', async () => {
  const { shop, stripe } = await open()
  const release = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = shop.db.transaction(async (tx) => {
    await tx.execute(sql`lock table bank.payment_intents in exclusive mode`)
    isHeld.resolve()
    await release.promise
  })
  await isHeld.promise
  let refused = 0
  const create = () => stripe.paymentIntents.create(dollars, { idempotencyKey: 'key' })
  const results = Array.from({ length: 10 }, () =>
    create().catch((error: unknown) => {
      refused += 1
      if (refused === 9) release.resolve()
      return error
    }),
  )
  const settled = await Promise.all(results)
  await holding
  const errors = settled.filter((result) => result instanceof Stripe.errors.StripeError)
  expect(errors).toHaveLength(9)
  for (const error of errors) {
    expect(error).toMatchObject({
      statusCode: 409,
      code: 'idempotency_key_in_use',
      rawType: 'invalid_request_error',
      headers: { 'stripe-should-retry': 'true' },
    })
  }
  const created = settled.find((result) => !(result instanceof Error))
  const replayed = await create()
  expect(replayed).toEqual(created)
  expect(headersOf(replayed)).toMatchObject({ 'idempotent-replayed': 'true' })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('a reused idempotency key with other parameters or another path is an idempotency error', async () => {
  const { stripe } = await open()
  const key = { idempotencyKey: 'key' }
  const { id } = await stripe.paymentIntents.create(dollars, key)
  const reuses = [
    () => stripe.paymentIntents.create({ ...dollars, amount: 100 }, key),
    () => stripe.paymentIntents.cancel(id, {}, key),
  ]
  for (const reuse of reuses) {
    const error = await failure(reuse())
    expect(error).toBeInstanceOf(StripeIdempotencyError)
    expect(error).toMatchObject({ rawType: 'idempotency_error', statusCode: 400 })
  }
  expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_payment_method')
})

test('an idempotency key replays a decline but not a validation error', async () => {
  const { shop, stripe } = await open()
  const tooSmall = stripe.paymentIntents.create({ ...dollars, amount: 1 }, { idempotencyKey: 'creation' })
  expect((await failure(tooSmall)).code).toBe('amount_too_small')
  const intent = await stripe.paymentIntents.create(dollars, { idempotencyKey: 'creation' })

  const declineParams = { payment_method: 'pm_card_visa_chargeDeclined' }
  const key = { idempotencyKey: 'confirmation' }
  const first = await failure(stripe.paymentIntents.confirm(intent.id, declineParams, key))
  const again = await failure(stripe.paymentIntents.confirm(intent.id, declineParams, key))
  expect(again.charge).toBe(first.charge)
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
  expect(await shop.db.$count(charges)).toBe(1)
})

test('every response has a request id and the requested API version', async () => {
  const { stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars, { apiVersion: '2025-01-27.acacia' })
  expect(headersOf(intent)['stripe-version']).toBe('2025-01-27.acacia')
  expect(intent.lastResponse.requestId).toMatch(/^req_/)
  const { headers } = await failure(stripe.paymentIntents.retrieve('pi_unknown'))
  expect(headers).toMatchObject({
    'request-id': expect.stringMatching(/^req_/),
    'stripe-version': Stripe.API_VERSION,
  })
})

test('invalid requests return Stripe’s error codes and messages', async () => {
  const { shop, stripe } = await open()
  const { id } = await stripe.paymentIntents.create(dollars)
  const create = (params: object) => stripe.paymentIntents.create({ ...dollars, ...params })
  const metadata = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']))
  // biome-ignore format: a table
  const invalidRequests: [() => Promise<unknown>, object][] = [
    [() => create({ amount: undefined }), { code: 'parameter_missing', param: 'amount', message: 'Missing required param: amount.' }],
    [() => create({ amount: 12.5 }), { code: 'parameter_invalid_integer', param: 'amount', message: 'Invalid integer: 12.5' }],
    [() => create({ amount: 0 }), { code: 'parameter_invalid_integer', param: 'amount' }],
    [() => create({ amount: 49 }), { code: 'amount_too_small', param: 'amount' }],
    [() => create({ amount: 100_000_000 }), { code: 'amount_too_large', param: 'amount' }],
    [() => create({ currency: 'xqx' }), { param: 'currency' }],
    [() => create({ capture_method: 'later' }), { param: 'capture_method' }],
    [() => create({ automatic_payment_methods: { enabled: true }, payment_method_types: ['card'] }), { message: 'You may only specify one of these parameters: automatic_payment_methods, payment_method_types.' }],
    [() => create({ automatic_payment_methods: { enabled: true }, allowed_payment_method_types: ['card'] }), { message: 'You may only specify one of these parameters: automatic_payment_methods, allowed_payment_method_types.' }],
    [() => create({ receipt_email: 'nobody' }), { code: 'email_invalid', param: 'receipt_email' }],
    [() => create({ description: '' }), { code: 'parameter_invalid_empty', param: 'description' }],
    [() => create({ description: 'd'.repeat(5001) }), { param: 'description', message: 'Invalid string: must be at most 5000 characters' }],
    [() => create({ receipt_email: `${'e'.repeat(501)}@example.com` }), { param: 'receipt_email', message: 'Invalid string: must be at most 512 characters' }],
    [() => create({ colour: 'red' }), { code: 'parameter_unknown', param: 'colour', message: 'Received unknown parameter: colour' }],
    [() => create({ metadata: metadata(51) }), { param: 'metadata' }],
    [() => create({ metadata: { ['k'.repeat(41)]: 'v' } }), { param: `metadata[${'k'.repeat(41)}]` }],
    [() => create({ metadata: { k: 'v'.repeat(501) } }), { param: 'metadata[k]' }],
    [() => create({ description: '\0' }), {}],
    [() => stripe.refunds.list({ payment_intent: id, limit: 101 }), { code: 'parameter_invalid_integer', param: 'limit' }],
    [() => stripe.paymentIntents.list({ limit: 0 }), { code: 'parameter_invalid_integer', param: 'limit' }],
    [() => stripe.paymentIntents.retrieve(id, { expand: ['customer'] }), { message: 'This property cannot be expanded (customer).' }],
    [() => stripe.paymentIntents.capture(id), { code: 'payment_intent_unexpected_state', message: expect.stringContaining('statuses may be captured: requires_capture') }],
    [() => stripe.paymentIntents.confirm(id), { code: 'payment_intent_unexpected_state' }],
    [() => stripe.paymentIntents.confirm(id, { payment_method: 'pm_real' }), { code: 'resource_missing', param: 'payment_method' }],
    [() => stripe.paymentIntents.retrieve('pi_unknown'), { statusCode: 404, code: 'resource_missing', param: 'intent', message: "No such payment_intent: 'pi_unknown'" }],
    [() => stripe.refunds.create({ payment_intent: 'pi_unknown' }), { code: 'resource_missing', param: 'payment_intent' }],
    [() => stripe.disputes.close('du_unknown'), { statusCode: 404, code: 'resource_missing' }],
    [() => stripe.customers.retrieve('cus_1'), { statusCode: 404, message: 'Unrecognized request URL (GET: /v1/customers/cus_1).' }],
  ]
  for (const [request, expected] of invalidRequests) {
    const error = await failure(request())
    expect(error).toBeInstanceOf(Invalid)
    expect(error).toMatchObject({ rawType: 'invalid_request_error', ...expected })
  }
  expect(await shop.db.$count(paymentIntents)).toBe(1)
  expect(await create({ amount: 50, metadata: metadata(50) })).toMatchObject({ amount: 50 })
  expect(await create({ amount: 99_999_999 })).toMatchObject({ amount: 99_999_999 })
})

test('a call of the bank while the database is away gets 503 and can be repeated', async () => {
  const { shop, stripe } = await open()
  const { client_secret: clientSecret, id } = await stripe.paymentIntents.create(dollars)
  const pool = new pg.Pool({ connectionString: 'postgres://shop@127.0.0.1:1/shop' })
  const away = embeddedPayments(drizzle(pool, { casing: 'snake_case' }) as unknown as TestShop['db'], {
    secret: 'bank',
  })
  const body = cardBody(clientSecret!)
  const confirm = () => new Request(`http://shop.test${confirmPath(clientSecret!)}`, { method: 'POST', body })
  const read = new Request(`http://shop.test/payments/v1/payment_intents/${id}?client_secret=${clientSecret}`)
  for (const request of [confirm(), read]) {
    const response = await away.fetch(request)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await response.json()).toEqual({
      error: {
        type: 'api_error',
        message: 'The test bank is temporarily unavailable. Try again in a moment.',
      },
    })
  }
  await pool.end()
  expect((await shop.payments.fetch(confirm())).status).toBe(200)
  expect((await stripe.paymentIntents.retrieve(id)).status).toBe('succeeded')
})
