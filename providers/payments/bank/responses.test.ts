import { expect, test } from 'vitest'
import { z } from 'zod'
import { payByCard, type TestShop, testShop } from '#test/shop.ts'

// The fields that Stripe's API reference documents, each with its type; nothing else may be answered.

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`))
const cents = z.int().min(0).max(99_999_999)
const time = z
  .int()
  .min(1_600_000_000)
  .max(Date.now() / 1000 + 60)
const currency = z.string().regex(/^[a-z]{3}$/)
const metadata = z.record(z.string().max(40), z.string().max(500))
const maybe = z.string().nullable()
/** Documented for what this bank does not do: only ever empty. */
const never = z.null()
const none = {
  application: never,
  application_fee_amount: never,
  customer: never,
  on_behalf_of: never,
  review: never,
  shipping: never,
  source: never,
  statement_descriptor: never,
  statement_descriptor_suffix: never,
  transfer_data: never,
  transfer_group: never,
}

const billingDetails = z.strictObject({
  address: z
    .strictObject({
      city: maybe,
      country: maybe,
      line1: maybe,
      line2: maybe,
      postal_code: maybe,
      state: maybe,
    })
    .nullable(),
  email: maybe,
  name: maybe,
  phone: maybe,
  tax_id: maybe,
})

const check = z.enum(['pass', 'fail', 'unavailable', 'unchecked']).nullable()

const card = z.strictObject({
  brand: z.enum(['amex', 'diners', 'discover', 'jcb', 'mastercard', 'unionpay', 'visa', 'unknown']),
  checks: z
    .strictObject({ address_line1_check: check, address_postal_code_check: check, cvc_check: check })
    .nullable(),
  country: maybe,
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2020),
  fingerprint: maybe.optional(),
  funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']),
  last4: z.string().regex(/^\d{4}$/),
  regulated_status: z.enum(['regulated', 'unregulated']).nullable(),
  wallet: never,
})

const paymentMethod = z.strictObject({
  id: id('pm'),
  object: z.literal('payment_method'),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
  billing_details: billingDetails,
  card: card.extend({
    display_brand: maybe,
    generated_from: never,
    networks: z.strictObject({ available: z.array(z.string()), preferred: maybe }).nullable(),
    three_d_secure_usage: z.strictObject({ supported: z.boolean() }).nullable(),
  }),
  created: time,
  customer: never,
  customer_account: never,
  livemode: z.literal(false),
  metadata: metadata.nullable(),
  type: z.literal('card'),
})

const errorFields = {
  advice_code: z.string().optional(),
  charge: id('ch').optional(),
  code: z
    .string()
    .regex(/^[a-z0-9_]+$/)
    .optional(),
  decline_code: z.string().optional(),
  doc_url: z.url().optional(),
  message: z.string(),
  network_advice_code: z.string().optional(),
  network_decline_code: z.string().optional(),
  param: z.string().optional(),
  payment_method: paymentMethod.optional(),
  payment_method_type: z.string().optional(),
  request_log_url: z.url().optional(),
  type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']),
}

const paymentIntent = z.strictObject({
  ...none,
  id: id('pi'),
  object: z.literal('payment_intent'),
  allowed_payment_method_types: z.array(z.string()).nullable(),
  amount: cents.min(50),
  amount_capturable: cents,
  amount_received: cents,
  automatic_payment_methods: z
    .strictObject({ allow_redirects: z.enum(['always', 'never']).optional(), enabled: z.boolean() })
    .nullable(),
  canceled_at: time.nullable(),
  cancellation_reason: z
    .enum([
      'abandoned',
      'automatic',
      'duplicate',
      'expired',
      'failed_invoice',
      'fraudulent',
      'requested_by_customer',
      'void_invoice',
    ])
    .nullable(),
  capture_method: z.enum(['automatic', 'automatic_async', 'manual']),
  client_secret: z.string().regex(/^pi_[0-9a-f]{24}_secret_[0-9a-f]{24}$/),
  confirmation_method: z.enum(['automatic', 'manual']),
  created: time,
  currency,
  customer_account: never,
  description: maybe,
  excluded_payment_method_types: z.array(z.string()).nullable(),
  last_payment_error: z.strictObject(errorFields).nullable(),
  latest_charge: id('ch').nullable(),
  livemode: z.literal(false),
  managed_payments: never,
  metadata,
  next_action: z
    .strictObject({
      type: z.literal('use_stripe_sdk'),
      use_stripe_sdk: z.strictObject({ type: z.literal('three_d_secure_challenge') }),
    })
    .nullable(),
  payment_method: id('pm').nullable(),
  payment_method_configuration_details: never,
  payment_method_options: z
    .strictObject({
      card: z.strictObject({
        installments: never,
        mandate_options: never,
        network: never,
        request_three_d_secure: z.enum(['any', 'automatic', 'challenge']).nullable(),
      }),
    })
    .nullable(),
  payment_method_types: z.array(z.string()),
  payment_record: never,
  processing: never,
  receipt_email: z.email().nullable(),
  setup_future_usage: never,
  status: z.enum([
    'canceled',
    'processing',
    'requires_action',
    'requires_capture',
    'requires_confirmation',
    'requires_payment_method',
    'succeeded',
  ]),
})

const charge = z.strictObject({
  ...none,
  id: id('ch'),
  object: z.literal('charge'),
  amount: cents,
  amount_captured: cents,
  amount_refunded: cents,
  application_fee: never,
  balance_transaction: never,
  billing_details: billingDetails,
  calculated_statement_descriptor: maybe,
  captured: z.boolean(),
  created: time,
  currency,
  description: maybe,
  disputed: z.boolean(),
  failure_balance_transaction: never,
  failure_code: maybe,
  failure_message: maybe,
  fraud_details: z.strictObject({}).nullable(),
  livemode: z.literal(false),
  metadata,
  outcome: z
    .strictObject({
      advice_code: maybe,
      network_advice_code: maybe,
      network_decline_code: maybe,
      network_status: z
        .enum([
          'approved_by_network',
          'declined_by_network',
          'not_sent_to_network',
          'reversed_after_approval',
        ])
        .nullable(),
      reason: maybe,
      risk_level: z.enum(['normal', 'elevated', 'highest', 'not_assessed', 'unknown']).optional(),
      risk_score: z.int().min(0).max(100).optional(),
      seller_message: maybe,
      type: z.enum(['authorized', 'manual_review', 'issuer_declined', 'blocked', 'invalid']),
    })
    .nullable(),
  paid: z.boolean(),
  payment_intent: id('pi').nullable(),
  payment_method: id('pm').nullable(),
  payment_method_details: z
    .strictObject({
      card: card.extend({
        amount_authorized: cents.nullable(),
        authorization_code: maybe,
        electronic_commerce_indicator: maybe,
        installments: never,
        mandate: never,
        network: maybe,
        network_transaction_id: maybe,
        three_d_secure: z
          .strictObject({
            authentication_flow: z.enum(['challenge', 'frictionless']).nullable(),
            electronic_commerce_indicator: maybe,
            exemption_indicator: maybe,
            result: z
              .enum([
                'attempt_acknowledged',
                'authenticated',
                'exempted',
                'failed',
                'not_supported',
                'processing_error',
              ])
              .nullable(),
            result_reason: maybe,
            transaction_id: maybe,
            version: z.enum(['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1']).nullable(),
          })
          .nullable(),
        transaction_link_id: maybe,
      }),
      type: z.literal('card'),
    })
    .nullable(),
  receipt_email: maybe,
  receipt_number: maybe,
  receipt_url: maybe,
  refunded: z.boolean(),
  source_transfer: never,
  status: z.enum(['failed', 'pending', 'succeeded']),
})

const refund = z.strictObject({
  id: id('re'),
  object: z.literal('refund'),
  amount: cents.min(1),
  balance_transaction: never,
  charge: id('ch').nullable(),
  created: time,
  currency,
  customer: never,
  customer_account: never,
  description: z.string().optional(),
  destination_details: z
    .strictObject({
      card: z.strictObject({
        reference: z.string().optional(),
        reference_status: z.enum(['available', 'pending', 'unavailable']).optional(),
        reference_type: z.string().optional(),
        type: z.enum(['pending', 'refund', 'reversal']),
      }),
      type: z.literal('card'),
    })
    .optional(),
  failure_reason: z
    .enum([
      'charge_for_pending_refund_disputed',
      'declined',
      'expired_or_canceled_card',
      'insufficient_funds',
      'lost_or_stolen_card',
      'merchant_request',
      'unknown',
    ])
    .optional(),
  metadata: metadata.nullable(),
  payment_intent: id('pi').nullable(),
  payment_method: id('pm').nullable(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).nullable(),
  receipt_number: maybe,
  source_transfer_reversal: never,
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']).nullable(),
  transfer_reversal: never,
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
    object: z.discriminatedUnion('object', [paymentIntent, charge, refund]),
    previous_attributes: z.record(z.string(), z.unknown()).optional(),
  }),
  livemode: z.literal(false),
  pending_webhooks: z.int().min(0),
  request: z.strictObject({ id: id('req').nullable(), idempotency_key: maybe }).nullable(),
  type: z.string().regex(/^(payment_intent|charge|refund)\.[a-z_.]+$/),
})

const error = z.strictObject({
  error: z.strictObject({ ...errorFields, payment_intent: paymentIntent.optional() }),
})

function listOf(item: z.ZodType) {
  const url = z.string().startsWith('/v1/')
  return z.strictObject({
    object: z.literal('list'),
    data: z.array(item).min(1),
    has_more: z.boolean(),
    url,
  })
}

async function ask(
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

const opening = {
  amount: '124000',
  currency: 'usd',
  receipt_email: 'ada@example.com',
  'metadata[orderId]': '1',
}

async function open(shop: TestShop) {
  const { body } = await ask(shop, 'payment_intents', opening)
  return paymentIntent.parse(body)
}

test('an intent has the documented fields at each step of its life', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  const steps: string[] = []
  const look = async () => {
    const { body } = await ask(shop, `payment_intents/${id}`)
    steps.push(paymentIntent.parse(body).status)
  }
  await look()
  await payByCard(shop, client_secret, '4000000000000002')
  await look()
  await payByCard(shop, client_secret, '4000002500003155')
  await look()
  await ask(shop, `payment_intents/${id}/authenticate`, { outcome: 'fail' })
  await look()
  await payByCard(shop, client_secret)
  await look()
  const other = await open(shop)
  const canceled = await ask(shop, `payment_intents/${other.id}/cancel`, { cancellation_reason: 'abandoned' })
  steps.push(paymentIntent.parse(canceled.body).status)
  const automatic = { ...opening, 'automatic_payment_methods[enabled]': 'true' }
  paymentIntent.parse((await ask(shop, 'payment_intents', automatic)).body)
  expect(steps).toEqual([
    'requires_payment_method',
    'requires_payment_method',
    'requires_action',
    'requires_payment_method',
    'succeeded',
    'canceled',
  ])
  listOf(paymentIntent).parse((await ask(shop, 'payment_intents')).body)
})

test('charges, refunds and events have the documented fields', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  await payByCard(shop, client_secret, '4000000000000127')
  await payByCard(shop, client_secret, '4000002500003155')
  await ask(shop, `payment_intents/${id}/authenticate`, { outcome: 'complete' })
  const asked = { payment_intent: id, amount: '1000', reason: 'duplicate', 'metadata[key]': 'a' }
  refund.parse((await ask(shop, 'refunds', asked)).body)
  refund.parse((await ask(shop, 'refunds', { payment_intent: id })).body)

  listOf(refund).parse((await ask(shop, 'refunds')).body)
  const charges = listOf(charge).parse((await ask(shop, 'charges')).body)
  expect(charges.data).toHaveLength(2)
  const events = listOf(event).parse((await ask(shop, 'events?limit=100')).body)
  expect(events.data.length).toBeGreaterThan(8)
})

test('a refund that fails has the documented fields', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  await payByCard(shop, client_secret, '4000000000005126')
  const { body } = await ask(shop, 'refunds', { payment_intent: id })
  await shop.payments.deliver(() => new Response())
  const after = await ask(shop, `refunds/${body.id}`)
  expect(refund.parse(after.body)).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  })
  const events = listOf(event).parse((await ask(shop, 'events?type=refund.failed')).body)
  expect(events.data).toHaveLength(1)
})

test('errors have the documented fields', async () => {
  const shop = await testShop()
  const { id, client_secret } = await open(shop)
  const key = { 'idempotency-key': 'key' }
  await ask(shop, 'payment_intents', opening, key)
  const errors = [
    { status: 402, body: (await payByCard(shop, client_secret, '4000000000000002')).answer },
    { status: 402, body: (await payByCard(shop, client_secret, '4111111111111111')).answer },
    await ask(shop, `payment_intents/${id}/authenticate`, { outcome: 'complete' }),
    await ask(shop, 'payment_intents', { ...opening, amount: '1' }),
    await ask(shop, 'payment_intents', { ...opening, amount: '100' }, key),
    await ask(shop, 'payment_intents', { colour: 'red' }),
    await ask(shop, 'payment_intents/pi_unknown'),
    await ask(shop, 'refunds', { payment_intent: id }),
    await ask(shop, 'nothing'),
    await ask(shop, 'payment_intents', undefined, { authorization: 'Bearer sk_test_guess' }),
  ]
  expect(errors.map(({ status }) => status)).toEqual([402, 402, 400, 400, 400, 400, 404, 400, 404, 401])
  expect(errors.map(({ body }) => error.parse(body).error.type)).toEqual([
    'card_error',
    'card_error',
    'invalid_request_error',
    'invalid_request_error',
    'idempotency_error',
    'invalid_request_error',
    'invalid_request_error',
    'invalid_request_error',
    'invalid_request_error',
    'invalid_request_error',
  ])
})
