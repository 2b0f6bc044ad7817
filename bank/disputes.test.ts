import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { bankSdk, failure, takeEvents } from '../test/bank.ts'
import { type TestShop, testShop } from '../test/shop.ts'
import { openDispute } from './disputes.ts'

async function paid(card = 'pm_card_createDispute', params: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const shop = await testShop()
  const stripe = bankSdk(shop)
  const { id } = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd', ...params })
  await stripe.paymentIntents.confirm(id, { payment_method: card })
  const read = () => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })
  const disputes = async () => (await stripe.disputes.list({ payment_intent: id })).data
  return { shop, stripe, id, read, disputes }
}

async function disputed(card?: string) {
  const payment = await paid(card)
  const [dispute] = await payment.disputes()
  return { ...payment, dispute: dispute! }
}

async function disputeEvents(shop: TestShop) {
  const types = (await takeEvents(shop)).map(({ type }) => type)
  return types.filter((type) => type.startsWith('charge.dispute.'))
}

const withdrawal = { amount: -5000, fee: 1500, net: -6500, type: 'adjustment' }

test('the dispute card pays, and the charge is disputed at once', async () => {
  const { shop, stripe, id, read, dispute } = await disputed()
  expect(dispute).toMatchObject({
    object: 'dispute',
    amount: 5000,
    payment_intent: id,
    status: 'needs_response',
    reason: 'fraudulent',
    is_charge_refundable: false,
    evidence_details: { due_by: expect.any(Number), submission_count: 0 },
    balance_transactions: [{ ...withdrawal, source: dispute.id }],
    payment_method_details: { card: { case_type: 'chargeback' } },
  })
  expect(await read()).toMatchObject({
    status: 'succeeded',
    amount_received: 5000,
    latest_charge: { id: dispute.charge, disputed: true, amount_refunded: 0 },
  })
  const byCharge = await stripe.disputes.list({ charge: String(dispute.charge), limit: 1 })
  expect(byCharge).toMatchObject({ object: 'list', data: [dispute], has_more: false, url: '/v1/disputes' })
  expect((await stripe.disputes.list({ payment_intent: 'pi_unknown' })).data).toEqual([])
  expect((await takeEvents(shop)).map(({ type }) => type)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ])
})

test('a disputed charge can be refunded only once the dispute is won', async () => {
  const { stripe, id, dispute } = await disputed()
  const refund = () => stripe.refunds.create({ payment_intent: id, amount: 100 })
  const refused = { code: 'charge_disputed', statusCode: 400 }
  expect(await failure(refund())).toMatchObject(refused)
  await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } })
  expect(await refund()).toMatchObject({ amount: 100 })
  const lost = await disputed()
  await lost.stripe.disputes.close(lost.dispute.id)
  expect(await failure(lost.stripe.refunds.create({ payment_intent: lost.id }))).toMatchObject(refused)
})

test('winning evidence reinstates the funds', async () => {
  const { shop, stripe, read, dispute } = await disputed()
  await takeEvents(shop)
  const evidence = { uncategorized_text: 'winning_evidence', customer_name: 'Ada' }
  const staged = await stripe.disputes.update(dispute.id, { evidence, submit: false })
  expect(staged).toMatchObject({
    status: 'needs_response',
    evidence,
    evidence_details: { has_evidence: true, submission_count: 0, submission_method: 'not_submitted' },
  })
  expect(await disputeEvents(shop)).toEqual(['charge.dispute.updated'])
  const won = await stripe.disputes.update(dispute.id, { submit: true })
  expect(won).toMatchObject({
    status: 'won',
    evidence,
    is_charge_refundable: true,
    evidence_details: { submission_count: 1 },
    balance_transactions: [withdrawal, { amount: 5000, fee: 0, net: 5000 }],
  })
  expect(await disputeEvents(shop)).toEqual([
    'charge.dispute.updated',
    'charge.dispute.closed',
    'charge.dispute.funds_reinstated',
  ])
  expect(await read()).toMatchObject({ latest_charge: { disputed: true } })
})

test('losing evidence, or closing the dispute, loses it', async () => {
  const { shop, stripe, dispute } = await disputed()
  await takeEvents(shop)
  const evidence = { uncategorized_text: 'losing_evidence' }
  const lost = await stripe.disputes.update(dispute.id, { evidence })
  expect(lost).toMatchObject({ status: 'lost', balance_transactions: [withdrawal] })
  expect(await disputeEvents(shop)).toEqual(['charge.dispute.updated', 'charge.dispute.closed'])
  expect(await failure(stripe.disputes.close(dispute.id))).toMatchObject({ statusCode: 400 })
  expect(await failure(stripe.disputes.update(dispute.id, { evidence }))).toMatchObject({ statusCode: 400 })

  const other = await disputed()
  await takeEvents(other.shop)
  expect((await other.stripe.disputes.close(other.dispute.id)).status).toBe('lost')
  expect(await disputeEvents(other.shop)).toEqual(['charge.dispute.closed'])
})

