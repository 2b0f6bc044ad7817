import type Stripe from 'stripe'
import type { BankDisputeTransaction, bankDisputes } from './shop.ts'

export type BankDispute = typeof bankDisputes.$inferSelect
type EvidenceName = keyof Stripe.Dispute.Evidence

export const evidenceTexts = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const satisfies EvidenceName[]

const evidenceFiles = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const satisfies EvidenceName[]

const evidenceNames = [...evidenceTexts, ...evidenceFiles]
const noEvidence = Object.fromEntries(evidenceNames.map((name) => [name, null])) as Record<
  (typeof evidenceNames)[number],
  null
>

export function serializeDispute(dispute: BankDispute): Stripe.Dispute {
  const { isInquiry, status, submissionCount } = dispute
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: dispute.balanceTransactions.map((transaction) =>
      serializeTransaction(dispute, transaction),
    ),
    charge: dispute.charge,
    created: dispute.created,
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: { ...noEvidence, enhanced_evidence: {}, ...dispute.evidence },
    evidence_details: {
      due_by: dispute.dueBy,
      enhanced_eligibility: {},
      has_evidence: Object.keys(dispute.evidence).length > 0,
      past_due: false,
      submission_count: submissionCount,
      submission_method: submissionCount > 0 ? 'manual' : 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry || status === 'won',
    livemode: false,
    metadata: dispute.metadata,
    network_reason_code: isInquiry ? '10' : '10.4',
    payment_intent: dispute.paymentIntent,
    payment_method_details: {
      card: {
        brand: 'visa',
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network: 'visa',
        network_reason_code: isInquiry ? '10' : '10.4',
      },
      type: 'card',
    },
    reason: dispute.reason,
    status,
  }
}

function serializeTransaction(
  { id: source, charge, currency }: BankDispute,
  { id, amount, fee, created }: BankDisputeTransaction,
): Stripe.BalanceTransaction {
  const feeDetail: Stripe.BalanceTransaction.FeeDetail = {
    amount: fee,
    application: null,
    currency,
    description: 'BankDispute fee',
    type: 'stripe_fee',
  }
  return {
    id,
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency,
    description: amount < 0 ? `Chargeback withdrawal for ${charge}` : `Chargeback reversal for ${charge}`,
    exchange_rate: null,
    fee,
    fee_details: fee > 0 ? [feeDetail] : [],
    net: amount - fee,
    reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source,
    status: 'available',
    type: 'adjustment',
  }
}
