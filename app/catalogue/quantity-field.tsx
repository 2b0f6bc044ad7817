import type { ComponentProps } from 'react'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Part } from '#shop/parts/part.ts'
import { isSoldOut } from '#shop/parts/stock.ts'

interface Props extends Omit<ComponentProps<'input'>, 'part'> {
  part: Part
  /** As typed. */
  typed: string
  error: string | undefined
  onSet: (quantity: number) => void
}

export function QuantityField({ part, typed, error, onSet, ...input }: Props) {
  const { minQuantity, availableQuantity } = part
  const quantity = readQuantity(typed)
  const isTooFew = quantity !== undefined && quantity < minQuantity
  const step = (by: number) =>
    onSet(Math.min(availableQuantity, Math.max(minQuantity, (quantity ?? minQuantity - by) + by)))
  return (
    <>
      <Field
        label="Quantity"
        type="number"
        inputMode="numeric"
        className={`input w-full [appearance:textfield] [&::-webkit-inner-spin-button]:appearance-none ${error ? 'input-error' : ''}`}
        error={error}
        hint={
          isSoldOut(part)
            ? undefined
            : `From ${formatCount(minQuantity)} to ${formatCount(availableQuantity)}`
        }
        disabled={isSoldOut(part)}
        beside={
          isSoldOut(part) ? undefined : (
            <>
              <Step label="Decrease quantity" icon="minus" onClick={() => step(-1)} />
              <Step label="Increase quantity" icon="plus" onClick={() => step(1)} />
            </>
          )
        }
        {...input}
      />
      {isTooFew && !isSoldOut(part) && (
        <button type="button" className="btn btn-sm -mt-2 mb-4" onClick={() => onSet(minQuantity)}>
          {`Order ${formatCount(minQuantity)}`}
        </button>
      )}
    </>
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

export function Total({ part, typed }: { part: Part; typed: string }) {
  const quantity = readQuantity(typed)
  return (
    <p aria-live="polite" className="text-lg font-semibold whitespace-nowrap">
      {`Total ${quantity === undefined ? '–' : formatDollars(quantity * part.perUnitPrice)}`}
    </p>
  )
}

function readQuantity(typed: string) {
  return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : undefined
}
