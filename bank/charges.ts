import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { serializeBilling, serializeCard } from './payment-methods.ts'
import { type BankCall, notFoundError } from './responses.ts'
import { type BankCard, type BankError, charges } from './shop.ts'

export type Charge = Omit<typeof charges.$inferSelect, 'number'>

export async function findCharge(call: BankCall, id: string): Promise<Charge> {
  const [charge] = await call.tx.select().from(charges).where(eq(charges.id, id))
  if (!charge) throw notFoundError('charge', id)
  return charge
}

export async function changeCharge(call: BankCall, { id }: Charge, values: Partial<Charge>): Promise<Charge> {
  const [charge] = await call.tx.update(charges).set(values).where(eq(charges.id, id)).returning()
  return charge!
}

export const notAuthenticated: BankError = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

export function serializeCharge(charge: Charge): Stripe.Charge {
  const { failure } = charge
  const failed = charge.status === 'failed'
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: charge.amountCaptured,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: serializeBilling(charge.billingDetails),
    calculated_statement_descriptor: null,
    captured: charge.captured,
    created: charge.created,
    currency: charge.currency,
    customer: null,
    description: null,
    disputed: charge.disputed,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: {},
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: failed ? 'declined_by_network' : 'approved_by_network',
      reason: failure ? (failure.decline_code ?? failure.code) : null,
      risk_level: 'normal',
      seller_message: failed ? 'The bank declined the card.' : 'Payment complete.',
      type: failed ? 'issuer_declined' : 'authorized',
    },
    paid: charge.status === 'succeeded',
    payment_intent: charge.paymentIntent,
    payment_method: charge.paymentMethod,
    payment_method_details: charge.card && { card: serializeCardDetails(charge, charge.card), type: 'card' },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: charge.amountRefunded === (charge.captured ? charge.amountCaptured : charge.amount),
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  }
}

function serializeCardDetails(charge: Charge, card: BankCard): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    ...serializeCard(card, charge.created),
    amount_authorized: charge.status === 'failed' ? null : charge.amount,
    authorization_code: null,
    electronic_commerce_indicator: null,
    installments: null,
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    three_d_secure: charge.authenticated ? threeDSecure : null,
    transaction_link_id: null,
  }
}

const threeDSecure: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: null,
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: null,
  version: '2.2.0',
}
