import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { payByCard, type TestShop, testShop } from '#test/shop.ts'

const euros = { amount: 4200, currency: 'eur', receipt_email: 'ada@example.com', metadata: { order: '1' } }
const dollars = { amount: 124000, currency: 'usd' }

/** The official SDK with another base path. */
function sdk(shop: TestShop, key = 'sk_test_bank') {
  const httpClient = Stripe.createFetchHttpClient(async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    url.pathname = `/payments${url.pathname}`
    return shop.payments.fetch(new Request(url, request))
  })
  return new Stripe(key, { httpClient, telemetry: false, maxNetworkRetries: 0 })
}

async function open() {
  const shop = await testShop()
  return { shop, stripe: sdk(shop) }
}

async function paid(stripe: Stripe, amount = 5000) {
  const intent = await stripe.paymentIntents.create({ ...dollars, amount })
  return stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
}

async function failure(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (reason) => reason,
  )
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error('the SDK did not refuse')
  return error
}

/** With a fetch client the SDK returns Headers, contrary to its types. */
function headersOf({ lastResponse: { headers } }: Stripe.Response<unknown>): Record<string, string> {
  return Object.fromEntries(headers as unknown as Headers)
}

const { StripeInvalidRequestError: Invalid, StripeCardError, StripeIdempotencyError } = Stripe.errors

test('a payment intent can be created, retrieved and updated', async () => {
  const { stripe } = await open()
  const created = await stripe.paymentIntents.create({ ...euros, description: 'Chains' })
  expect(created).toMatchObject({ ...euros, status: 'requires_payment_method', description: 'Chains' })
  expect(created.client_secret).toMatch(new RegExp(`^${created.id}_secret_`))
  expect(await stripe.paymentIntents.retrieve(created.id)).toEqual(created)

  const changes = { amount: 4300, metadata: { order: '', other: '2' }, receipt_email: '' }
  const updated = await stripe.paymentIntents.update(created.id, changes)
  expect(updated).toMatchObject({ amount: 4300, receipt_email: null, description: 'Chains' })
  expect(updated.metadata).toEqual({ other: '2' })
  expect((await stripe.paymentIntents.update(created.id, { metadata: '' })).metadata).toEqual({})
})

test('a succeeded payment intent rejects a new amount and accepts new metadata', async () => {
  const { stripe } = await open()
  const { id } = await paid(stripe)
  const error = await failure(stripe.paymentIntents.update(id, { amount: 100 }))
  expect(error).toMatchObject({ code: 'payment_intent_unexpected_state', statusCode: 400 })
  expect(error.payment_intent).toMatchObject({ id, status: 'succeeded', amount: 5000 })
  expect((await stripe.paymentIntents.update(id, { metadata: { a: 'b' } })).metadata).toEqual({ a: 'b' })
})

test('a successful confirm creates a charge', async () => {
  const { stripe } = await open()
  const intent = await paid(stripe)
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 5000, last_payment_error: null })
  const charge = await stripe.charges.retrieve(String(intent.latest_charge))
  expect(charge).toMatchObject({
    ...{ amount: 5000, captured: true, paid: true, payment_intent: intent.id, status: 'succeeded' },
    outcome: { type: 'authorized', network_status: 'approved_by_network' },
    payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242', funding: 'credit' } },
  })
})

