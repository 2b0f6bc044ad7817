interface Card {
  number?: string
  cvc?: string
  billing?: { name: string; email: string }
}

export function cardBody(
  clientSecret: string,
  { number = '4242424242424242', cvc = '123', billing }: Card = {},
) {
  const body = new URLSearchParams({ client_secret: clientSecret, 'payment_method_data[type]': 'card' })
  const card = { number, exp_month: '12', exp_year: String(new Date().getFullYear() + 1), cvc }
  for (const [name, value] of Object.entries(card)) body.set(`payment_method_data[card][${name}]`, value)
  for (const [name, value] of Object.entries(billing ?? {}))
    body.set(`payment_method_data[billing_details][${name}]`, value)
  return body
}

export function confirmPath(clientSecret: string) {
  return `/payments/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`
}
