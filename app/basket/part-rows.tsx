import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { readSession } from '#app/auth/session.ts'
import { BuildWarning } from '#app/builds/build-warning.tsx'
import { usePricing } from '#app/company.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { newItem } from '#shop/basket/items.ts'
import { joinRows, type QuickRow, toSavedItems } from '#shop/basket/quick-order.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import { totalAt, typedQuantityError } from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'
import { EditableRow } from './editable-row.tsx'
import { OrderLimitNote } from './order-limit-note.tsx'
import { SaveList } from './save-list.tsx'
import { addBasketItems } from './store.ts'
import { useOrderLimit } from './use-order-limit.ts'
import type { PartRowList } from './use-part-rows.ts'

interface Props {
  list: PartRowList
  noun: [one: string, many: string]
  /** Prefills the name of a list to save. */
  listName?: string | undefined
  /** With the rows that are left. */
  onAdded?: ((left: QuickRow[]) => void) | undefined
}

/** To check, correct and add to the basket. */
export function PartRows({ list, noun, listName, onAdded }: Props) {
  /** Those that were wrong then: a row must not go while it is corrected. */
  const [only, setOnly] = useState<{ ids: string[]; checks: number }>()
  const heading = useRef<HTMLHeadingElement>(null)
  const { rows = [] } = list
  const valid = rows.filter(isValid)
  const wrong = rows.length - valid.length
  const [one, many] = noun
  const shown = only?.checks === list.checks ? only.ids : undefined

  function wrongRows() {
    return { ids: rows.filter((row) => !isValid(row)).map(({ id }) => id), checks: list.checks }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: after each check
  useEffect(() => heading.current?.focus(), [list.checks])

  return (
    <section aria-labelledby="lines" className="mt-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="lines" ref={heading} tabIndex={-1} aria-live="polite" className="outline-none">
          {`${formatCount(valid.length)} of ${formatCount(rows.length)} ${rows.length === 1 ? one : many} ready`}
        </h2>
        {(shown || (wrong > 0 && valid.length > 0)) && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={shown !== undefined}
              onChange={(event) => setOnly(event.target.checked ? wrongRows() : undefined)}
            />
            {`Show only the ${formatCount(shown?.length ?? wrong)} to correct`}
          </label>
        )}
      </div>
      <BuildWarning partIds={[...new Set(rows.flatMap(({ part }) => part?._id ?? []))]} />
      <ul className="mt-4 border-t border-base-300">
        {rows
          .filter((row) => !shown || shown.includes(row.id))
          .map((row) => (
            <EditableRow key={`${list.checks} ${row.id}`} row={row} list={list} />
          ))}
      </ul>
      <AddRows
        key={list.checks}
        list={list}
        rows={rows}
        valid={valid}
        listName={listName}
        onAdded={onAdded}
      />
      {wrong > 0 && (
        <p className="mt-3 text-sm text-base-content/75">
          {`${wrong === 1 ? `1 ${one} stays` : `${formatCount(wrong)} ${many} stay`} here until you correct or remove ${wrong === 1 ? 'it' : 'them'}.`}
        </p>
      )}
    </section>
  )
}

interface AddProps extends Pick<Props, 'list' | 'listName' | 'onAdded'> {
  rows: QuickRow[]
  valid: QuickRow[]
}

function AddRows({ list, rows, valid, listName, onAdded }: AddProps) {
  const [error, setError] = useState<string>()
  const [adding, setAdding] = useState(false)
  /** To save a list as a whole after some of it was added. */
  const [added, setAdded] = useState<QuickRow[]>([])
  const navigate = useNavigate()
  const session = readSession()
  const limit = useOrderLimit(session)
  const joined = joinRows(valid)
  const isCharged = usePricing() !== null
  const total = joined.reduce((sum, { part, quantity }) => sum + totalAt(part!, readQuantity(quantity)!), 0)

  async function add() {
    if (adding) return
    setAdding(true)
    setError(undefined)
    const isHere = rememberPage()
    try {
      await addBasketItems(joined.map(({ part, quantity }) => newItem(part!, readQuantity(quantity)!)))
      showToast(`Added ${countItems(joined.length)} to basket`, undefined, 'basket')
      const left = rows.filter((row) => !valid.includes(row))
      list.remove(valid.map(({ id }) => id))
      setAdded((before) => [...before, ...valid])
      onAdded?.(left)
      // The button is disabled while nothing else can be added.
      if (left.length > 0) document.getElementById('lines')?.focus()
      if (left.length === 0 && isHere()) await navigate('/basket')
    } catch (error) {
      setError(errorText(error))
    }
    setAdding(false)
  }

  return (
    <>
      <FormError message={error} />
      {session && (
        <div className="mt-6 empty:hidden">
          <OrderLimitNote limit={limit} total={total} isLowest={false} email={session.email} />
        </div>
      )}
      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <button
          type="button"
          className="btn btn-primary"
          disabled={valid.length === 0}
          aria-disabled={adding}
          onClick={add}
        >
          {`Add ${countItems(joined.length)} to basket`}
        </button>
        <p className="total text-lg font-semibold">{`${isCharged ? 'Goods' : 'Total'} ${formatDollars(total)}`}</p>
        {session && valid.length > 0 && (
          <SaveList name={listName} items={toSavedItems([...added, ...joinRows(rows)])} />
        )}
        <Link to="/basket" className="link">
          View basket
        </Link>
      </div>
    </>
  )
}

function isValid({ part, quantity }: QuickRow) {
  return part !== undefined && typedQuantityError(part, quantity) === undefined
}

function countItems(count: number) {
  return `${formatCount(count)} ${count === 1 ? 'item' : 'items'}`
}
