import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type {
  PaymentIntentResult,
  Stripe,
  StripeElements,
  StripePaymentElementOptions,
} from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type SubmitEvent, useEffect, useState } from 'react'
import {
  type BrowserPayments,
  type CardFormProps,
  describePaymentState,
  formNotLoadedMessage,
  type PaymentState,
} from '#providers/payments/payment-state.client.ts'
import { useAppearance } from './appearance.client.ts'

let stripe: Stripe | null = null
let testMode = false

/** Throws when Stripe's script cannot be loaded; calling it again retries. */
export async function stripeElements(publishableKey: string): Promise<BrowserPayments> {
  stripe ??= await loadStripe(publishableKey)
  testMode = publishableKey.startsWith('pk_test_')
  return { CardForm, fetchState }
}

function fetchState(clientSecret: string) {
  return toPaymentState(() => stripe!.retrievePaymentIntent(clientSecret))
}

const elementOptions: StripePaymentElementOptions = {
  layout: 'tabs',
  fields: { billingDetails: { name: 'never', email: 'never' } },
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
}

/** The fields are in Stripe's iframe: neither this page nor the shop sees the card. */
function CardForm(props: CardFormProps) {
  const { clientSecret, onPay } = props
  const appearance = useAppearance()
  const [loads, setLoads] = useState(1)
  useReturnFromBank(clientSecret, onPay)
  return (
    <Elements key={loads} stripe={stripe} options={{ clientSecret, appearance }}>
      <PaymentForm {...props} onReload={() => setLoads(loads + 1)} />
    </Elements>
  )
}

/** A bank that asks the customer on its own page sends them back with the payment in the query. */
function useReturnFromBank(clientSecret: string, onPay: CardFormProps['onPay']) {
  useEffect(() => {
    const query = new URLSearchParams(location.search)
    if (query.get('payment_intent_client_secret') !== clientSecret) return
    history.replaceState(history.state, '', location.pathname)
    onPay(() => fetchState(clientSecret))
  }, [clientSecret, onPay])
}

function PaymentForm({ billing, onPay, onReload, children }: CardFormProps & { onReload: () => void }) {
  const stripe = useStripe()!
  const elements = useElements()!
  const [isBroken, setIsBroken] = useState(false)

  async function pay(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!(await checkFields(elements))) return
    const confirmParams = {
      return_url: location.origin + location.pathname,
      payment_method_data: { billing_details: billing },
    }
    onPay(() =>
      toPaymentState(() => stripe.confirmPayment({ elements, confirmParams, redirect: 'if_required' })),
    )
  }

  if (isBroken) return <NotLoaded onReload={onReload} />
  return (
    <form method="post" noValidate aria-label="Card" onSubmit={pay}>
      {testMode && (
        <p className="mb-4 rounded-box bg-base-200 p-3 text-sm">
          <strong>Test mode.</strong> No money moves, and only Stripe’s test cards work.
        </p>
      )}
      <PaymentElement className="mb-4" options={elementOptions} onLoadError={() => setIsBroken(true)} />
      {children}
    </form>
  )
}

function NotLoaded({ onReload }: { onReload: () => void }) {
  return (
    <section role="alert">
      <p className="mb-3 text-error">{formNotLoadedMessage}</p>
      <button type="button" className="btn btn-primary" onClick={onReload}>
        Try again
      </button>
    </section>
  )
}

/** Stripe shows what is missing beside its fields. Any other error comes back from confirming. */
async function checkFields(elements: StripeElements): Promise<boolean> {
  try {
    return (await elements.submit()).error?.type !== 'validation_error'
  } catch {
    return true
  }
}

/** Without a response from Stripe, the card may have been charged. */
async function toPaymentState(call: () => Promise<PaymentIntentResult>): Promise<PaymentState> {
  const { paymentIntent, error } = await callSafely(call)
  if (paymentIntent)
    return describePaymentState(paymentIntent.status, paymentIntent.last_payment_error?.message)
  if (!error || error.type === 'api_connection_error' || error.type === 'api_error')
    return { status: 'unknown' }
  return error.payment_intent
    ? describePaymentState(error.payment_intent.status, error.message)
    : { status: 'open', message: error.message }
}

/** Stripe's script throws for what it considers integration errors. */
async function callSafely(call: () => Promise<PaymentIntentResult>): Promise<Partial<PaymentIntentResult>> {
  try {
    return await call()
  } catch {
    return {}
  }
}
