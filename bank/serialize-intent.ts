import type Stripe from 'stripe'
import { withDocUrl } from './responses.ts'
import type { paymentIntents } from './shop.ts'

type LastPaymentError = Stripe.PaymentIntent.LastPaymentError

export type Intent = Omit<typeof paymentIntents.$inferSelect, 'number'>

export function serializeIntent(intent: Intent): Stripe.PaymentIntent {
  const isPending = intent.status === 'requires_action'
  const challenge: Stripe.PaymentIntent.NextAction = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_challenge' },
  }
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: ['card'],
    amount: intent.amount,
    amount_capturable: intent.status === 'requires_capture' ? intent.amount : 0,
    amount_received: intent.status === 'succeeded' ? (intent.amountReceived ?? intent.amount) : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: intent.automaticPaymentMethods,
    canceled_at: intent.canceledAt,
    cancellation_reason: intent.cancellationReason,
    capture_method: intent.captureMethod,
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: null,
    customer_account: null,
    description: intent.description,
    excluded_payment_method_types: null,
    last_payment_error: intent.lastPaymentError && withDocUrl(intent.lastPaymentError as LastPaymentError),
    latest_charge: intent.latestCharge,
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action: isPending ? challenge : null,
    on_behalf_of: null,
    payment_method: intent.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: intent.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  }
}
