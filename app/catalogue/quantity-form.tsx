import { useEffect, useRef, useState } from 'react'
import { AddToBasket } from '#app/basket/add-to-basket.tsx'
import type { Part } from '#shop/parts/part.ts'
import { lowestQuantity, typedQuantityError } from '#shop/parts/quantity.ts'
import { readQuantity, readQuantityText } from '#shop/parts/quantity-text.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import { PurchaseLink } from './part-card.tsx'
import { PriceBreaks } from './price-breaks.tsx'
import { QuantityField, Total } from './quantity-field.tsx'

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
  const error = typedQuantityError(part, typed)
  return (
    <div className="mt-6">
      <PriceBreaks part={part} quantity={readQuantity(typed)} />
      <QuantityField
        part={part}
        typed={typed}
        error={error}
        onSet={set}
        ref={field}
        defaultValue={lowestQuantity(part)}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="purchase-bar flex items-center gap-5">
        <Total part={part} typed={typed} />
        <div className="grid min-w-0 grow gap-2 sm:grid-cols-2">
          <PurchaseLink
            part={part}
            quantity={readQuantityText(typed) ?? typed.trim()}
            variant="btn-primary"
          />
          <AddToBasket part={part} quantity={readQuantity(typed)} disabled={error !== undefined} />
        </div>
      </div>
    </div>
  )
}
