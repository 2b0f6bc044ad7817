import { type PaymentState, paymentStateOf } from './shop.client.ts'

/** Digits only; the year has two or four. */
export interface Card {
  number: string
  month: string
  year: string
  cvc: string
}

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
  return callBank(clientSecret, 'confirm', form)
}

export function authenticatePayment(clientSecret: string, outcome: 'complete' | 'fail') {
  return callBank(clientSecret, 'authenticate', new URLSearchParams({ outcome }))
}

export function fetchIntent(clientSecret: string) {
  return callBank(clientSecret)
}

const timeoutMs = 30_000

async function callBank(
  clientSecret: string,
  action?: string,
  form?: URLSearchParams,
): Promise<PaymentState> {
  const [id] = clientSecret.split('_secret_')
  const url = `/payments/v1/payment_intents/${id}`
  const signal = AbortSignal.timeout(timeoutMs)
  form?.set('client_secret', clientSecret)
  try {
    const response = form
      ? await fetch(`${url}/${action}`, { method: 'POST', body: form, signal })
      : await fetch(`${url}?${new URLSearchParams({ client_secret: clientSecret })}`, { signal })
    if (response.status >= 500) return { status: 'unknown' }
    return toPaymentState(await response.json())
  } catch {
    return { status: 'unknown' }
  }
}

interface Intent {
  status?: string
  last_payment_error?: { message?: string } | null
}

/** An error without a payment intent means that nothing was charged. */
function toPaymentState(
  payload: Intent & { error?: { message?: string; payment_intent?: Intent } },
): PaymentState {
  const { error } = payload
  if (!error) return paymentStateOf(payload.status, payload.last_payment_error?.message)
  return error.payment_intent
    ? paymentStateOf(error.payment_intent.status, error.message)
    : { status: 'open', message: error.message }
}
