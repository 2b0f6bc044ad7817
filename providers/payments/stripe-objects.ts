import type Stripe from 'stripe'
import { currencyCode } from '#shop/money.ts'
import type { Dispute, Payment, Refund } from '#shop/ports.ts'

/** As the provider writes it. */
export function paymentCurrency() {
  return currencyCode().toLowerCase()
}

const statuses: Record<string, Payment['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'paid',
  canceled: 'cancelled',
}

export function toPayment(
  intent: Stripe.PaymentIntent,
  { refunds = [], disputes = [] }: Partial<Pick<Payment, 'refunds' | 'disputes'>> = {},
): Payment {
  const cents = intent.status === 'succeeded' ? intent.amount_received : intent.amount
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    orderId: intent.metadata.orderId ?? '',
    amountCents: inOurCurrency(intent.currency, cents),
    status: statuses[intent.status] ?? 'processing',
    refunds,
    disputes,
  }
}

/** NaN for another currency, so that it never equals a price. */
function inOurCurrency(currency: string, cents: number) {
  return currency === paymentCurrency() ? cents : Number.NaN
}

export function toRefund(refund: Stripe.Refund): Refund {
  const isFailed = refund.status === 'failed' || refund.status === 'canceled'
  return {
    id: refund.id,
    amountCents: inOurCurrency(refund.currency, refund.amount),
    status: isFailed ? 'failed' : 'accepted',
    key: refund.metadata?.key ?? null,
  }
}

const disputeEnds: Record<string, Dispute['status']> = {
  won: 'won',
  lost: 'lost',
  warning_closed: 'won',
  prevented: 'won',
}

export function toDispute(dispute: Stripe.Dispute): Dispute {
  const { id, status, reason, evidence_details: evidence, balance_transactions: movements } = dispute
  const sum = (sign: 1 | -1) => movements.reduce((total, { amount }) => total + Math.max(0, sign * amount), 0)
  return {
    id,
    amountCents: inOurCurrency(dispute.currency, dispute.amount),
    status: disputeEnds[status] ?? 'open',
    withdrawnCents: sum(-1),
    returnedCents: sum(1),
    reason,
    respondBy: evidence.due_by === null ? null : new Date(evidence.due_by * 1000).toISOString(),
    isInquiry: status.startsWith('warning_'),
  }
}
