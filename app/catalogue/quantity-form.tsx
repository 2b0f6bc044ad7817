import { useEffect, useRef, useState } from 'react'
import { lowestQuantity, quantityError } from '#shop/orders/quantity.ts'
import type { Part } from '#shop/parts/part.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import { PurchaseLink } from './part-card.tsx'
import { PriceBreaks } from './price-breaks.tsx'
import { QuantityField, readQuantity, Total } from './quantity-field.tsx'

export function QuantityForm({ part }: { part: Part }) {
  const [typed, setTyped] = useState(String(lowestQuantity(part)))
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // The user may have typed before hydration.
    if (field.current) setTyped(field.current.value)
  }, [])

  function set(quantity: number) {
    if (field.current) field.current.value = String(quantity)
    setTyped(String(quantity))
  }

  if (isSoldOut(part)) {
    return (
      <div className="mt-6">
        <PriceBreaks part={part} />
        <PurchaseLink part={part} />
      </div>
    )
  }
  return (
    <div className="mt-6">
      <PriceBreaks part={part} quantity={readQuantity(typed)} />
      <QuantityField
        part={part}
        typed={typed}
        error={typedError(part, typed.trim())}
        onSet={set}
        ref={field}
        defaultValue={lowestQuantity(part)}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="purchase-bar flex items-center gap-5">
        <Total part={part} typed={typed} />
        <div className="min-w-0 grow">
          <PurchaseLink part={part} quantity={typed.trim()} variant="btn-primary" />
        </div>
      </div>
    </div>
  )
}

function typedError(part: Part, typed: string) {
  if (typed === '') return 'Quantity is required'
  if (!/^-?\d{1,15}$/.test(typed)) return 'Whole numbers only'
  return quantityError(part, Number(typed))
}
