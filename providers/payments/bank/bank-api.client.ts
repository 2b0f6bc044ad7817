import { type PaymentState, paymentStateOf } from '#providers/payments/payment-state.client.ts'

/** What is typed, as digits alone; the year has two or four. */
export interface Card {
  number: string
  month: string
  year: string
  cvc: string
}

/** Pays with a card, as the card provider's own script does it: the client secret opens this one payment. */
export function confirm(clientSecret: string, card: Card, billing: { name: string; email: string }) {
  const form = new URLSearchParams({
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number,
    'payment_method_data[card][exp_month]': card.month,
    'payment_method_data[card][exp_year]': card.year,
    'payment_method_data[card][cvc]': card.cvc,
    'payment_method_data[billing_details][name]': billing.name,
    'payment_method_data[billing_details][email]': billing.email,
  })
  return ask(clientSecret, 'confirm', form)
}

/** Tells the bank what whoever owns the card said to its question. */
export function authenticate(clientSecret: string, outcome: 'complete' | 'fail') {
  return ask(clientSecret, 'authenticate', new URLSearchParams({ outcome }))
}

export function readIntent(clientSecret: string) {
  return ask(clientSecret)
}

const patience = 30_000

async function ask(clientSecret: string, verb?: string, form?: URLSearchParams): Promise<PaymentState> {
  const [id] = clientSecret.split('_secret_')
  const address = `/payments/v1/payment_intents/${id}`
  const signal = AbortSignal.timeout(patience)
  form?.set('client_secret', clientSecret)
  try {
    const response = form
      ? await fetch(`${address}/${verb}`, { method: 'POST', body: form, signal })
      : await fetch(`${address}?${new URLSearchParams({ client_secret: clientSecret })}`, { signal })
    if (response.status >= 500) return { status: 'unknown' }
    return read(await response.json())
  } catch {
    return { status: 'unknown' }
  }
}

interface Intent {
  status?: string
  last_payment_error?: { message?: string } | null
}

/** A refusal carries the payment that it is about, unless there is none: then nothing was charged. */
function read(answer: Intent & { error?: { message?: string; payment_intent?: Intent } }): PaymentState {
  const { error } = answer
  if (!error) return paymentStateOf(answer.status, answer.last_payment_error?.message)
  return error.payment_intent
    ? paymentStateOf(error.payment_intent.status, error.message)
    : { status: 'open', words: error.message }
}
