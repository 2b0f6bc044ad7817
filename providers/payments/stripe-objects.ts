import type Stripe from 'stripe'
import type { Payment, Refund } from '#shop/ports.ts'

export const paymentCurrency = 'usd'

const statuses: Record<string, Payment['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'processing',
  processing: 'processing',
  succeeded: 'paid',
  canceled: 'cancelled',
}

export function toPayment(intent: Stripe.PaymentIntent, refunds: Refund[]): Payment {
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    orderId: intent.metadata.orderId ?? '',
    amount: toDollars(
      intent.currency,
      intent.status === 'succeeded' ? intent.amount_received : intent.amount,
    ),
    status: statuses[intent.status] ?? 'processing',
    refunds,
  }
}

/** NaN for another currency or an amount with cents, so that it never equals a price. */
function toDollars(currency: string, cents: number) {
  return currency === paymentCurrency && cents % 100 === 0 ? cents / 100 : Number.NaN
}

export function toRefund(refund: Stripe.Refund): Refund {
  const isFailed = refund.status === 'failed' || refund.status === 'canceled'
  return {
    id: refund.id,
    amount: toDollars(refund.currency, refund.amount),
    status: isFailed ? 'failed' : 'succeeded',
    key: refund.metadata?.key ?? null,
  }
}
