import { useEffect, useRef, useState } from 'react'
import { Field } from '#app/ui/field.tsx'
import { formatDollars } from '#shop/money.ts'
import { quantityError } from '#shop/orders/quantity.ts'
import type { Part } from '#shop/parts/part.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import { PurchaseLink } from './part-card.tsx'

export function QuantityForm({ part }: { part: Part }) {
  const [input, setInput] = useState(String(part.minQuantity))
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // The user may have typed before hydration.
    if (field.current) setInput(field.current.value)
  }, [])

  if (isSoldOut(part)) {
    return (
      <div className="mt-6">
        <PurchaseLink part={part} />
      </div>
    )
  }
  const error = inputError(part, input.trim())
  const quantity = error ? undefined : Number(input)
  return (
    <div className="mt-6 grid grid-cols-2 items-start gap-x-5">
      <Field
        label="Quantity"
        type="number"
        inputMode="numeric"
        min={part.minQuantity}
        max={part.availableQuantity}
        ref={field}
        defaultValue={part.minQuantity}
        onChange={(event) => setInput(event.target.value)}
        error={error}
        hint={`From ${part.minQuantity} to ${part.availableQuantity}`}
      />
      <p aria-live="polite" className="mt-6 text-right text-2xl font-[640] font-stretch-[114%]">
        {quantity ? (
          <span>
            <span className="sr-only">Total </span>
            {formatDollars(quantity * part.perUnitPrice)}
          </span>
        ) : (
          ''
        )}
      </p>
      <div className="col-span-2">
        <PurchaseLink part={part} quantity={quantity} variant="btn-primary" />
      </div>
    </div>
  )
}

function inputError(part: Part, input: string) {
  if (input === '') return 'Quantity is required'
  if (!/^-?\d{1,15}$/.test(input)) return 'Whole numbers only'
  return quantityError(part, Number(input))
}
