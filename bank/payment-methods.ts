import type Stripe from 'stripe'
import { findTestCard } from './cards.ts'
import { seconds } from './responses.ts'
import type { BankCard, BillingDetails } from './shop.ts'

export interface PaymentMethod {
  paymentMethod: string
  card: BankCard
  billingDetails: BillingDetails
}

export function serializePaymentMethod({
  paymentMethod,
  card,
  billingDetails,
}: PaymentMethod): Stripe.PaymentMethod {
  const created = seconds()
  return {
    id: paymentMethod,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: serializeBilling(billingDetails),
    card: {
      ...serializeCard(card, created),
      display_brand: card.brand,
      generated_from: null,
      networks: { available: [card.brand], preferred: null },
      three_d_secure_usage: { supported: true },
    },
    created,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}

type SharedCard = Omit<
  Stripe.PaymentMethod.Card,
  'display_brand' | 'generated_from' | 'networks' | 'three_d_secure_usage' | 'wallet'
> & { wallet: null }

/** The expiry is not stored, so every card shows December of the following year. */
export function serializeCard(card: BankCard, created: number): SharedCard {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'US',
    exp_month: 12,
    exp_year: new Date(created * 1000).getUTCFullYear() + 1,
    fingerprint: null,
    funding: findTestCard(card).funding,
    last4: card.last4,
    regulated_status: 'unregulated',
    wallet: null,
  }
}

export function serializeBilling(details: BillingDetails | null): Stripe.PaymentMethod.BillingDetails {
  const emptyAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
  const { name = null, email = null } = details ?? {}
  return { address: emptyAddress, email, name, phone: null, tax_id: null }
}
