import { type ComponentProps, type KeyboardEvent, type MouseEvent, useRef } from 'react'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import {
  highestQuantity,
  lowestQuantity,
  nearestQuantities,
  quantityHint,
  stepQuantity,
  totalAt,
  typedQuantityError,
  unitPriceAt,
} from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'
import { isSoldOut } from '#shop/parts/stock.ts'

interface Props extends Omit<ComponentProps<'input'>, 'part'> {
  part: PartSummary
  /** As typed. */
  typed: string
  error: string | undefined
  onSet: (quantity: number) => void
}

export function QuantityField({ part, typed, error, onSet, ...input }: Props) {
  const quantity = readQuantity(typed)
  const lowest = lowestQuantity(part)
  const step = (direction: 1 | -1) =>
    onSet(quantity === undefined ? lowest : stepQuantity(part, quantity, direction))
  const hint = quantity === undefined ? undefined : quantityHint(part, quantity)
  const root = useRef<HTMLDivElement>(null)

  function stepByKey(event: KeyboardEvent) {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : undefined
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    step(direction)
  }

  function choose(quantity: number, { detail }: MouseEvent) {
    onSet(quantity)
    // The button goes, and with it the keyboard’s focus.
    if (detail === 0) root.current?.querySelector('input')?.focus()
  }

  return (
    <div ref={root} className="contents">
      <Field
        label="Quantity"
        type="text"
        role="spinbutton"
        inputMode="numeric"
        autoComplete="off"
        aria-valuemin={lowest}
        aria-valuemax={highestQuantity(part)}
        aria-valuenow={quantity}
        onKeyDown={stepByKey}
        error={error}
        hint={isSoldOut(part) ? undefined : describeRange(part)}
        disabled={isSoldOut(part)}
        beside={
          isSoldOut(part) ? undefined : (
            <>
              <Step label={`Decrease quantity, ${part.name}`} icon="minus" onClick={() => step(-1)} />
              <Step label={`Increase quantity, ${part.name}`} icon="plus" onClick={() => step(1)} />
            </>
          )
        }
        {...input}
      />
      {!isSoldOut(part) && quantity !== undefined && (
        <NearestQuantities part={part} quantities={nearestQuantities(part, quantity)} onChoose={choose} />
      )}
      <p aria-live="polite" className="-mt-2 mb-4 text-sm font-medium empty:hidden">
        {hint}
      </p>
    </div>
  )
}

function describeRange(part: PartSummary) {
  const range = `From ${formatCount(lowestQuantity(part))} to ${formatCount(highestQuantity(part))}`
  return part.multiple > 1 ? `${range} in multiples of ${formatCount(part.multiple)}` : range
}

interface NearestProps {
  part: PartSummary
  quantities: number[]
  onChoose: (quantity: number, event: MouseEvent) => void
}

function NearestQuantities({ part, quantities, onChoose }: NearestProps) {
  if (quantities.length === 0) return null
  return (
    <div className="-mt-2 mb-4 flex flex-wrap gap-2">
      {quantities.map((quantity) => {
        const isLowest = quantity === lowestQuantity(part)
        const label = `Order ${isLowest ? 'the minimum of ' : ''}${formatCount(quantity)}`
        return (
          <button
            key={quantity}
            type="button"
            className="btn btn-sm"
            aria-label={`${label}, ${part.name}`}
            onClick={(event) => onChoose(quantity, event)}
          >
            {label}
          </button>
        )
      })}
    </div>
  )
}

/** Not in the tab order: arrow keys in the field do the same. */
function Step({ label, icon, onClick }: { label: string; icon: 'plus' | 'minus'; onClick: () => void }) {
  return (
    <button type="button" tabIndex={-1} aria-label={label} className="btn btn-square" onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}

/** Nothing costs anything while it cannot be ordered. */
export function Total({ part, typed }: { part: PartSummary; typed: string }) {
  const quantity = typedQuantityError(part, typed) ? undefined : readQuantity(typed)
  return (
    <p aria-live="polite" className="total text-lg font-semibold whitespace-nowrap">
      {`Total ${quantity === undefined ? '–' : formatDollars(totalAt(part, quantity))}`}
      {quantity !== undefined && part.priceBreaks.length > 0 && (
        <span className="block text-sm font-normal">{`${formatDollars(unitPriceAt(part, quantity))} each`}</span>
      )}
    </p>
  )
}
