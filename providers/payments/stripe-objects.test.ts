import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { toPayment, toRefund } from './stripe-objects.ts'

const intent = { id: 'pi_1', currency: 'usd', amount: 7_000, amount_received: 6_999, metadata: {} }
const refund = { id: 're_1', currency: 'usd', amount: 7_000, metadata: null }

test('every state of a payment is that of this table, and an unknown one is in progress', () => {
  const states = {
    requires_payment_method: 'open',
    requires_confirmation: 'open',
    requires_action: 'open',
    requires_capture: 'processing',
    processing: 'processing',
    succeeded: 'paid',
    canceled: 'cancelled',
    invented_tomorrow: 'processing',
  }
  for (const [status, expected] of Object.entries(states)) {
    const payment = toPayment({ ...intent, status } as unknown as Stripe.PaymentIntent)
    expect(payment.status, status).toBe(expected)
    expect(payment.amountCents, status).toBe(status === 'succeeded' ? 6_999 : 7_000)
  }
})

test('every state of a refund is that of this table, and an unknown one counts as made until it fails', () => {
  const states = {
    succeeded: 'accepted',
    pending: 'accepted',
    requires_action: 'accepted',
    failed: 'failed',
    canceled: 'failed',
    invented_tomorrow: 'accepted',
  }
  for (const [status, expected] of Object.entries(states))
    expect(toRefund({ ...refund, status } as Stripe.Refund).status, status).toBe(expected)
})