test('a declined card throws StripeCardError and leaves the payment intent open', async () => {
  const { stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars)
  const declineParams = { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' }
  const error = await failure(stripe.paymentIntents.confirm(intent.id, declineParams))
  expect(error).toBeInstanceOf(StripeCardError)
  expect(error).toMatchObject({
    ...{ statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' },
    message: 'Your card has insufficient funds.',
    doc_url: 'https://docs.stripe.com/error-codes/card-declined',
    requestId: expect.stringMatching(/^req_/),
    payment_intent: { id: intent.id, status: 'requires_payment_method', latest_charge: error.charge },
    payment_method: { card: { last4: '9995' } },
  })
  const failed = await stripe.charges.retrieve(error.charge!)
  expect(failed).toMatchObject({
    ...{ status: 'failed', paid: false, captured: false, failure_code: 'card_declined' },
    outcome: { type: 'issuer_declined', reason: 'insufficient_funds' },
  })
  const after = await stripe.paymentIntents.retrieve(intent.id)
  expect(after.last_payment_error).toMatchObject({ code: 'card_declined', charge: error.charge })
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_mastercard' })
  const attempts = await stripe.charges.list({ payment_intent: intent.id })
  expect(attempts.data.map((charge) => charge.status)).toEqual(['succeeded', 'failed'])
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
  expect(failed.answer).toMatchObject({
    ...{ status: 'requires_payment_method', next_action: null, payment_method: null },
    last_payment_error: {
      ...{ code: 'payment_intent_authentication_failure', type: 'invalid_request_error' },
      message: expect.stringContaining('unable to authenticate'),
    },
  })

  await stripe.paymentIntents.confirm(intent.id, challengeParams)
  await stripe.paymentIntents.confirm(intent.id, challengeParams)
  expect((await authenticate(shop, intent, 'complete')).answer).toMatchObject({ status: 'succeeded' })
  const { data } = await stripe.charges.list({ payment_intent: intent.id })
  expect(data).toHaveLength(1)
  expect(data[0]?.payment_method_details?.card?.three_d_secure).toMatchObject({ result: 'authenticated' })
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
  const { status, answer } = await authenticate(shop, intent, 'complete')
  expect([status, answer.error.message]).toEqual([400, 'This payment was cancelled. Nothing was charged.'])
  expect((await stripe.charges.list()).data).toEqual([])
})

async function authenticate(shop: TestShop, intent: Stripe.PaymentIntent, outcome: string) {
  const url = `http://shop.test/payments/v1/payment_intents/${intent.id}/authenticate`
  const body = new URLSearchParams({ client_secret: intent.client_secret!, outcome })
  const response = await shop.payments.fetch(new Request(url, { method: 'POST', body }))
  return { status: response.status, answer: await response.json() }
}

test('a charge can be refunded in parts, never above its amount', async () => {
  const { stripe } = await open()
  const intent = await paid(stripe)
  const charge = String(intent.latest_charge)
  const first = await stripe.refunds.create({
    ...{ payment_intent: intent.id, amount: 1500, reason: 'requested_by_customer', metadata: { key: 'a' } },
  })
  expect(first).toMatchObject({ amount: 1500, charge, payment_intent: intent.id, status: 'succeeded' })
  expect(await stripe.refunds.retrieve(first.id)).toEqual(first)
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 1500, refunded: false })

  const tooMuch = await failure(stripe.refunds.create({ charge, amount: 3501 }))
  expect(tooMuch).toBeInstanceOf(Invalid)
  expect(tooMuch.message).toBe('Refund amount ($35.01) is greater than unrefunded amount on charge ($35.00)')
  expect(tooMuch.param).toBe('amount')

  const rest = await stripe.refunds.create({ charge })
  expect(rest.amount).toBe(3500)
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount_refunded: 5000, refunded: true })
  const none = await failure(stripe.refunds.create({ payment_intent: intent.id }))
  expect(none).toMatchObject({ code: 'charge_already_refunded', statusCode: 400 })

  const listed = await stripe.refunds.list({ payment_intent: intent.id })
  expect(listed.data.map((refund) => refund.id)).toEqual([rest.id, first.id])
})

