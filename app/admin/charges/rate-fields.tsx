import { Field, SelectField } from '#app/ui/field.tsx'
import { listCountries } from '#shop/addresses/countries.ts'
import { taxClasses } from '#shop/parts/customs.ts'
import type { RateInput } from './charges-input.ts'
import { RegionChoice } from './region-choice.tsx'
import type { FieldErrors } from './use-charges-form.ts'

interface Props {
  rate: RateInput
  path: string
  errors: FieldErrors
  onChange: (change: Partial<RateInput>) => void
}

export function RateFields({ rate, path, errors, onChange }: Props) {
  const text = (input: 'name' | 'percent' | 'from' | 'until', field: string = input) => ({
    name: `${path}.${field}`,
    autoComplete: 'off',
    value: rate[input],
    error: errors.at(`${path}.${field}`),
    onChange: ({ target }: { target: { value: string } }) => onChange({ [input]: target.value }),
  })
  return (
    <>
      <div className="grid gap-x-6 sm:grid-cols-2">
        <Field label="Name" hint="As printed on invoices, such as VAT." {...text('name')} />
        <Field
          label="Rate (%)"
          inputMode="decimal"
          hint="Such as 19 or 8.875."
          {...text('percent', 'millionths')}
        />
        <SelectField
          label="Country"
          value={rate.country}
          onChange={({ target }) => onChange({ country: target.value, regions: [] })}
        >
          {listCountries().map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Tax class"
          hint="Of the parts that it applies to."
          value={rate.class}
          onChange={({ target }) => onChange({ class: target.value as RateInput['class'] })}
        >
          {taxClasses.map((name) => (
            <option key={name} value={name}>
              {name[0]!.toUpperCase() + name.slice(1)}
            </option>
          ))}
        </SelectField>
      </div>
      <RegionChoice
        country={rate.country}
        regions={rate.regions}
        onChange={(regions) => onChange({ regions })}
      />
      <div className="grid gap-x-6 sm:grid-cols-2">
        <Field label="Valid from" type="date" {...text('from')} />
        <Field label="Valid until" type="date" optional hint="Optional. The last day." {...text('until')} />
      </div>
      <Choice
        label="Also on delivery"
        detail="Delivery is taxed as the goods are."
        checked={rate.onDelivery}
        onChange={(onDelivery) => onChange({ onDelivery })}
      />
      <Choice
        label="Reverse charge"
        detail="Buyers with a checked VAT ID of another country pay no tax and account for it themselves."
        checked={rate.reverseCharge}
        onChange={(reverseCharge) => onChange({ reverseCharge })}
      />
    </>
  )
}

interface ChoiceProps {
  label: string
  detail: string
  checked: boolean
  onChange: (checked: boolean) => void
}

function Choice({ label, detail, checked, onChange }: ChoiceProps) {
  return (
    <label className="mb-4 flex items-start gap-3">
      <input
        type="checkbox"
        className="checkbox mt-0.5 checkbox-sm"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        <span className="block text-sm text-base-content/75">{detail}</span>
      </span>
    </label>
  )
}
