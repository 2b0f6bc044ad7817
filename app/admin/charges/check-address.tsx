import { type SubmitEvent, useState } from 'react'
import { FindPart } from '#app/admin/quotes/find-part.tsx'
import { ApiError, client } from '#app/client.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { findPostcodeProblem } from '#shop/addresses/postcodes.ts'
import { formatMillionths } from '#shop/charges/describe-rates.ts'
import type { Estimate } from '#shop/charges/estimate.ts'
import type { OrderCharges } from '#shop/charges/order-charges.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import type { Product } from '#shop/parts/part.ts'
import { lowestQuantity } from '#shop/parts/quantity.ts'
import { PlaceFields } from './place-fields.tsx'

interface Props {
  homeCountry: string
  isDirty: boolean
}

/** What an order would cost with what is saved. */
export function CheckAddress({ homeCountry, isDirty }: Props) {
  const [address, setAddress] = useState({ country: homeCountry, region: '', postcode: '' })
  const [part, setPart] = useState<Product>()
  const [quantity, setQuantity] = useState('')
  const { result, errors, message, busy, check } = useEstimate()
  const { country, postcode } = address

  function choose(found: Product) {
    setPart(found)
    setQuantity(`${lowestQuantity(found)}`)
  }

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const problems = {
      part: part ? undefined : 'Choose a part',
      postcode: postcode ? findPostcodeProblem(country, postcode) : undefined,
    }
    check(problems, { ...address, lines: [{ partId: part?._id ?? '', quantity }] })
  }

  return (
    <section aria-labelledby="check" className="mt-12">
      <h2 id="check" className="text-xl">
        Check an address
      </h2>
      <p className="mt-1 mb-4 text-base-content/75">
        {isDirty
          ? 'What a customer would pay with what is saved. Your changes don’t count until you save them.'
          : 'What a customer would pay with what is saved.'}
      </p>
      <form method="post" noValidate onSubmit={submit}>
        <PlaceFields
          place={address}
          errors={{ postcode: errors.postcode }}
          onChange={(change) => setAddress({ ...address, ...change })}
        />
        <FindPart label="Part" verb="Choose" problem={errors.part} onFound={choose} />
        {part && (
          <Field
            label={`Quantity of ${part.name}`}
            inputMode="numeric"
            autoComplete="off"
            value={quantity}
            error={errors.lines}
            onChange={({ target }) => setQuantity(target.value)}
          />
        )}
        <FormError message={message} />
        <SubmitButton busy={busy} quiet className="">
          Check address
        </SubmitButton>
      </form>
      <div role="status" className="mt-4">
        {result && <EstimateResult {...result} />}
      </div>
    </section>
  )
}

type Problems = Partial<Record<string, string | undefined>>

function useEstimate() {
  const [result, setResult] = useState<Estimate>()
  const [errors, setErrors] = useState<Problems>({})
  const [message, setMessage] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function check(problems: Problems, body: Parameters<typeof client.estimateCharges>[0]['body']) {
    setErrors(problems)
    setMessage(undefined)
    setResult(undefined)
    if (busy || Object.values(problems).some(Boolean)) return
    setBusy(true)
    try {
      setResult(await client.estimateCharges({ body: { ...body, asAnyone: true } }))
    } catch (error) {
      const line = error instanceof ApiError ? error.fields['lines.0.quantity']?.[0] : undefined
      setErrors({ lines: line })
      setMessage(line ? undefined : errorText(error))
    }
    setBusy(false)
  }

  return { result, errors, message, busy, check }
}

const formatCents = (cents: number) => formatDollars(toDollars(cents))

function EstimateResult({ charges, problem, missingForFreeDelivery }: Estimate) {
  if (!charges) return <p className="rounded-box border border-warning p-3">{problem}</p>
  const { goods, delivery, total, mode } = charges
  const without = mode === 'none' ? '' : ' without tax'
  const amounts: [string, number][] = [
    [`Goods${without}`, goods],
    [`Delivery${without}`, delivery],
    ...listTaxes(charges),
  ]
  return (
    <>
      <dl className="max-w-md border-y border-base-300 py-2">
        {amounts.map(([label, cents]) => (
          <div key={label} className="flex justify-between gap-6 py-1">
            <dt>{label}</dt>
            <dd>{formatCents(cents)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-6 py-1 font-semibold">
          <dt>Total</dt>
          <dd>{formatCents(total)}</dd>
        </div>
      </dl>
      {missingForFreeDelivery !== null && (
        <p className="mt-2 text-base-content/75">
          {`With ${formatCents(missingForFreeDelivery)} more of goods, delivery is free.`}
        </p>
      )}
    </>
  )
}

function listTaxes({ taxes }: OrderCharges): [string, number][] {
  return taxes.map(({ rate, reason, base, tax }) => {
    const name = rate ? `${rate.name} ${formatMillionths(rate.millionths)}` : `No tax, ${reason}`
    return [`${name} of ${formatCents(base)}`, tax]
  })
}
