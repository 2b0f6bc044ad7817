import { expect, test } from 'vitest'
import { z } from 'zod'
import { takeEvents } from '../test/bank.ts'
import { payByCard, type TestShop, testShop } from '../test/shop.ts'

// The types of Stripe’s SDK name every field. What they leave open is here: formats, ranges and sets of values.

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`))
const cents = z.int().min(0).max(99_999_999)
const time = z
  .int()
  .min(1_600_000_000)
  .refine((seconds) => seconds <= Date.now() / 1000 + 60)
const common = {
  created: time,
  currency: z.string().regex(/^[a-z]{3}$/),
  livemode: z.literal(false),
  metadata: z.record(z.string().max(40), z.string().max(500)),
}
const payment = { charge: id('ch'), payment_intent: id('pi'), payment_method: id('pm').nullable() }

const card = z.looseObject({
  brand: z.enum(['amex', 'diners', 'discover', 'jcb', 'mastercard', 'unionpay', 'visa', 'unknown']),
  checks: z.looseObject({ cvc_check: z.enum(['pass', 'fail', 'unavailable', 'unchecked']).nullable() }),
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2020),
  funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']),
  last4: z.string().regex(/^\d{4}$/),
  regulated_status: z.enum(['regulated', 'unregulated']),
})

const paymentMethod = z.looseObject({
  id: id('pm'),
  object: z.literal('payment_method'),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']),
  card,
  created: time,
  livemode: common.livemode,
  metadata: common.metadata,
  type: z.literal('card'),
})

const errorFields = {
  charge: id('ch').optional(),
  code: z
    .string()
    .regex(/^[a-z0-9_]+$/)
    .optional(),
  decline_code: z.string().optional(),
  doc_url: z.url().optional(),
  message: z.string(),
  param: z.string().optional(),
  payment_method: paymentMethod.optional(),
  type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']),
}

// biome-ignore format: a table
const paymentIntent = z.looseObject({
  ...common,
  id: id('pi'),
  object: z.literal('payment_intent'),
  amount: cents.min(50),
  amount_capturable: cents,
  amount_received: cents,
  canceled_at: time.nullable(),
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).nullable(),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']),
  client_secret: z.string().regex(/^pi_[0-9a-f]{24}_secret_[0-9a-f]{24}$/),
  confirmation_method: z.enum(['automatic', 'manual']),
  last_payment_error: z.strictObject(errorFields).nullable(),
  get latest_charge() {
    return z.union([id('ch'), charge]).nullable()
  },
  next_action: z.strictObject({
    type: z.literal('use_stripe_sdk'),
    use_stripe_sdk: z.strictObject({ type: z.literal('three_d_secure_challenge') }),
  }).nullable(),
  payment_method: payment.payment_method,
  receipt_email: z.email().nullable(),
  status: z.enum(['canceled', 'processing', 'requires_action', 'requires_capture', 'requires_payment_method', 'succeeded']),
})

// biome-ignore format: a table
const charge = z.looseObject({
  ...common,
  id: id('ch'),
  object: z.literal('charge'),
  amount: cents,
  amount_captured: cents,
  amount_refunded: cents,
  outcome: z.looseObject({
    network_status: z.enum(['approved_by_network', 'declined_by_network', 'not_sent_to_network', 'reversed_after_approval']),
    risk_level: z.enum(['normal', 'elevated', 'highest', 'not_assessed', 'unknown']),
    type: z.enum(['authorized', 'manual_review', 'issuer_declined', 'blocked', 'invalid']),
  }),
  payment_intent: payment.payment_intent,
  payment_method: payment.payment_method,
  payment_method_details: z.looseObject({
    card: card.extend({
      amount_authorized: cents.nullable(),
      three_d_secure: z.looseObject({
        authentication_flow: z.enum(['challenge', 'frictionless']),
        result: z.enum(['attempt_acknowledged', 'authenticated', 'exempted', 'failed', 'not_supported', 'processing_error']),
        version: z.enum(['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1']),
      }).nullable(),
    }),
    type: z.literal('card'),
  }),
  status: z.enum(['failed', 'pending', 'succeeded']),
})

// biome-ignore format: a table
const refund = z.looseObject({
  created: time,
  currency: common.currency,
  metadata: common.metadata,
  ...payment,
  id: id('re'),
  object: z.literal('refund'),
  amount: cents.min(1),
  destination_details: z.looseObject({
    card: z.looseObject({
      reference_status: z.enum(['available', 'pending', 'unavailable']),
      type: z.enum(['pending', 'refund', 'reversal']),
    }),
    type: z.literal('card'),
  }),
  failure_reason: z.enum(['declined', 'expired_or_canceled_card', 'insufficient_funds', 'lost_or_stolen_card', 'merchant_request', 'unknown']).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).nullable(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
})

// biome-ignore format: a table
const balanceTransaction = z.looseObject({
  id: id('txn'),
  amount: z.int(),
  available_on: time,
  created: time,
  currency: common.currency,
  fee: cents,
  fee_details: z.array(z.looseObject({ amount: cents, currency: common.currency, type: z.enum(['application_fee', 'stripe_fee', 'tax']) })),
  net: z.int(),
  reporting_category: z.enum(['dispute', 'dispute_reversal']),
  source: id('du'),
  status: z.enum(['available', 'pending']),
})

// biome-ignore format: a table
const dispute = z.looseObject({
  ...common,
  id: id('du'),
  object: z.literal('dispute'),
  amount: cents,
  balance_transactions: z.array(balanceTransaction).max(2),
  charge: payment.charge,
  evidence_details: z.looseObject({
    due_by: z.int().nullable(),
    submission_count: z.int().min(0),
    submission_method: z.enum(['manual', 'not_submitted', 'smart_disputes']),
  }),
  payment_intent: payment.payment_intent,
  payment_method_details: z.looseObject({
    card: z.looseObject({ case_type: z.enum(['block', 'chargeback', 'compliance', 'inquiry', 'resolution']) }),
    type: z.literal('card'),
  }),
  reason: z.enum(['fraudulent', 'product_not_received']),
  status: z.enum(['lost', 'needs_response', 'under_review', 'warning_closed', 'warning_needs_response', 'warning_under_review', 'won']),
})

const event = z.strictObject({
  id: id('evt'),
  object: z.literal('event'),
  api_version: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d/)
    .nullable(),
  created: time,
  data: z.strictObject({
    object: z.discriminatedUnion('object', [paymentIntent, charge, refund, dispute]),
    previous_attributes: z.record(z.string(), z.unknown()).optional(),
  }),
  livemode: common.livemode,
  pending_webhooks: z.int().min(0),
  request: z.strictObject({ id: id('req').nullable(), idempotency_key: z.string().nullable() }).nullable(),
  type: z.string(),
})

const error = z.strictObject({
  error: z.strictObject({ ...errorFields, payment_intent: paymentIntent.optional() }),
})

function listOf(item: z.ZodType) {
  return z.strictObject({
    object: z.literal('list'),
    data: z.array(item).min(1),
    has_more: z.boolean(),
    url: z.string().startsWith('/v1/'),
  })
}

async function callApi(
  shop: TestShop,
  path: string,
  form?: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await shop.payments.fetch(
    new Request(`http://shop.test/payments/v1/${path}`, {
      method: form ? 'POST' : 'GET',
      headers: {
        authorization: 'Bearer sk_test_bank',
        'stripe-version': '2026-10-28.endive',
        ...headers,
      },
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

