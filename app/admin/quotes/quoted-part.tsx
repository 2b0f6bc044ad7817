import type { UseFormReturn } from 'react-hook-form'
import { PartName } from '#app/catalogue/part-name.tsx'
import { Field } from '#app/ui/field.tsx'
import { currencySymbol, formatCount, formatDollars, shortCurrencyName } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { unitPriceAt } from '#shop/parts/quantity.ts'
import type { QuoteForm } from '#shop/quotes/quote.ts'
import type { QuoteInput } from './use-quote-form.ts'

interface Props {
  form: UseFormReturn<QuoteInput, unknown, QuoteForm>
  index: number
  /** Undefined when it is no longer for sale. */
  part: PartSummary | undefined
  /** When the quote was saved. */
  name: string | undefined
  onRemove: () => void
}

/** The price is that of the catalogue for the quantity until somebody types another one. */
export function QuotedPart({ form, index, part, name = '', onRemove }: Props) {
  const { register, setValue, getValues, watch, formState } = form
  const errors = formState.errors.lines?.[index]
  const shown = part?.name ?? name
  const line = watch(`lines.${index}`)
  const [quantity, unitPrice] = [Number(line.quantity) || 0, Number(line.unitPrice) || 0]
  const registered = register(`lines.${index}.quantity`)

  function followCatalogue(typed: string) {
    if (!part || !/^\d{1,9}$/.test(typed.trim())) return
    const before = Number(getValues(`lines.${index}.quantity`)) || 0
    const isOwnPrice = Number(getValues(`lines.${index}.unitPrice`)) !== unitPriceAt(part, before)
    if (!isOwnPrice)
      setValue(`lines.${index}.unitPrice`, unitPriceAt(part, Number(typed)), { shouldDirty: true })
  }

  return (
    <li className="border-b border-base-300 py-3">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-medium wrap-anywhere">
          <PartName name={shown} />
        </p>
        <p className="text-sm text-base-content/75">
          {part
            ? `Catalogue: ${formatDollars(unitPriceAt(part, quantity))} each, minimum ${formatCount(part.minQuantity)}, ${formatCount(part.availableQuantity)} in stock`
            : 'This part is no longer for sale. Remove it.'}
        </p>
      </div>
      <div className="grid grid-cols-2 items-start gap-x-4 sm:grid-cols-[8rem_8rem_1fr_auto]">
        <Field
          label="Quantity"
          aria-label={`Quantity of ${shown}`}
          inputMode="numeric"
          autoComplete="off"
          error={errors?.quantity?.message}
          {...registered}
          onChange={(event) => {
            followCatalogue(event.target.value)
            registered.onChange(event)
          }}
        />
        <Field
          label={`Unit price (${currencySymbol()})`}
          aria-label={`Unit price of ${shown} in ${shortCurrencyName()}`}
          inputMode="numeric"
          autoComplete="off"
          error={errors?.unitPrice?.message}
          {...register(`lines.${index}.unitPrice`)}
        />
        <p className="self-center font-medium sm:self-start sm:pt-8 sm:text-right">
          {formatDollars(quantity * unitPrice)}
        </p>
        <button
          type="button"
          className="btn btn-sm sm:mt-6"
          aria-label={`Remove ${shown}`}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
    </li>
  )
}
