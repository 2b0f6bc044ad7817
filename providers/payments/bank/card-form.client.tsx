import { useForm } from 'react-hook-form'
import type { BrowserPayments, CardFormProps } from '#providers/payments/payment-state.client.ts'
import { authenticate, confirm, readIntent } from './bank-api.client.ts'
import { CardInput } from './card-input.client.tsx'
import { brandOf, cvcLength, cvcProblem, digitsOf, grouped, numberProblem } from './card-number.client.ts'
import { useChallenge } from './challenge.client.tsx'
import { expiryProblem, monthAndYear, readExpiry } from './expiry.client.ts'
import { type TestCard, TestCards } from './test-cards.client.tsx'

/** The test bank, as a browser pays at it. */
export const testBankForm: BrowserPayments = { CardForm, look: readIntent }

interface Typed {
  number: string
  expiry: string
  cvc: string
}

/** The test bank's card form. The number goes from here to the bank and nowhere else. */
function CardForm({ clientSecret, billing, amount, onPay, children }: CardFormProps) {
  const { register, handleSubmit, getValues, setValue, trigger, watch, formState } = useForm<Typed>({
    defaultValues: { number: '', expiry: '', cvc: '' },
  })
  const { errors } = formState
  const { ask, challenge } = useChallenge(amount)
  const number = watch('number')

  async function attempt({ number, expiry, cvc }: Typed) {
    const { month, year } = readExpiry(expiry)!
    const card = { number: digitsOf(number), month: String(month), year: String(year), cvc }
    const standing = await confirm(clientSecret, card, billing)
    if (standing.status !== 'asks') return standing
    const answer = await ask()
    return answer ? authenticate(clientSecret, answer) : standing
  }

  function fill(card: TestCard) {
    const year = String(new Date().getFullYear() + 3).slice(2)
    const filled = { ...card, expiry: `12 / ${year}` }
    for (const name of ['number', 'expiry', 'cvc'] as const) {
      setValue(name, filled[name], { shouldValidate: true })
    }
  }

  /** What is wrong is said when a field is left, and no longer than it is wrong. */
  function field(name: keyof Typed, problem: (typed: string) => string | undefined) {
    const { onChange, onBlur, ...rest } = register(name, { validate: (typed) => problem(typed) ?? true })
    return {
      ...rest,
      error: errors[name]?.message,
      onChange: (event: { target: unknown }) => {
        onChange(event)
        if (errors[name]) trigger(name)
      },
      onBlur: (event: { target: unknown }) => {
        onBlur(event)
        if (getValues(name)) trigger(name)
      },
    }
  }

  return (
    <form
      method="post"
      noValidate
      aria-label="Card"
      onSubmit={handleSubmit((typed) => onPay(() => attempt(typed)))}
    >
      <TestCards onChoose={fill} />
      <CardInput
        label="Card number"
        autoComplete="cc-number"
        enterKeyHint="next"
        placeholder="1234 1234 1234 1234"
        format={grouped}
        mark={brandOf(number)?.name}
        {...field('number', numberProblem)}
      />
      <div className="grid grid-cols-2 gap-4">
        <CardInput
          label="Expiry"
          autoComplete="cc-exp"
          enterKeyHint="next"
          placeholder="MM / YY"
          format={monthAndYear}
          {...field('expiry', (typed) => expiryProblem(typed))}
        />
        <CardInput
          label="CVC"
          autoComplete="cc-csc"
          enterKeyHint="done"
          placeholder={cvcLength(number) === 4 ? '1234' : '123'}
          format={(typed) => digitsOf(typed).slice(0, cvcLength(getValues('number')) ?? 4)}
          {...field('cvc', (typed) => cvcProblem(typed, getValues('number')))}
        />
      </div>
      {children}
      {challenge}
    </form>
  )
}