test('other evidence is under review, and cannot be submitted twice', async () => {
  const { stripe, dispute } = await disputed()
  const evidence = { product_description: 'A chain' }
  expect(await stripe.disputes.update(dispute.id, { evidence })).toMatchObject({ status: 'under_review' })
  expect(await failure(stripe.disputes.update(dispute.id, { evidence }))).toMatchObject({ statusCode: 400 })
  const unknown = stripe.disputes.update(dispute.id, { evidence: { colour: 'red' } as object })
  expect(await failure(unknown)).toMatchObject({ code: 'parameter_unknown', param: 'evidence[colour]' })
  const metadata = { note: 'called the customer' }
  expect(await stripe.disputes.update(dispute.id, { metadata })).toMatchObject({
    status: 'under_review',
    metadata,
  })
})

test('an inquiry withdraws nothing, and its charge can be refunded', async () => {
  const { shop, stripe, id, read, dispute } = await disputed('pm_card_createDisputeInquiry')
  expect(dispute).toMatchObject({
    status: 'warning_needs_response',
    balance_transactions: [],
    is_charge_refundable: true,
    payment_method_details: { card: { case_type: 'inquiry' } },
  })
  expect(await read()).toMatchObject({ latest_charge: { disputed: true } })
  expect(await disputeEvents(shop)).toEqual(['charge.dispute.created'])
  expect(await stripe.refunds.create({ payment_intent: id, amount: 100 })).toMatchObject({ amount: 100 })
  expect((await stripe.disputes.close(dispute.id)).status).toBe('warning_closed')
  expect(await disputeEvents(shop)).toEqual(['charge.dispute.closed'])
})

test('an escalated inquiry becomes a chargeback', async () => {
  const { shop, stripe, id, dispute } = await disputed('pm_card_createDisputeInquiry')
  await takeEvents(shop)
  const evidence = { uncategorized_text: 'escalate_inquiry_evidence' }
  expect(await stripe.disputes.update(dispute.id, { evidence })).toMatchObject({
    status: 'needs_response',
    balance_transactions: [withdrawal],
  })
  expect(await disputeEvents(shop)).toEqual([
    'charge.dispute.updated',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
  ])
  expect(await failure(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
    code: 'charge_disputed',
  })
})

test('an inquiry that escalates after a refund charges back the rest', async () => {
  const { stripe, id, dispute } = await disputed('pm_card_createDisputeInquiry')
  await stripe.refunds.create({ payment_intent: id, amount: 100 })
  const evidence = { uncategorized_text: 'escalate_inquiry_evidence' }
  const { amount, balance_transactions: moved } = await stripe.disputes.update(dispute.id, { evidence })
  expect([amount, moved[0]?.amount]).toEqual([dispute.amount - 100, 100 - dispute.amount])
})

test('an inquiry that escalates after a full refund is closed', async () => {
  const { stripe, id, dispute } = await disputed('pm_card_createDisputeInquiry')
  await stripe.refunds.create({ payment_intent: id })
  const evidence = { uncategorized_text: 'escalate_inquiry_evidence' }
  expect((await stripe.disputes.update(dispute.id, { evidence })).status).toBe('warning_closed')
})

test('of two disputes of one charge that are opened at the same time, only one withdraws money', async () => {
  const { shop, id, disputes } = await paid('pm_card_visa')
  const opened = await Promise.allSettled([openDispute(shop.db, id), openDispute(shop.db, id)])
  expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(opened.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('charged back already') },
  })
  expect(await disputes()).toHaveLength(1)
})

test('openDispute disputes a paid charge later, by default what was not refunded', async () => {
  const { shop, stripe, id, disputes, read } = await paid('pm_card_visa')
  expect(await disputes()).toEqual([])
  await stripe.refunds.create({ payment_intent: id, amount: 1000 })
  const inquiry = await openDispute(shop.db, id, { inquiry: true })
  expect(inquiry).toMatchObject({ amount: 4000, status: 'warning_needs_response' })
  const partial = await openDispute(shop.db, id, { amount: 1500 })
  expect(partial).toMatchObject({ amount: 1500, balance_transactions: [{ amount: -1500, net: -3000 }] })
  expect((await disputes()).map((dispute) => dispute.id)).toEqual([partial.id, inquiry.id])
  expect(await read()).toMatchObject({ latest_charge: { disputed: true, amount_refunded: 1000 } })
  const unpaid = await stripe.paymentIntents.create({ amount: 5000, currency: 'usd' })
  await expect(openDispute(shop.db, unpaid.id)).rejects.toThrow('cannot be disputed')
})

test('the dispute card is disputed when its payment is captured', async () => {
  const { stripe, id, disputes } = await paid('pm_card_createDispute', { capture_method: 'manual' })
  expect(await disputes()).toEqual([])
  await stripe.paymentIntents.capture(id, { amount_to_capture: 3000 })
  expect(await disputes()).toMatchObject([{ amount: 3000 }])
})
