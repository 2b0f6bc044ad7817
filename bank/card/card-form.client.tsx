import { useForm } from 'react-hook-form'
import { authenticatePayment, confirm, fetchIntent } from './bank-api.client.ts'
import { CardInput } from './card-input.client.tsx'
import {
  cvcLength,
  findBrand,
  formatCardNumber,
  pickDigits,
  validateCardNumber,
  validateCvc,
} from './card-number.client.ts'
import { useChallenge } from './challenge.client.tsx'
import { formatExpiry, readExpiry, validateExpiry } from './expiry.client.ts'
import type { BrowserPayments, CardFormProps } from './shop.client.ts'
import { type TestCard, TestCards } from './test-cards.client.tsx'

export const testBankForm: BrowserPayments = { CardForm, fetchState: fetchIntent }

interface CardFields {
  number: string
  expiry: string
  cvc: string
}

/** The card number is sent to the bank and nowhere else. */
function CardForm({ clientSecret, billing, amount, onPay, children }: CardFormProps) {
  const { register, handleSubmit, getValues, setValue, trigger, watch, formState } = useForm<CardFields>({
    defaultValues: { number: '', expiry: '', cvc: '' },
  })
  const { errors } = formState
  const { ask: openChallenge, challenge } = useChallenge(amount)
  const number = watch('number')

  async function pay(fields: CardFields) {
    const state = await confirm(clientSecret, cardFrom(fields), billing)
    if (state.status !== 'requires action') return state
    const outcome = await openChallenge()
    return outcome ? authenticatePayment(clientSecret, outcome) : state
  }

  function fillTestCard(card: TestCard) {
    const values = { ...card, expiry: expiryInThreeYears() }
    for (const name of ['number', 'expiry', 'cvc'] as const) {
      setValue(name, values[name], { shouldValidate: true })
    }
  }

  /** Validates on blur, and on every change while there is an error. */
  function fieldProps(name: keyof CardFields, validate: (value: string) => string | undefined) {
    const { onChange, onBlur, ...rest } = register(name, { validate: (value) => validate(value) ?? true })
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
      onSubmit={handleSubmit((card) => onPay(() => pay(card)))}
    >
      <TestCards onChoose={fillTestCard} />
      <CardInput
        label="Card number"
        autoComplete="cc-number"
        enterKeyHint="next"
        placeholder="1234 1234 1234 1234"
        format={formatCardNumber}
        mark={findBrand(number)?.name}
        {...fieldProps('number', validateCardNumber)}
      />
      <div className="grid grid-cols-2 gap-4">
        <CardInput
          label="Expiry"
          autoComplete="cc-exp"
          enterKeyHint="next"
          placeholder="MM / YY"
          format={formatExpiry}
          {...fieldProps('expiry', (value) => validateExpiry(value))}
        />
        <CardInput
          label="CVC"
          autoComplete="cc-csc"
          enterKeyHint="done"
          placeholder={cvcLength(number) === 4 ? '1234' : '123'}
          format={(value) => pickDigits(value).slice(0, cvcLength(getValues('number')) ?? 4)}
          {...fieldProps('cvc', (value) => validateCvc(value, getValues('number')))}
        />
      </div>
      {children}
      {challenge}
    </form>
  )
}

function cardFrom({ number, expiry, cvc }: CardFields) {
  const { month, year } = readExpiry(expiry)!
  return { number: pickDigits(number), month: String(month), year: String(year), cvc }
}

function expiryInThreeYears() {
  return `12 / ${String(new Date().getFullYear() + 3).slice(2)}`
}
