import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { currencyName, currencySymbol } from '#shop/money.ts'
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

const taxHints = { none: '', exclusive: ', without tax', inclusive: ', with tax', stripe: ', without tax' }

/** What delivery to a zone costs. */
export function ZonePrice({ zone, mode, path, errors, onChange }: Props) {
  const { by, cents, weightSteps, goodsSteps, freeFrom, daysFrom, daysTo } = zone
  const taxHint = taxHints[mode]
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
            label={`Price per order (${currencySymbol()})`}
            name={`${path}.rate.cents`}
            inputMode="decimal"
            autoComplete="off"
            hint={`Such as 12.50${taxHint}.`}
            value={cents}
            error={errors.at(`${path}.rate.cents`)}
            onChange={({ target }) => onChange({ cents: target.value })}
          />
        )}
      </div>
      {by === 'weight' && (
        <Steps
          limit="Up to"
          steps={weightSteps}
          hint={`Weights such as 200 g or 0.2 kg. Prices in ${currencyName()}${taxHint}.`}
          path={`${path}.rate.steps`}
          errors={errors}
          onChange={(steps) => onChange({ weightSteps: steps })}
        />
      )}
      {by === 'goods' && (
        <Steps
          limit={`Up to (${currencySymbol()} of goods)`}
          steps={goodsSteps}
          hint={`Goods before tax. Prices in ${currencyName()}${taxHint}.`}
          path={`${path}.rate.steps`}
          errors={errors}
          onChange={(steps) => onChange({ goodsSteps: steps })}
        />
      )}
      <div className="grid gap-x-6 sm:grid-cols-2">
        <Field
          label={`Free from (${currencySymbol()} of goods)`}
          name={`${path}.freeFrom`}
          optional
          inputMode="decimal"
          autoComplete="off"
          hint="Optional. Goods count after price breaks, before tax and delivery."
          value={freeFrom}
          error={errors.at(`${path}.freeFrom`)}
          onChange={({ target }) => onChange({ freeFrom: target.value })}
        />
      </div>
      <div className="grid max-w-xl grid-cols-2 gap-x-4 sm:gap-x-6">
        <Field
          label="Delivery days from"
          name={`${path}.days.from`}
          optional
          inputMode="numeric"
          autoComplete="off"
          hint="Optional. Working days on the way."
          value={daysFrom}
          error={errors.at(`${path}.days.from`)}
          onChange={({ target }) => onChange({ daysFrom: target.value })}
        />
        <Field
          label="Delivery days to"
          name={`${path}.days.to`}
          optional
          inputMode="numeric"
          autoComplete="off"
          value={daysTo}
          error={errors.at(`${path}.days.to`)}
          onChange={({ target }) => onChange({ daysTo: target.value })}
        />
      </div>
    </>
  )
}

interface StepsProps {
  limit: string
  steps: StepInput[]
  hint: string
  path: string
  errors: FieldErrors
  onChange: (steps: StepInput[]) => void
}

/** The last one has no limit. */
function Steps({ limit, steps, hint, path, errors, onChange }: StepsProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const last = steps.length - 1

  function add() {
    flushSync(() => onChange(steps.toSpliced(last, 0, newStep())))
    list.current?.querySelectorAll<HTMLElement>('fieldset')[last]?.querySelector('input')?.focus()
  }

  function remove(i: number) {
    onChange(steps.toSpliced(i, 1))
    addButton.current?.focus()
  }

  return (
    <fieldset ref={list} className="mb-4">
      <legend className="mb-1 text-sm font-medium">Steps</legend>
      <p className="mb-3 text-sm text-base-content/70">{hint}</p>
      {steps.map((step, i) => (
        <fieldset key={step.key} className="grid max-w-xl grid-cols-[1fr_1fr_2.5rem] items-start gap-x-4">
          <legend className="sr-only">{`Step ${i + 1}`}</legend>
          {i < last ? (
            <Field
              label={limit}
              name={`${path}.${i}.upTo`}
              autoComplete="off"
              value={step.upTo}
              error={errors.at(`${path}.${i}.upTo`)}
              onChange={({ target }) => onChange(steps.with(i, { ...step, upTo: target.value }))}
            />
          ) : (
            <p className="pt-8 text-sm">{last === 0 ? 'For every order' : 'Above that'}</p>
          )}
          <Field
            label={`Price (${currencySymbol()})`}
            name={`${path}.${i}.cents`}
            inputMode="decimal"
            autoComplete="off"
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
      <button ref={addButton} type="button" className="btn btn-sm" onClick={add}>
        Add step
      </button>
    </fieldset>
  )
}