async function webhookEvents(shop: TestShop) {
  return (await takeEvents(shop)).map(({ body }) => event.parse(JSON.parse(body)))
}

async function open(shop: TestShop) {
  const { body } = await callApi(shop, 'payment_intents', intentParams)
  return paymentIntent.parse(body)
}

test('a payment intent has the documented fields in every status', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  const steps: string[] = []
  const checkIntent = async () => {
    const { body } = await callApi(shop, `payment_intents/${id}`)
    steps.push(paymentIntent.parse(body).status)
  }
  await checkIntent()
  await payByCard(shop, client_secret, '4000000000000002')
  await checkIntent()
  await payByCard(shop, client_secret, '4000002500003155')
  await checkIntent()
  await callApi(shop, `payment_intents/${id}/authenticate`, { outcome: 'fail' })
  await checkIntent()
  await payByCard(shop, client_secret)
  await checkIntent()
  const other = await open(shop)
  const canceled = await callApi(shop, `payment_intents/${other.id}/cancel`, {
    cancellation_reason: 'abandoned',
  })
  steps.push(paymentIntent.parse(canceled.body).status)
  const automatic = { ...intentParams, 'automatic_payment_methods[enabled]': 'true' }
  paymentIntent.parse((await callApi(shop, 'payment_intents', automatic)).body)
  expect(steps).toEqual([
    'requires_payment_method',
    'requires_payment_method',
    'requires_action',
    'requires_payment_method',
    'succeeded',
    'canceled',
  ])
})

test('charges, refunds and events have the documented fields', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  await payByCard(shop, client_secret, '4000000000000127')
  await payByCard(shop, client_secret, '4000002500003155')
  await callApi(shop, `payment_intents/${id}/authenticate`, { outcome: 'complete' })
  const params = { payment_intent: id, amount: '1000', reason: 'duplicate', 'metadata[key]': 'a' }
  const { body } = await callApi(shop, 'refunds', params)
  refund.parse(body)
  refund.parse((await callApi(shop, 'refunds', { payment_intent: id })).body)

  listOf(refund).parse((await callApi(shop, `refunds?payment_intent=${id}`)).body)
  const expanded = await callApi(shop, `payment_intents/${id}?expand[]=latest_charge.refunds`)
  const withRefunds = charge.extend({ refunds: listOf(refund) })
  expect(withRefunds.parse(expanded.body.latest_charge).refunds.data).toHaveLength(2)
  charge.parse((await callApi(shop, `charges/${body.charge}`)).body)
  expect((await webhookEvents(shop)).length).toBeGreaterThan(8)
})

