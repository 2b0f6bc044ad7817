import type Stripe from 'stripe'
import type { bankRefunds } from './shop.ts'

export type BankRefund = typeof bankRefunds.$inferSelect

export function serializeRefund(refund: BankRefund): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: null,
    charge: refund.charge,
    created: refund.created,
    currency: refund.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: refund.metadata,
    payment_intent: refund.paymentIntent,
    payment_method: null,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
    ...(refund.status === 'failed' && { failure_reason: 'expired_or_canceled_card' }),
  }
}
