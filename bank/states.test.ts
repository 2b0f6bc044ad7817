import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { bankSdk, failure, readLatestCharge, takeEvents } from '../test/bank.ts'
import { type TestShop, testShop } from '../test/shop.ts'

// The states that need a test card of their own: captures, processing, pending refunds, and declines after 3-D Secure.

async function open(card: string, params: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const shop = await testShop()
  const stripe = bankSdk(shop)
  const intent = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd', ...params })
  const confirmed = await stripe.paymentIntents.confirm(intent.id, { payment_method: card })
  const read = () => stripe.paymentIntents.retrieve(intent.id)
  const charge = () => readLatestCharge(stripe, intent.id)
  return { shop, stripe, confirmed, id: intent.id, read, charge }
}

async function eventTypes(shop: TestShop) {
  return (await takeEvents(shop)).map(({ type }) => type)
}

test('a payment is captured at once unless capture_method is manual', async () => {
  for (const capture_method of ['automatic', 'automatic_async'] as const) {
    const { confirmed } = await open('pm_card_visa', { capture_method })
    expect(confirmed).toMatchObject({ status: 'succeeded', capture_method, amount_received: 5000 })
  }
  const { shop, stripe, confirmed, id, charge } = await open('pm_card_visa', { capture_method: 'manual' })
  expect(confirmed).toMatchObject({ status: 'requires_capture', capture_method: 'manual' })
  expect(confirmed).toMatchObject({ amount_capturable: 5000, amount_received: 0 })
  expect(await charge()).toMatchObject({ captured: false, amount_captured: 0, paid: true, refunded: false })
  const early = await failure(stripe.refunds.create({ payment_intent: id }))
  expect(early.param).toBe('payment_intent')
  const captured = await stripe.paymentIntents.capture(id)
  expect(captured).toMatchObject({ status: 'succeeded', amount_capturable: 0, amount_received: 5000 })
  expect(await charge()).toMatchObject({ captured: true, amount_captured: 5000 })
  expect(await eventTypes(shop)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.amount_capturable_updated',
    'charge.captured',
    'payment_intent.succeeded',
  ])
})

test('a part can be captured, and only that part can be refunded', async () => {
  const { stripe, id, charge } = await open('pm_card_visa', { capture_method: 'manual' })
  const tooMuch = failure(stripe.paymentIntents.capture(id, { amount_to_capture: 5001 }))
  expect(await tooMuch).toMatchObject({ code: 'amount_too_large', param: 'amount_to_capture' })
  const captured = await stripe.paymentIntents.capture(id, { amount_to_capture: 3000 })
  expect(captured).toMatchObject({ status: 'succeeded', amount: 5000, amount_received: 3000 })
  expect(await charge()).toMatchObject({ amount: 5000, amount_captured: 3000, amount_refunded: 0 })
  expect((await failure(stripe.paymentIntents.capture(id))).code).toBe('payment_intent_unexpected_state')
  const refused = await failure(stripe.refunds.create({ payment_intent: id, amount: 3001 }))
  expect(refused.message).toBe('Refund amount ($30.01) is greater than charge amount ($30.00)')
  expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 3000 })
  expect(await charge()).toMatchObject({ amount_refunded: 3000, refunded: true })
})

test('canceling an authorized payment releases it', async () => {
  const { shop, stripe, id, charge } = await open('pm_card_visa', { capture_method: 'manual' })
  const canceled = await stripe.paymentIntents.cancel(id)
  expect(canceled).toMatchObject({ status: 'canceled', amount_capturable: 0, amount_received: 0 })
  expect(await charge()).toMatchObject({ captured: false, amount_captured: 0, refunded: true })
  expect((await eventTypes(shop)).slice(-2)).toEqual(['charge.refunded', 'payment_intent.canceled'])
})

test('a processing payment cannot be canceled and ends at the next delivery of events', async () => {
  const { shop, stripe, confirmed, id, read, charge } = await open('pm_card_processing')
  expect(confirmed).toMatchObject({ status: 'processing', amount_received: 0 })
  expect(await charge()).toMatchObject({ status: 'pending', paid: false, captured: false })
  const unexpected = { code: 'payment_intent_unexpected_state' }
  expect(await failure(stripe.paymentIntents.cancel(id))).toMatchObject(unexpected)
  const confirm = stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  expect(await failure(confirm)).toMatchObject(unexpected)
  expect(await eventTypes(shop)).toEqual([
    'payment_intent.created',
    'charge.pending',
    'payment_intent.processing',
    'charge.succeeded',
    'payment_intent.succeeded',
  ])
  expect(await read()).toMatchObject({ status: 'succeeded', amount_received: 5000 })
  expect(await charge()).toMatchObject({ status: 'succeeded', paid: true, amount_captured: 5000 })
  expect(await eventTypes(shop)).toEqual([])
})

test('a pending refund succeeds at the next delivery of events', async () => {
  const { shop, stripe, id, charge } = await open('pm_card_pendingRefund')
  const refund = await stripe.refunds.create({ payment_intent: id, amount: 2000 })
  expect(refund.status).toBe('pending')
  expect(await charge()).toMatchObject({ amount_refunded: 2000 })
  const types = (await eventTypes(shop)).slice(-4)
  expect(types).toEqual(['refund.created', 'charge.refunded', 'refund.updated', 'charge.refund.updated'])
  const [ended] = (await stripe.refunds.list({ payment_intent: id })).data
  expect(ended).toMatchObject({ id: refund.id, status: 'succeeded' })
  expect(await charge()).toMatchObject({ amount_refunded: 2000 })
})

// biome-ignore format: a table
const declinedAfterwards = {
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: { last4: '3178', decline_code: 'insufficient_funds' },
  pm_card_threeDSecureRequiredChargeDeclined:                    { last4: '1629', decline_code: 'generic_decline' },
}

for (const [card, { last4, decline_code }] of Object.entries(declinedAfterwards)) {
  test(`the card ending in ${last4} is declined after 3-D Secure`, async () => {
    const { shop, stripe, confirmed, id, read, charge } = await open(card)
    expect(confirmed.status).toBe('requires_action')
    const url = `http://shop.test/payments/v1/payment_intents/${id}/authenticate`
    const body = new URLSearchParams({ client_secret: confirmed.client_secret!, outcome: 'complete' })
    const response = await shop.payments.fetch(new Request(url, { method: 'POST', body }))
    expect([response.status, (await response.json()).error]).toMatchObject([
      402,
      { code: 'card_declined', decline_code, payment_intent: { status: 'requires_payment_method' } },
    ])
    const intent = await read()
    expect(intent).toMatchObject({ next_action: null, last_payment_error: { decline_code } })
    expect(await charge()).toMatchObject({
      status: 'failed',
      payment_method_details: { card: { last4, three_d_secure: { result: 'authenticated' } } },
    })
    const retried = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
    expect(retried.status).toBe('succeeded')
  })
}
