import { expect, test } from 'vitest'
import { z } from 'zod'
import { takeEvents } from '#test/bank.ts'
import { payByCard, type TestShop, testShop } from '#test/shop.ts'

// The fields documented in Stripe’s API reference; strict, so that no others are returned.

const id = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`))
const cents = z.int().min(0).max(99_999_999)
const time = z
  .int()
  .min(1_600_000_000)
  .refine((seconds) => seconds <= Date.now() / 1000 + 60)
const currency = z.string().regex(/^[a-z]{3}$/)
const metadata = z.record(z.string().max(40), z.string().max(500))
const nullableText = z.string().nullable()
/** Documented for features that this bank does not support. */
const alwaysNull = z.null()
const unsupported = {
  application: alwaysNull,
  application_fee_amount: alwaysNull,
  customer: alwaysNull,
  on_behalf_of: alwaysNull,
  review: alwaysNull,
  shipping: alwaysNull,
  source: alwaysNull,
  statement_descriptor: alwaysNull,
  statement_descriptor_suffix: alwaysNull,
  transfer_data: alwaysNull,
  transfer_group: alwaysNull,
}

const billingDetails = z.strictObject({
  address: z
    .strictObject({
      city: nullableText,
      country: nullableText,
      line1: nullableText,
      line2: nullableText,
      postal_code: nullableText,
      state: nullableText,
    })
    .nullable(),
  email: nullableText,
  name: nullableText,
  phone: nullableText,
  tax_id: nullableText,
})

const check = z.enum(['pass', 'fail', 'unavailable', 'unchecked']).nullable()

const card = z.strictObject({
  brand: z.enum(['amex', 'diners', 'discover', 'jcb', 'mastercard', 'unionpay', 'visa', 'unknown']),
  checks: z
    .strictObject({ address_line1_check: check, address_postal_code_check: check, cvc_check: check })
    .nullable(),
  country: nullableText,
  exp_month: z.int().min(1).max(12),
  exp_year: z.int().min(2020),
  fingerprint: nullableText.optional(),
  funding: z.enum(['credit', 'debit', 'prepaid', 'unknown']),
  last4: z.string().regex(/^\d{4}$/),
  regulated_status: z.enum(['regulated', 'unregulated']).nullable(),
  wallet: alwaysNull,
})

const paymentMethod = z.strictObject({
  id: id('pm'),
  object: z.literal('payment_method'),
  allow_redisplay: z.enum(['always', 'limited', 'unspecified']).optional(),
  billing_details: billingDetails,
  card: card.extend({
    display_brand: nullableText,
    generated_from: alwaysNull,
    networks: z.strictObject({ available: z.array(z.string()), preferred: nullableText }).nullable(),
    three_d_secure_usage: z.strictObject({ supported: z.boolean() }).nullable(),
  }),
  created: time,
  customer: alwaysNull,
  customer_account: alwaysNull,
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
  ...unsupported,
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
  customer_account: alwaysNull,
  description: nullableText,
  excluded_payment_method_types: z.array(z.string()).nullable(),
  last_payment_error: z.strictObject(errorFields).nullable(),
  get latest_charge() {
    return z.union([id('ch'), charge]).nullable()
  },
  livemode: z.literal(false),
  managed_payments: alwaysNull,
  metadata,
  next_action: z
    .strictObject({
      type: z.literal('use_stripe_sdk'),
      use_stripe_sdk: z.strictObject({ type: z.literal('three_d_secure_challenge') }),
    })
    .nullable(),
  payment_method: id('pm').nullable(),
  payment_method_configuration_details: alwaysNull,
  payment_method_options: z
    .strictObject({
      card: z.strictObject({
        installments: alwaysNull,
        mandate_options: alwaysNull,
        network: alwaysNull,
        request_three_d_secure: z.enum(['any', 'automatic', 'challenge']).nullable(),
      }),
    })
    .nullable(),
  payment_method_types: z.array(z.string()),
  payment_record: alwaysNull,
  processing: alwaysNull,
  receipt_email: z.email().nullable(),
  setup_future_usage: alwaysNull,
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
  ...unsupported,
  id: id('ch'),
  object: z.literal('charge'),
  amount: cents,
  amount_captured: cents,
  amount_refunded: cents,
  application_fee: alwaysNull,
  balance_transaction: alwaysNull,
  billing_details: billingDetails,
  calculated_statement_descriptor: nullableText,
  captured: z.boolean(),
  created: time,
  currency,
  description: nullableText,
  disputed: z.boolean(),
  failure_balance_transaction: alwaysNull,
  failure_code: nullableText,
  failure_message: nullableText,
  fraud_details: z.strictObject({}).nullable(),
  livemode: z.literal(false),
  metadata,
  outcome: z
    .strictObject({
      advice_code: nullableText,
      network_advice_code: nullableText,
      network_decline_code: nullableText,
      network_status: z
        .enum([
          'approved_by_network',
          'declined_by_network',
          'not_sent_to_network',
          'reversed_after_approval',
        ])
        .nullable(),
      reason: nullableText,
      risk_level: z.enum(['normal', 'elevated', 'highest', 'not_assessed', 'unknown']).optional(),
      risk_score: z.int().min(0).max(100).optional(),
      seller_message: nullableText,
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
        authorization_code: nullableText,
        electronic_commerce_indicator: nullableText,
        installments: alwaysNull,
        mandate: alwaysNull,
        network: nullableText,
        network_transaction_id: nullableText,
        three_d_secure: z
          .strictObject({
            authentication_flow: z.enum(['challenge', 'frictionless']).nullable(),
            electronic_commerce_indicator: nullableText,
            exemption_indicator: nullableText,
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
            result_reason: nullableText,
            transaction_id: nullableText,
            version: z.enum(['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1']).nullable(),
          })
          .nullable(),
        transaction_link_id: nullableText,
      }),
      type: z.literal('card'),
    })
    .nullable(),
  receipt_email: nullableText,
  receipt_number: nullableText,
  receipt_url: nullableText,
  refunded: z.boolean(),
  source_transfer: alwaysNull,
  status: z.enum(['failed', 'pending', 'succeeded']),
})

const refund = z.strictObject({
  id: id('re'),
  object: z.literal('refund'),
  amount: cents.min(1),
  balance_transaction: alwaysNull,
  charge: id('ch').nullable(),
  created: time,
  currency,
  customer: alwaysNull,
  customer_account: alwaysNull,
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
  receipt_number: nullableText,
  source_transfer_reversal: alwaysNull,
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']).nullable(),
  transfer_reversal: alwaysNull,
})

const balanceTransaction = z.strictObject({
  id: id('txn'),
  object: z.literal('balance_transaction'),
  amount: z.int(),
  available_on: time,
  balance_type: z.literal('payments'),
  created: time,
  currency,
  description: nullableText,
  exchange_rate: alwaysNull,
  fee: cents,
  fee_details: z.array(
    z.strictObject({
      amount: cents,
      application: alwaysNull,
      currency,
      description: nullableText,
      type: z.enum(['application_fee', 'payment_method_passthrough_fee', 'stripe_fee', 'tax']),
    }),
  ),
  net: z.int(),
  reporting_category: z.enum(['dispute', 'dispute_reversal']),
  source: id('du'),
  status: z.enum(['available', 'pending']),
  type: z.literal('adjustment'),
})

const evidence = z.strictObject({
  access_activity_log: nullableText,
  billing_address: nullableText,
  cancellation_policy: nullableText,
  cancellation_policy_disclosure: nullableText,
  cancellation_rebuttal: nullableText,
  customer_communication: nullableText,
  customer_email_address: nullableText,
  customer_name: nullableText,
  customer_purchase_ip: nullableText,
  customer_signature: nullableText,
  duplicate_charge_documentation: nullableText,
  duplicate_charge_explanation: nullableText,
  duplicate_charge_id: nullableText,
  enhanced_evidence: z.strictObject({}),
  product_description: nullableText,
  receipt: nullableText,
  refund_policy: nullableText,
  refund_policy_disclosure: nullableText,
  refund_refusal_explanation: nullableText,
  service_date: nullableText,
  service_documentation: nullableText,
  shipping_address: nullableText,
  shipping_carrier: nullableText,
  shipping_date: nullableText,
  shipping_documentation: nullableText,
  shipping_tracking_number: nullableText,
  uncategorized_file: nullableText,
  uncategorized_text: nullableText,
})

const dispute = z.strictObject({
  id: id('du'),
  object: z.literal('dispute'),
  amount: cents,
  balance_transactions: z.array(balanceTransaction).max(2),
  charge: id('ch'),
  created: time,
  currency,
  enhanced_eligibility_types: z.array(z.string()),
  evidence,
  evidence_details: z.strictObject({
    due_by: z.int().nullable(),
    enhanced_eligibility: z.strictObject({}),
    has_evidence: z.boolean(),
    past_due: z.boolean(),
    submission_count: z.int().min(0),
    submission_method: z.enum(['manual', 'not_submitted', 'smart_disputes']),
  }),
  intended_submission_method: nullableText,
  is_charge_refundable: z.boolean(),
  livemode: z.literal(false),
  metadata,
  network_reason_code: nullableText.optional(),
  payment_intent: id('pi').nullable(),
  payment_method_details: z
    .strictObject({
      card: z.strictObject({
        brand: z.string(),
        case_type: z.enum(['block', 'chargeback', 'compliance', 'inquiry', 'resolution']),
        network: z.string(),
        network_reason_code: nullableText,
      }),
      type: z.literal('card'),
    })
    .optional(),
  reason: z.enum(['fraudulent', 'product_not_received']),
  status: z.enum([
    'lost',
    'needs_response',
    'under_review',
    'warning_closed',
    'warning_needs_response',
    'warning_under_review',
    'won',
  ]),
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
  livemode: z.literal(false),
  pending_webhooks: z.int().min(0),
  request: z.strictObject({ id: id('req').nullable(), idempotency_key: nullableText }).nullable(),
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

test('a failed refund has the documented fields', async () => {
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
  expect(events.filter(({ type }) => type === 'refund.failed')).toHaveLength(1)
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
  const key = { 'idempotency-key': 'key' }
  await callApi(shop, 'payment_intents', intentParams, key)
  const errors = [
    { status: 402, body: (await payByCard(shop, client_secret, '4000000000000002')).response },
    { status: 402, body: (await payByCard(shop, client_secret, '4111111111111111')).response },
    await callApi(shop, `payment_intents/${id}/authenticate`, { outcome: 'complete' }),
    await callApi(shop, 'payment_intents', { ...intentParams, amount: '1' }),
    await callApi(shop, 'payment_intents', { ...intentParams, amount: '100' }, key),
    await callApi(shop, 'payment_intents', { colour: 'red' }),
    await callApi(shop, 'payment_intents/pi_unknown'),
    await callApi(shop, 'refunds', { payment_intent: id }),
    await callApi(shop, 'nothing'),
    await callApi(shop, `payment_intents/${id}`, undefined, { authorization: 'Bearer sk_test_guess' }),
    await callApi(shop, `payment_intents/${id}`, undefined, { authorization: 'Bearer rk_test_bank' }),
    await callApi(shop, `payment_intents/${id}/capture`, {}),
  ]
  expect(errors.map(({ status }) => status)).toEqual([
    402, 402, 400, 400, 400, 400, 404, 400, 404, 401, 403, 400,
  ])
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
    'invalid_request_error',
    'invalid_request_error',
  ])
})
