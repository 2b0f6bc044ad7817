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

/** Stripe's own card fields. Throws when Stripe's script cannot be loaded; asked again, it is loaded anew. */
export async function stripeElements(publishableKey: string): Promise<BrowserPayments> {
  stripe ??= await loadStripe(publishableKey)
  testMode = publishableKey.startsWith('pk_test_')
  return { CardForm, look }
}

function look(clientSecret: string) {
  return answerOf(() => stripe!.retrievePaymentIntent(clientSecret))
}

function CardForm(props: CardFormProps) {
  return (
    <Elements stripe={stripe}>
      <Fields {...props} />
    </Elements>
  )
}

const fields = [
  { label: 'Card number', Element: CardNumberElement, missing: 'Card number is required' },
  { label: 'Expiry', Element: CardExpiryElement, missing: 'Expiry is required' },
  { label: 'CVC', Element: CardCvcElement, missing: 'CVC is required' },
] as const
type Label = (typeof fields)[number]['label']

/** What is typed stands in frames of Stripe's: neither this page nor the shop sees it. */
function Fields({ clientSecret, billing, onPay, children }: CardFormProps) {
  const stripe = useStripe()!
  const elements = useElements()!
  const [typed, setTyped] = useState<Partial<Record<Label, StripeElementChangeEvent>>>({})
  const [sent, setSent] = useState(false)

  const problemOf = ({ label, missing }: (typeof fields)[number]) =>
    typed[label]?.error?.message ?? (sent && !typed[label]?.complete ? missing : undefined)

  function pay(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setSent(true)
    const wrong = fields.find(({ label }) => !typed[label]?.complete)
    if (wrong) return elements.getElement(wrong.Element as typeof CardNumberElement)?.focus()
    const card = elements.getElement(CardNumberElement)!
    const method = { payment_method: { card, billing_details: billing } }
    onPay(() => answerOf(() => stripe.confirmCardPayment(clientSecret, method)))
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
            error={problemOf(field)}
            onChange={(change) => setTyped((typed) => ({ ...typed, [field.label]: change }))}
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
  const number = label === 'Card number'
  return (
    <div className={`mb-3 ${number ? 'col-span-2' : ''}`}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <Element
        id={id}
        className={`input w-full [&>*]:w-full ${error ? 'input-error' : ''}`}
        options={{ style, ...(number && { showIcon: true }) }}
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

/** Without an answer of Stripe's it is open whether the card was taken; a refusal says so of its payment. */
async function answerOf(ask: () => Promise<PaymentIntentResult>): Promise<PaymentState> {
  const { paymentIntent, error } = await answered(ask)
  if (paymentIntent) return paymentStateOf(paymentIntent.status, paymentIntent.last_payment_error?.message)
  if (!error || error.type === 'api_connection_error' || error.type === 'api_error')
    return { status: 'unknown' }
  return error.payment_intent
    ? paymentStateOf(error.payment_intent.status, error.message)
    : { status: 'open', words: error.message }
}

/** Stripe's script throws what it takes for a mistake of the page's. */
async function answered(ask: () => Promise<PaymentIntentResult>): Promise<Partial<PaymentIntentResult>> {
  try {
    return await ask()
  } catch {
    return {}
  }
}
