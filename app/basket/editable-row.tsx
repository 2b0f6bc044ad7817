import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { PartName } from '#app/catalogue/part-name.tsx'
import { QuantityField } from '#app/catalogue/quantity-field.tsx'
import { Field } from '#app/ui/field.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { findPriceChange, type QuickRow } from '#shop/basket/quick-order.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { totalAt, typedQuantityError, unitPriceAt } from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import type { PartRowList } from './use-part-rows.ts'

interface Props {
  row: QuickRow
  list: PartRowList
}

export function EditableRow({ row, list }: Props) {
  const { part, lines } = row
  return (
    <li
      ref={useKeptFocus(part !== undefined)}
      className={`grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 border-b border-base-300 py-4 ${lines.length > 0 ? 'lg:grid-cols-[5.5rem_1fr_14rem_6rem_auto]' : 'lg:grid-cols-[1fr_14rem_6rem_auto]'}`}
    >
      {lines.length > 0 && (
        <p className="text-sm text-base-content/75 max-lg:col-span-2">{describeLines(lines)}</p>
      )}
      {part ? <FoundPart row={row} part={part} list={list} /> : <MissingPart row={row} list={list} />}
      <button
        type="button"
        className={`btn btn-square btn-ghost btn-sm max-lg:col-start-2 lg:-col-end-1 ${lines.length > 0 ? 'max-lg:row-start-2' : 'max-lg:row-start-1'}`}
        aria-label={`Remove ${part?.name ?? row.text}`}
        title="Remove"
        onClick={() => {
          document.getElementById('lines')?.focus()
          list.remove([row.id])
        }}
      >
        <Icon name="close" />
      </button>
    </li>
  )
}

/** The field to correct goes once its part is found, and the row when another one has that part. */
function useKeptFocus(isFound: boolean) {
  const row = useRef<HTMLLIElement>(null)
  const wasFound = useRef(isFound)
  useEffect(() => {
    if (isFound && !wasFound.current && isFocusLost())
      row.current?.querySelector<HTMLElement>('input:enabled, button')?.focus()
    wasFound.current = isFound
  }, [isFound])
  useEffect(
    () => () => {
      if (isFocusLost()) document.getElementById('lines')?.focus({ preventScroll: true })
    },
    [],
  )
  return row
}

function isFocusLost() {
  return document.activeElement === null || document.activeElement === document.body
}

function describeLines(lines: number[]) {
  if (lines.length === 1) return `Line ${formatCount(lines[0]!)}`
  const shown = lines.slice(0, 3).map(formatCount)
  return `Lines ${shown.join(', ')}${lines.length > 3 ? ', …' : ''}, joined`
}

function FoundPart({ row, part, list }: Props & { part: PartSummary }) {
  const error = isSoldOut(part) ? undefined : typedQuantityError(part, row.quantity)
  const set = (quantity: string) => list.change(row.id, { quantity })
  return (
    <>
      <div>
        <h3 className="text-base leading-snug">
          <Link to={`/parts/${part._id}`} className="hover:underline">
            <PartName name={part.name} />
          </Link>
        </h3>
        <p className="text-sm text-base-content/75">{part.partNumber}</p>
        {row.replaced && <p className="mt-2 border-l-4 border-warning pl-3 text-sm">{row.replaced}</p>}
        <PriceChange row={row} />
        {isSoldOut(part) && <p className="font-medium text-error">Sold out. Remove this line to continue.</p>}
      </div>
      <div className="max-lg:col-span-2 max-lg:max-w-56">
        <QuantityField
          part={part}
          typed={row.quantity}
          error={error}
          onSet={(quantity) => set(String(quantity))}
          aria-label={`Quantity of ${part.name}`}
          value={row.quantity}
          onChange={(event) => set(event.target.value)}
        />
      </div>
      <LinePrice part={part} quantity={error || isSoldOut(part) ? undefined : readQuantity(row.quantity)} />
    </>
  )
}

function LinePrice({ part, quantity }: { part: PartSummary; quantity: number | undefined }) {
  return (
    <p className="max-lg:col-span-2 lg:pt-7 lg:text-right">
      <span className="text-lg font-semibold lg:block">
        {quantity === undefined ? '–' : formatDollars(totalAt(part, quantity))}
      </span>
      {quantity !== undefined && (
        <span className="text-sm text-base-content/75 max-lg:ml-3 lg:block">{`${formatDollars(unitPriceAt(part, quantity))} each`}</span>
      )}
    </p>
  )
}

function PriceChange({ row }: { row: QuickRow }) {
  const change = findPriceChange(row)
  return (
    change && (
      <p className="mt-2 border-l-4 border-warning pl-3 text-sm">
        {`The price was ${formatDollars(change.before)} each. It’s now ${formatDollars(change.now)}.`}
      </p>
    )
  )
}

function MissingPart({ row, list }: Props) {
  const [text, setText] = useState(row.text)
  const suggestions = list.suggestions[row.id] ?? []
  const correct = () => text.trim() !== '' && list.correct(row, text.trim())

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') correct()
  }

  return (
    <div className="lg:col-span-3">
      <Field
        label="Part number or name"
        error={missingMessage(row)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        beside={
          <button type="button" className="btn" aria-disabled={list.busy} onClick={correct}>
            Find part
          </button>
        }
      />
      {suggestions.length > 0 && (
        <div className="-mt-2 mb-2 flex flex-wrap items-center gap-2">
          <span className="text-sm">Did you mean</span>
          {suggestions.map((part) => (
            <button
              key={part._id}
              type="button"
              className="btn h-auto py-1.5 text-left btn-sm"
              onClick={() => list.choose(row, part)}
            >
              {`${part.name} (${part.partNumber})`}
            </button>
          ))}
        </div>
      )}
      {row.quantity && <p className="text-sm text-base-content/75">{`Quantity ${row.quantity}`}</p>}
    </div>
  )
}

function missingMessage({ text, partId }: QuickRow) {
  if (text === '') return 'Enter a part number or name.'
  return partId ? `${text} is no longer for sale.` : `We couldn’t find “${text}”.`
}