test('a failed refund has the documented fields and gives its amount back', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  await payByCard(shop, client_secret, '4000000000005126')
  const { body } = await callApi(shop, 'refunds', { payment_intent: id })
  const events = await webhookEvents(shop)
  const after = await callApi(shop, `refunds/${body.id}`)
  expect(refund.parse(after.body)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  })
  expect(events.at(-1)?.type).toBe('refund.failed')
  const failed = charge.parse((await callApi(shop, `charges/${body.charge}`)).body)
  expect(failed).toMatchObject({ amount_refunded: 0, refunded: false })
})

test('captures, pending payments and pending refunds have the documented fields', async () => {
  const shop = await testShop()
  const { body } = await callApi(shop, 'payment_intents', { ...intentParams, capture_method: 'manual' })
  const { id } = paymentIntent.parse(body)
  const confirm = (intent: string, card: string) =>
    callApi(shop, `payment_intents/${intent}/confirm`, { payment_method: card })
  paymentIntent.parse((await confirm(id, 'pm_card_pendingRefund')).body)
  const captured = await callApi(shop, `payment_intents/${id}/capture`, { amount_to_capture: '100000' })
  expect(paymentIntent.parse(captured.body).amount_received).toBe(100_000)
  const pending = refund.parse((await callApi(shop, 'refunds', { payment_intent: id })).body)
  refund.parse((await callApi(shop, `refunds/${pending.id}/cancel`, {})).body)
  const other = await open(shop)
  expect(paymentIntent.parse((await confirm(other.id, 'pm_card_processing')).body).status).toBe('processing')
  const expanded = await callApi(shop, `payment_intents/${id}?expand[]=latest_charge`)
  expect(paymentIntent.parse(expanded.body).latest_charge).toMatchObject({ amount_captured: 100_000 })
  listOf(paymentIntent).parse((await callApi(shop, 'payment_intents?limit=1')).body)
  expect((await webhookEvents(shop)).length).toBeGreaterThan(10)
})

test('disputes and their events have the documented fields', async () => {
  const shop = await testShop()
  for (const [card, text] of [
    ['pm_card_createDispute', 'winning_evidence'],
    ['pm_card_createDisputeInquiry', 'escalate_inquiry_evidence'],
  ]) {
    const { id } = await open(shop)
    await callApi(shop, `payment_intents/${id}/confirm`, { payment_method: card! })
    const { body } = await callApi(shop, `disputes?payment_intent=${id}`)
    const { data } = listOf(dispute).parse(body)
    const { id: opened } = dispute.parse(data[0])
    const form = { 'evidence[uncategorized_text]': text! }
    dispute.parse((await callApi(shop, `disputes/${opened}`, form)).body)
    dispute.parse((await callApi(shop, `disputes/${opened}`)).body)
  }
  expect((await webhookEvents(shop)).filter(({ type }) => type.startsWith('charge.dispute.'))).toHaveLength(9)
})

test('errors have the documented fields', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  const guessed = { authorization: 'Bearer sk_test_guess' }
  const restricted = { authorization: 'Bearer rk_test_bank' }
  const key = { 'idempotency-key': 'key' }
  await callApi(shop, 'payment_intents', intentParams, key)
  const pay = async (number: string) => {
    const { status, response } = await payByCard(shop, client_secret, number)
    return { status, body: response }
  }
  // biome-ignore format: a table
  const errors: [answer: { status: number; body: unknown }, status: number, type: string][] = [
    [await pay('4000000000000002'), 402, 'card_error'],
    [await pay('4111111111111111'), 402, 'card_error'],
    [await callApi(shop, `payment_intents/${id}/authenticate`, { outcome: 'complete' }), 400, 'invalid_request_error'],
    [await callApi(shop, 'payment_intents', { ...intentParams, amount: '1' }), 400, 'invalid_request_error'],
    [await callApi(shop, 'payment_intents', { ...intentParams, amount: '100' }, key), 400, 'idempotency_error'],
    [await callApi(shop, 'payment_intents', { colour: 'red' }), 400, 'invalid_request_error'],
    [await callApi(shop, 'payment_intents/pi_unknown'), 404, 'invalid_request_error'],
    [await callApi(shop, 'refunds', { payment_intent: id }), 400, 'invalid_request_error'],
    [await callApi(shop, 'nothing'), 404, 'invalid_request_error'],
    [await callApi(shop, `payment_intents/${id}`, undefined, guessed), 401, 'invalid_request_error'],
    [await callApi(shop, `payment_intents/${id}`, undefined, restricted), 403, 'invalid_request_error'],
    [await callApi(shop, `payment_intents/${id}/capture`, {}), 400, 'invalid_request_error'],
  ]
  for (const [{ status, body }, ...expected] of errors) {
    expect([status, error.parse(body).error.type]).toEqual(expected)
  }
})
