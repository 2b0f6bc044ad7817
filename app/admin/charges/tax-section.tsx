import { memo, useCallback, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useRouteLoaderData } from 'react-router'
import { readTimeZone } from '#app/admin/time-zone.ts'
import { TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { describeTaxedPlace, describeTaxTerms, describeValidity } from '#shop/charges/describe-rates.ts'
import { deliveryAndTax } from '#shop/charges/rates.ts'
import { findDay } from '#shop/dates.ts'
import type { PaymentSettings } from '#shop/ports.ts'
import { type ChargesInput, newRate, type RateInput, readRate } from './charges-input.ts'
import { EditableEntry } from './editable-entry.tsx'
import { RateFields } from './rate-fields.tsx'
import type { FieldErrors } from './use-charges-form.ts'

interface Props extends Pick<ChargesInput, 'mode' | 'rates' | 'note'> {
  homeCountry: string
  errors: FieldErrors
  onChange: (change: Partial<ChargesInput>) => void
}

const modes: [ChargesInput['mode'], string, string][] = [
  ['none', 'No tax', 'The shop charges none.'],
  ['exclusive', 'Prices are shown without tax', 'Tax is added to them.'],
  ['inclusive', 'Prices are shown with tax', 'The tax of the destination is contained in them.'],
  ['stripe', 'Stripe Tax', 'Stripe adds the tax to prices, and keeps it for your tax returns.'],
]

const madeUp =
  'Here, the test bank does, at made-up rates for Germany, Austria, France, California, New York and Washington.'

export const TaxSection = memo(({ mode, rates, note, homeCountry, errors, onChange }: Props) => {
  const payments = useRouteLoaderData<{ payments: PaymentSettings }>('root')?.payments
  const hasRates = mode === 'exclusive' || mode === 'inclusive'
  return (
    <section aria-labelledby="tax" className="mb-10">
      <h2 id="tax" className="mb-3 text-xl">
        Tax
      </h2>
      <FormError message={errors.at('tax')} />
      <div role="radiogroup" aria-label="How prices are shown" className="mb-4 grid gap-2">
        {modes.map(([value, label, effect]) => (
          <label key={value} className="flex items-start gap-3 py-1">
            <input
              type="radio"
              name="mode"
              className="radio mt-0.5 radio-sm"
              checked={mode === value}
              onChange={() => onChange({ mode: value })}
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-sm text-base-content/75">
                {effect}
                {value === 'stripe' && payments?.kind === 'bank' && ` ${madeUp}`}
              </span>
            </span>
          </label>
        ))}
      </div>
      {mode === 'none' && (
        <TextField
          label="Sentence on invoices"
          name="note"
          optional
          rows={2}
          // Text that is too long would keep the form from being saved where this field is not shown.
          maxLength={300}
          hint="Optional. Why there is no tax, such as Small business, no VAT is charged."
          value={note}
          error={errors.at('note')}
          onChange={({ target }) => onChange({ note: target.value })}
        />
      )}
      {(hasRates || rates.length > 0) && (
        <Rates
          rates={rates}
          unused={
            hasRates ? null : mode === 'none' ? 'the shop charges no tax' : 'Stripe Tax works out the tax'
          }
          homeCountry={homeCountry}
          errors={errors}
          onChange={onChange}
        />
      )}
    </section>
  )
})

interface RatesProps {
  rates: RateInput[]
  /** While what they are not charged; null when they are. */
  unused: string | null
  homeCountry: string
  errors: FieldErrors
  onChange: (change: Pick<ChargesInput, 'rates'>) => void
}

function Rates({ rates, unused, homeCountry, errors, onChange }: RatesProps) {
  const list = useRef<HTMLUListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const today = findDay(Date.now(), readTimeZone())
  const latest = useRef(rates)
  useEffect(() => {
    latest.current = rates
  }, [rates])

  const change = useCallback(
    (i: number, changes: Partial<RateInput>) => {
      const { current } = latest
      onChange({ rates: current.with(i, { ...current[i]!, ...changes }) })
    },
    [onChange],
  )

  const remove = useCallback(
    (i: number) => {
      onChange({ rates: latest.current.toSpliced(i, 1) })
      addButton.current?.focus()
    },
    [onChange],
  )

  function add() {
    flushSync(() => onChange({ rates: [...rates, newRate(homeCountry, today)] }))
    list.current?.querySelector<HTMLElement>(':scope > :last-child input')?.focus()
  }

  return (
    <section aria-labelledby="rates">
      <h3 id="rates" className="text-lg">
        Rates
      </h3>
      <p className="mt-1 mb-4 text-base-content/75">
        {rates.length === 0
          ? 'No rates: no tax is charged anywhere.'
          : unused === null
            ? 'Where no rate is valid, no tax is charged.'
            : `These rates aren’t charged while ${unused}.`}
      </p>
      <FormError message={errors.at('tax.rates')} />
      <ul ref={list}>
        {rates.map((rate, i) => (
          <RateEntry
            key={rate.key}
            rate={rate}
            index={i}
            today={today}
            errors={errors}
            onChange={change}
            onRemove={remove}
          />
        ))}
      </ul>
      <button ref={addButton} type="button" className="btn" onClick={add}>
        Add rate
      </button>
    </section>
  )
}

interface RateEntryProps {
  rate: RateInput
  index: number
  today: string
  errors: FieldErrors
  onChange: (index: number, change: Partial<RateInput>) => void
  onRemove: (index: number) => void
}

const RateEntry = memo(({ rate, index, today, errors, onChange, onRemove }: RateEntryProps) => {
  const path = `tax.rates.${index}`
  const { title, summary } = describeRate(rate, today)
  return (
    <EditableEntry
      noun="rate"
      title={title}
      summary={summary}
      isNew={rate.name === ''}
      hasError={errors.within(path) !== undefined}
      onRemove={() => onRemove(index)}
    >
      <RateFields rate={rate} path={path} errors={errors} onChange={(change) => onChange(index, change)} />
    </EditableEntry>
  )
})

/** Of rates that did not change: a shop may have a thousand. */
const described = new WeakMap<RateInput, { day: string; title: string; summary: string }>()

function describeRate(typed: RateInput, day: string) {
  const known = described.get(typed)
  if (known?.day === day) return known
  const rate = deliveryAndTax.shape.tax.shape.rates.element.safeParse(readRate(typed)).data
  const text = {
    day,
    title: rate ? describeTaxedPlace(rate) : typed.name || 'Without a name',
    summary: rate
      ? [describeTaxTerms(rate), describeValidity(rate, day)].filter(Boolean).join(', ')
      : 'Not complete',
  }
  described.set(typed, text)
  return text
}