test('a payment intent without a successful charge cannot be refunded', async () => {
  const { stripe } = await open()
  const intent = await stripe.paymentIntents.create(dollars)
  const unpaid = await failure(stripe.refunds.create({ payment_intent: intent.id }))
  expect(unpaid.message).toContain('does not have a successful charge to refund')
  const declined = stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' })
  const { charge } = await failure(declined)
  expect(await failure(stripe.refunds.create({ charge: charge! }))).toBeInstanceOf(Invalid)
  expect((await stripe.refunds.list()).data).toEqual([])
  expect(await failure(stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' })
})

test('a list can be paged forwards and backwards', async () => {
  const { stripe } = await open()
  const createdIds: string[] = []
  for (const amount of [100, 200, 300, 400, 500]) {
    createdIds.unshift((await stripe.paymentIntents.create({ amount, currency: 'usd' })).id)
  }
  const idsOf = (list: Stripe.ApiList<{ id: string }>) => list.data.map((item) => item.id)

  const first = await stripe.paymentIntents.list({ limit: 2 })
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/payment_intents' })
  expect(idsOf(first)).toEqual(createdIds.slice(0, 2))
  const second = await stripe.paymentIntents.list({ limit: 2, starting_after: createdIds[1]! })
  expect(idsOf(second)).toEqual(createdIds.slice(2, 4))
  const last = await stripe.paymentIntents.list({ limit: 2, starting_after: createdIds[3]! })
  expect([last.has_more, idsOf(last)]).toEqual([false, createdIds.slice(4)])
  const back = await stripe.paymentIntents.list({ limit: 2, ending_before: createdIds[4]! })
  expect([back.has_more, idsOf(back)]).toEqual([true, createdIds.slice(2, 4)])

  const allIds: string[] = []
  for await (const intent of stripe.paymentIntents.list({ limit: 2 })) allIds.push(intent.id)
  expect(allIds).toEqual(createdIds)
  const unknown = stripe.paymentIntents.list({ starting_after: 'pi_unknown' })
  expect(await failure(unknown)).toMatchObject({ code: 'resource_missing', param: 'starting_after' })
})

test('a list can be filtered by creation time', async () => {
  const { stripe } = await open()
  const { created } = await stripe.paymentIntents.create(dollars)
  const counts = [{ gte: created }, { gt: created + 1 }, { lte: created }, { lt: created }, created].map(
    async (when) => (await stripe.paymentIntents.list({ created: when })).data.length,
  )
  expect(await Promise.all(counts)).toEqual([1, 0, 1, 0, 1])
})

test('expand returns referenced objects in full', async () => {
  const { stripe } = await open()
  const { id } = await paid(stripe)
  for (let refund = 0; refund < 11; refund += 1) {
    await stripe.refunds.create({ payment_intent: id, amount: 100 })
  }
  const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.refunds', 'customer'] })
  const charge = intent.latest_charge as Stripe.Charge
  expect(charge).toMatchObject({ object: 'charge', payment_intent: id, amount_refunded: 1100 })
  expect(charge.refunds).toMatchObject({ has_more: true, url: `/v1/charges/${charge.id}/refunds` })
  expect(charge.refunds?.data).toHaveLength(10)

  const refunds = await stripe.refunds.list({ limit: 3, expand: ['data.charge', 'data.payment_intent'] })
  for (const refund of refunds.data) {
    expect(refund).toMatchObject({
      charge: { id: charge.id },
      payment_intent: { id, object: 'payment_intent' },
    })
  }
  const opened = await stripe.paymentIntents.create({ ...dollars, expand: ['latest_charge'] })
  expect(opened.latest_charge).toBe(null)
  const error = await failure(stripe.paymentIntents.retrieve(id, { expand: ['amount'] }))
  expect(error.message).toBe('This property cannot be expanded (amount).')
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

  const { data } = await stripe.events.list({ limit: 100 })
  expect(data.map((event) => event.type).toReversed()).toEqual([
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
  const first = data.at(-1)!
  expect(first).toMatchObject({
    ...{ object: 'event', api_version: Stripe.API_VERSION, livemode: false, pending_webhooks: 1 },
    ...{ data: { object: intent }, request: { idempotency_key: 'creation' } },
  })
  expect(await stripe.events.retrieve(first.id)).toEqual(first)
  const refunded = await stripe.events.list({ type: 'charge.refunded' })
  expect(refunded.data[0]?.data).toMatchObject({
    object: { amount_refunded: 100 },
    previous_attributes: { amount_refunded: 0 },
  })
  const types = ['payment_intent.canceled', 'charge.failed']
  expect((await stripe.events.list({ types })).data.map((event) => event.type)).toEqual(types)
})

test('a repeated idempotency key with the same parameters replays the response', async () => {
  const { stripe } = await open()
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
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1)
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
  const { stripe } = await open()
  const tooSmall = stripe.paymentIntents.create({ ...dollars, amount: 1 }, { idempotencyKey: 'creation' })
  expect((await failure(tooSmall)).code).toBe('amount_too_small')
  const intent = await stripe.paymentIntents.create(dollars, { idempotencyKey: 'creation' })

  const declineParams = { payment_method: 'pm_card_visa_chargeDeclined' }
  const key = { idempotencyKey: 'confirmation' }
  const first = await failure(stripe.paymentIntents.confirm(intent.id, declineParams, key))
  const again = await failure(stripe.paymentIntents.confirm(intent.id, declineParams, key))
  expect(again.charge).toBe(first.charge)
  expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
  expect((await stripe.charges.list()).data).toHaveLength(1)
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
    [() => create({ currency: 'xxx' }), { param: 'currency' }],
    [() => create({ receipt_email: 'nobody' }), { code: 'email_invalid', param: 'receipt_email' }],
    [() => create({ description: '' }), { code: 'parameter_invalid_empty', param: 'description' }],
    [() => create({ description: 'd'.repeat(5001) }), { param: 'description', message: 'Invalid string: must be at most 5000 characters' }],
    [() => create({ receipt_email: `${'e'.repeat(501)}@example.com` }), { param: 'receipt_email', message: 'Invalid string: must be at most 512 characters' }],
    [() => create({ colour: 'red' }), { code: 'parameter_unknown', param: 'colour', message: 'Received unknown parameter: colour' }],
    [() => create({ metadata: metadata(51) }), { param: 'metadata' }],
    [() => create({ metadata: { ['k'.repeat(41)]: 'v' } }), { param: `metadata[${'k'.repeat(41)}]` }],
    [() => create({ metadata: { k: 'v'.repeat(501) } }), { param: 'metadata[k]' }],
    [() => create({ description: '\0' }), {}],
    [() => stripe.paymentIntents.list({ limit: 101 }), { code: 'parameter_invalid_integer', param: 'limit' }],
    [() => stripe.paymentIntents.confirm(id), { code: 'payment_intent_unexpected_state' }],
    [() => stripe.paymentIntents.confirm(id, { payment_method: 'pm_real' }), { code: 'resource_missing', param: 'payment_method' }],
    [() => stripe.paymentIntents.retrieve('pi_unknown'), { statusCode: 404, code: 'resource_missing', param: 'intent', message: "No such payment_intent: 'pi_unknown'" }],
    [() => stripe.charges.retrieve('ch_unknown'), { statusCode: 404, code: 'resource_missing' }],
    [() => stripe.refunds.retrieve('re_unknown'), { statusCode: 404, code: 'resource_missing' }],
    [() => stripe.events.retrieve('evt_unknown'), { statusCode: 404, code: 'resource_missing' }],
    [() => stripe.refunds.create({ payment_intent: 'pi_unknown' }), { code: 'resource_missing', param: 'payment_intent' }],
    [() => stripe.customers.retrieve('cus_1'), { statusCode: 404, message: 'Unrecognized request URL (GET: /v1/customers/cus_1).' }],
  ]
  for (const [request, expected] of invalidRequests) {
    const error = await failure(request())
    expect(error).toBeInstanceOf(Invalid)
    expect(error).toMatchObject({ rawType: 'invalid_request_error', ...expected })
  }
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1)
  expect(await failure(sdk(shop, 'sk_test_guess').paymentIntents.list())).toBeInstanceOf(
    Stripe.errors.StripeAuthenticationError,
  )
  expect(await create({ amount: 50, metadata: metadata(50) })).toMatchObject({ amount: 50 })
  expect(await create({ amount: 99_999_999 })).toMatchObject({ amount: 99_999_999 })
})
