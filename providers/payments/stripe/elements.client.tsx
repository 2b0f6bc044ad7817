import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js'
import type { PaymentIntentResult, Stripe, StripeElementChangeEvent } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type SubmitEvent, useId, useState } from 'react'
import {
  type BrowserPayments,
  type CardFormProps,
  type PaymentState,
  paymentStateOf,
} from '#providers/payments/payment-state.client.ts'
import { useFieldStyle } from './field-style.client.ts'

let stripe: Stripe | null = null
let testMode = false

/** Throws when Stripe's script cannot be loaded; calling it again retries. */
export async function stripeElements(publishableKey: string): Promise<BrowserPayments> {
  stripe ??= await loadStripe(publishableKey)
  testMode = publishableKey.startsWith('pk_test_')
  return { CardForm, fetchState: fetchState }
}

function fetchState(clientSecret: string) {
  return toPaymentState(() => stripe!.retrievePaymentIntent(clientSecret))
}

function CardForm(props: CardFormProps) {
  return (
    <Elements stripe={stripe}>
      <Fields {...props} />
    </Elements>
  )
}

const fields = [
  { label: 'Card number', Element: CardNumberElement, required: 'Card number is required' },
  { label: 'Expiry', Element: CardExpiryElement, required: 'Expiry is required' },
  { label: 'CVC', Element: CardCvcElement, required: 'CVC is required' },
] as const
type Label = (typeof fields)[number]['label']

/** The inputs are Stripe's iframes: neither this page nor the shop sees the card. */
function Fields({ clientSecret, billing, onPay, children }: CardFormProps) {
  const stripe = useStripe()!
  const elements = useElements()!
  const [changes, setChanges] = useState<Partial<Record<Label, StripeElementChangeEvent>>>({})
  const [isSubmitted, setIsSubmitted] = useState(false)

  const errorOf = ({ label, required }: (typeof fields)[number]) =>
    changes[label]?.error?.message ?? (isSubmitted && !changes[label]?.complete ? required : undefined)

  function pay(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setIsSubmitted(true)
    const firstInvalid = fields.find(({ label }) => !changes[label]?.complete)
    if (firstInvalid) return elements.getElement(firstInvalid.Element as typeof CardNumberElement)?.focus()
    const card = elements.getElement(CardNumberElement)!
    const method = { payment_method: { card, billing_details: billing } }
    onPay(() => toPaymentState(() => stripe.confirmCardPayment(clientSecret, method)))
  }

  return (
    <form method="post" noValidate aria-label="Card" onSubmit={pay}>
      {testMode && (
        <p className="mb-4 rounded-box bg-base-200 p-3 text-sm">
          <strong>Test mode.</strong> No money moves, and Stripe takes only its test cards.
        </p>
      )}
      <div className="grid grid-cols-2 gap-x-4">
        {fields.map((field) => (
          <Field
            key={field.label}
            {...field}
            error={errorOf(field)}
            onChange={(change) => setChanges((changes) => ({ ...changes, [field.label]: change }))}
          />
        ))}
      </div>
      {children}
    </form>
  )
}

interface FieldProps {
  label: Label
  Element: (typeof fields)[number]['Element']
  error: string | undefined
  onChange: (change: StripeElementChangeEvent) => void
}

function Field({ label, Element, error, onChange }: FieldProps) {
  const id = useId()
  const style = useFieldStyle()
  const isNumber = label === 'Card number'
  return (
    <div className={`mb-3 ${isNumber ? 'col-span-2' : ''}`}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <Element
        id={id}
        className={`input w-full [&>*]:w-full ${error ? 'input-error' : ''}`}
        options={{ style, ...(isNumber && { showIcon: true }) }}
        onChange={onChange}
      />
      {error && (
        <p role="alert" className="mt-1 text-sm text-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** Without a response from Stripe, the card may have been charged. */
async function toPaymentState(call: () => Promise<PaymentIntentResult>): Promise<PaymentState> {
  const { paymentIntent, error } = await callSafely(call)
  if (paymentIntent) return paymentStateOf(paymentIntent.status, paymentIntent.last_payment_error?.message)
  if (!error || error.type === 'api_connection_error' || error.type === 'api_error')
    return { status: 'unknown' }
  return error.payment_intent
    ? paymentStateOf(error.payment_intent.status, error.message)
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
