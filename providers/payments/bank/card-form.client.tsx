import { type ChangeEvent, type SubmitEvent, useId, useState } from 'react'

interface Billing {
  name: string
  email: string
}

interface Props {
  clientSecret: string
  /** Who pays. */
  billing: Billing
  /** The words on the button. */
  label: string
  /** Told the payment's id once the bank has taken the money. */
  onPaid: (transactionId: string) => Promise<void>
}

/** The test bank's card form. The number goes from here to the bank and nowhere else. */
export function CardForm({ clientSecret, billing, label, onPaid }: Props) {
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function pay(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      await onPaid(await confirm(clientSecret, billing, new FormData(event.currentTarget)))
    } catch (error) {
      setFailure(error instanceof Error ? error.message : 'Something went wrong.')
    }
    setBusy(false)
  }

  return (
    <form method="post" noValidate onSubmit={pay} aria-label="Card">
      <p className="mb-4 rounded-box bg-base-200 p-3 text-sm">
        <strong>Test mode.</strong> No money moves. 4242 4242 4242 4242 pays, 4000 0000 0000 0002 is declined;
        any future expiry, any CVC.
      </p>
      <CardInput label="Card number" name="number" autoComplete="cc-number" size={19} format={grouped} />
      <div className="grid grid-cols-2 gap-4">
        <CardInput
          label="Expiry"
          name="expiry"
          autoComplete="cc-exp"
          size={9}
          format={monthAndYear}
          hint="MM / YY"
        />
        <CardInput label="CVC" name="cvc" autoComplete="cc-csc" size={4} format={digits} />
      </div>
      {/* While it is under way the button keeps the keyboard where it is. */}
      <button type="submit" className="btn btn-primary w-full" aria-disabled={busy}>
        {busy && <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />}
        {label}
      </button>
      {failure && (
        <p role="alert" className="mt-3 text-error">
          {failure}
        </p>
      )}
    </form>
  )
}

interface InputProps {
  label: string
  name: string
  autoComplete: string
  size: number
  hint?: string
  format: (typed: string) => string
}

function CardInput({ label, name, autoComplete, size, hint, format }: InputProps) {
  const id = useId()
  const [value, setValue] = useState('')
  const change = (event: ChangeEvent<HTMLInputElement>) => setValue(format(event.target.value))
  return (
    <div className="mb-3">
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className="input w-full"
        name={name}
        inputMode="numeric"
        autoComplete={autoComplete}
        maxLength={size}
        placeholder={hint}
        value={value}
        onChange={change}
        required
      />
    </div>
  )
}

const digits = (typed: string) => typed.replace(/\D/g, '')
const grouped = (typed: string) =>
  digits(typed)
    .slice(0, 16)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** '130', '1/30' and '01/2030' all become '01 / 30'. */
function monthAndYear(typed: string) {
  const all = digits(/^([2-9]|1[3-9]|\d *\/)/.test(typed) ? `0${typed}` : typed)
  const month = all.slice(0, 2)
  const year = /^20\d/.test(all.slice(2)) ? all.slice(4, 6) : all.slice(2, 4)
  return year ? `${month} / ${year}` : month
}

/** As the card provider's own script does it: the client secret opens this one payment. Answers the payment's id. */
async function confirm(clientSecret: string, billing: Billing, typed: FormData): Promise<string> {
  const [id] = clientSecret.split('_secret_')
  const [month = '', year = ''] = String(typed.get('expiry')).split('/')
  const card = {
    number: typed.get('number'),
    exp_month: month.trim(),
    exp_year: year.trim(),
    cvc: typed.get('cvc'),
  }
  const body = new URLSearchParams({ client_secret: clientSecret, 'payment_method_data[type]': 'card' })
  for (const [name, value] of Object.entries(card)) {
    body.set(`payment_method_data[card][${name}]`, String(value).replace(/\s/g, ''))
  }
  for (const [name, value] of Object.entries(billing)) {
    body.set(`payment_method_data[billing_details][${name}]`, value)
  }

  const response = await fetch(`/payments/v1/payment_intents/${id}/confirm`, { method: 'POST', body }).catch(
    () => {
      throw new Error('The bank cannot be reached. Nothing was charged twice: please try again.')
    },
  )
  const answer = await response.json().catch(() => ({}))
  if (response.ok) return answer.id
  const status = answer.error?.payment_intent?.status
  if (status === 'canceled') throw new Error('This order can no longer be paid. Nothing was charged.')
  // An answer that got lost: the bank took the money at the first try.
  if (status === 'succeeded') return answer.error.payment_intent.id
  throw new Error(answer.error?.message ?? 'The bank could not take the card. Please try again.')
}
