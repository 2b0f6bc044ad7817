import { useRef } from 'react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { currencySymbol } from '#shop/money.ts'
import { maxPriceBreaks } from '#shop/parts/quantity-rules.ts'
import type { ProductInput, ProductValues } from './product.ts'

const name = 'priceBreaks'

interface Props {
  form: UseFormReturn<ProductInput, unknown, ProductValues>
}

export function PriceBreaksField({ form: { control, register, formState } }: Props) {
  const { fields, append, remove } = useFieldArray({ control, name })
  const addButton = useRef<HTMLButtonElement>(null)
  const errors = formState.errors[name]
  const message = errors?.root?.message ?? errors?.message
  const column = (i: number, key: 'quantity' | 'unitPrice') => ({
    inputMode: 'numeric' as const,
    error: errors?.[i]?.[key]?.message,
    ...register(`${name}.${i}.${key}`, { deps: name }),
  })
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Price breaks</legend>
      <p className="mb-3 text-sm text-base-content/70">
        Optional. Set a lower price for larger quantities. It applies to every unit of this part in the order.
      </p>
      {fields.map(({ id }, i) => (
        <fieldset key={id} className="grid max-w-xl grid-cols-[1fr_1fr_auto] items-start gap-x-4">
          <legend className="sr-only">{`Price break ${i + 1}`}</legend>
          <Field label="From quantity" {...column(i, 'quantity')} />
          <Field label={`Price per unit (in ${currencySymbol()})`} {...column(i, 'unitPrice')} />
          <button
            type="button"
            aria-label={`Remove price break ${i + 1}`}
            className="btn btn-square btn-ghost mt-6"
            onClick={() => {
              remove(i)
              addButton.current?.focus()
            }}
          >
            <Icon name="close" />
          </button>
        </fieldset>
      ))}
      {message && (
        <p role="alert" className="mb-3 text-sm text-error">
          {message}
        </p>
      )}
      <button
        ref={addButton}
        type="button"
        className="btn btn-sm"
        disabled={fields.length >= maxPriceBreaks}
        onClick={() => append({ quantity: '', unitPrice: '' })}
      >
        Add price break
      </button>
    </fieldset>
  )
}
