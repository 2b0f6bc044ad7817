import { useRef } from 'react'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { type ChargesInput, newStep, type StepInput, type ZoneInput } from './charges-input.ts'
import type { FieldErrors } from './use-charges-form.ts'

interface Props {
  zone: ZoneInput
  mode: ChargesInput['mode']
  /** Of the zone. */
  path: string
  errors: FieldErrors
  onChange: (change: Partial<ZoneInput>) => void
}

const withOrWithoutTax = {
  none: 'In dollars, such as 12.50.',
  exclusive: 'In dollars, such as 12.50, without tax.',
  inclusive: 'In dollars, such as 12.50, with tax.',
}

/** What delivery to a zone costs. */
export function ZonePrice({ zone, mode, path, errors, onChange }: Props) {
  const { by, cents, weightSteps, goodsSteps, freeFrom } = zone
  const hint = withOrWithoutTax[mode]
  return (
    <>
      <div className="grid gap-x-6 sm:grid-cols-2">
        <SelectField
          label="Price of delivery"
          value={by}
          onChange={({ target }) => onChange({ by: target.value as ZoneInput['by'] })}
        >
          <option value="order">One price per order</option>
          <option value="weight">By weight</option>
          <option value="goods">By amount of goods</option>
        </SelectField>
        {by === 'order' && (
          <Field
            label="Price per order ($)"
            name={`${path}.rate.cents`}
            inputMode="decimal"
            autoComplete="off"
            hint={hint}
            value={cents}
            error={errors.at(`${path}.rate.cents`)}
            onChange={({ target }) => onChange({ cents: target.value })}
          />
        )}
      </div>
      {by === 'weight' && (
        <Steps
          limit={{ label: 'Up to', hint: 'Such as 200 g or 0.2 kg.' }}
          steps={weightSteps}
          hint={hint}
          path={`${path}.rate.steps`}
          errors={errors}
          onChange={(steps) => onChange({ weightSteps: steps })}
        />
      )}
      {by === 'goods' && (
        <Steps
          limit={{ label: 'Up to ($ of goods)', hint: 'Such as 100, before tax.' }}
          steps={goodsSteps}
          hint={hint}
          path={`${path}.rate.steps`}
          errors={errors}
          onChange={(steps) => onChange({ goodsSteps: steps })}
        />
      )}
      <Field
        label="Free from ($ of goods)"
        name={`${path}.freeFrom`}
        optional
        inputMode="decimal"
        autoComplete="off"
        hint="Optional. Goods count after price breaks, before tax and delivery."
        value={freeFrom}
        error={errors.at(`${path}.freeFrom`)}
        onChange={({ target }) => onChange({ freeFrom: target.value })}
      />
    </>
  )
}

interface StepsProps {
  limit: { label: string; hint: string }
  steps: StepInput[]
  hint: string
  path: string
  errors: FieldErrors
  onChange: (steps: StepInput[]) => void
}

/** The last one has no limit. */
function Steps({ limit, steps, hint, path, errors, onChange }: StepsProps) {
  const addButton = useRef<HTMLButtonElement>(null)
  const last = steps.length - 1

  function remove(i: number) {
    onChange(steps.toSpliced(i, 1))
    addButton.current?.focus()
  }

  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Steps</legend>
      {steps.map((step, i) => (
        <fieldset key={step.key} className="grid max-w-xl grid-cols-[1fr_1fr_2.5rem] items-start gap-x-4">
          <legend className="sr-only">{`Step ${i + 1}`}</legend>
          {i < last ? (
            <Field
              label={limit.label}
              name={`${path}.${i}.upTo`}
              autoComplete="off"
              hint={limit.hint}
              value={step.upTo}
              error={errors.at(`${path}.${i}.upTo`)}
              onChange={({ target }) => onChange(steps.with(i, { ...step, upTo: target.value }))}
            />
          ) : (
            <p className="pt-8 text-sm">{last === 0 ? 'For every order' : 'Above that'}</p>
          )}
          <Field
            label="Price ($)"
            name={`${path}.${i}.cents`}
            inputMode="decimal"
            autoComplete="off"
            hint={hint}
            value={step.cents}
            error={errors.at(`${path}.${i}.cents`)}
            onChange={({ target }) => onChange(steps.with(i, { ...step, cents: target.value }))}
          />
          {i < last && (
            <button
              type="button"
              aria-label={`Remove step ${i + 1}`}
              className="btn btn-square btn-ghost mt-6"
              onClick={() => remove(i)}
            >
              <Icon name="close" />
            </button>
          )}
        </fieldset>
      ))}
      <FormError message={errors.at(path)} />
      <button
        ref={addButton}
        type="button"
        className="btn btn-sm"
        onClick={() => onChange(steps.toSpliced(last, 0, newStep()))}
      >
        Add step
      </button>
    </fieldset>
  )
}
