import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { PartName } from '#app/catalogue/part-name.tsx'
import { Picture } from '#app/catalogue/picture.tsx'
import { QuantityField } from '#app/catalogue/quantity-field.tsx'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { Icon } from '#app/ui/icon.tsx'
import { type BasketItem, newItem } from '#shop/basket/items.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { LookedUpPart, PartSummary } from '#shop/parts/part.ts'
import { nextQuantity, totalAt, unitPriceAt } from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'
import type { Line } from './lines.ts'
import {
  addBasketItems,
  basketOwner,
  changeBasketItems,
  pendingSaves,
  removeBasketItem,
  saveQuantity,
} from './store.ts'

/** Typing ends before it is saved. */
const saveDelayMs = 500

interface Props {
  line: Line
  onType: (text: string) => void
}

export function BasketLine({ line, onType }: Props) {
  const { item, part, instead, error, changes } = line
  return (
    <li className="grid grid-cols-[4.5rem_1fr_auto] items-start gap-x-4 gap-y-3 border-b border-base-300 py-5 sm:grid-cols-[5rem_1fr_auto] lg:grid-cols-[5rem_1fr_14rem_5.5rem_auto]">
      <div className="plate">
        {part && <Picture src={part.image} alt="" sizes="5rem" className="aspect-4/3 w-full object-cover" />}
      </div>
      <div>
        <h2 className="text-base leading-snug">
          {part ? (
            <Link to={`/parts/${part._id}`} className="hover:underline">
              <PartName name={part.name} />
            </Link>
          ) : (
            item.name
          )}
        </h2>
        {part ? (
          <p className="text-sm text-base-content/75">{part.partNumber}</p>
        ) : (
          <p className="font-medium text-error">{error}</p>
        )}
        {instead && <UseInstead item={item} part={instead} />}
        {changes.map((change) => (
          <p key={change} className="mt-2 border-l-4 border-warning pl-3 text-sm">
            {change}
          </p>
        ))}
      </div>
      <RemoveButton item={item} />
      {part && (
        <div className="col-span-3 flex flex-wrap items-start justify-between gap-x-6 *:min-w-0 max-lg:sm:col-start-2 max-lg:sm:col-span-2 lg:order-1 lg:col-span-2 lg:col-start-3 lg:row-start-1">
          <div className="w-full max-w-56">
            <Quantity line={line} part={part} onType={onType} />
          </div>
          <LinePrice part={part} line={line} />
        </div>
      )}
    </li>
  )
}

function LinePrice({ part, line: { typed, total } }: { part: PartSummary; line: Line }) {
  const quantity = readQuantity(typed)
  return (
    <p className="grow pt-7 text-right" aria-live="polite">
      <span className="block text-lg font-semibold">{total === undefined ? '–' : formatDollars(total)}</span>
      {quantity !== undefined && total !== undefined && (
        <span className="block text-sm text-base-content/75">{`${formatDollars(unitPriceAt(part, quantity))} each`}</span>
      )}
    </p>
  )
}

function Quantity({ line, part, onType }: Props & { part: PartSummary }) {
  const { item, typed, error } = line
  const save = useSavedQuantity(item)

  function type(text: string) {
    onType(text)
    save.later(readQuantity(text))
  }

  return (
    <QuantityField
      part={part}
      typed={typed}
      error={error}
      onSet={(quantity) => type(String(quantity))}
      aria-label={`Quantity of ${part.name}`}
      value={typed}
      onChange={(event) => type(event.target.value)}
      onBlur={save.now}
    />
  )
}

interface Pending {
  timer: ReturnType<typeof setTimeout>
  quantity: number
  owner: string | null
}

function useSavedQuantity({ partId }: BasketItem) {
  const pending = useRef<Pending>(null)

  /** Once it is stored, nothing is pending. */
  async function save() {
    const change = pending.current
    if (!change) return
    clearTimeout(change.timer)
    await saveQuantity(partId, change.quantity, change.owner)
    if (pending.current === change) drop()
  }

  function now() {
    save().catch(showError)
  }

  function drop() {
    if (!pending.current) return
    clearTimeout(pending.current.timer)
    pendingSaves.delete(partId)
    pending.current = null
  }

  function later(quantity: number | undefined) {
    drop()
    if (!quantity || quantity <= 0) return
    pending.current = { quantity, owner: basketOwner(), timer: setTimeout(now, saveDelayMs) }
    pendingSaves.set(partId, save)
  }

  /** Nothing shows the quantity any more: it is forgotten when it cannot be saved. */
  function leave() {
    save().catch((error) => {
      showError(error)
      drop()
    })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: when the page is left
  useEffect(() => leave, [])
  return { now, later }
}

/** In the least quantity of at least as many that can be ordered. */
function UseInstead({ item, part }: { item: BasketItem; part: LookedUpPart }) {
  const [busy, setBusy] = useState(false)
  const quantity = nextQuantity(part, item.quantity)

  async function replace() {
    if (busy) return
    setBusy(true)
    // The row goes, and with it the focus.
    document.getElementById('content')?.focus({ preventScroll: true })
    try {
      await addBasketItems([newItem(part, quantity)])
      await removeBasketItem(item.partId)
      showToast(`Replaced: ${item.name}`)
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }

  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <button type="button" className="btn btn-sm" aria-disabled={busy} onClick={replace}>
        {`Use ${part.partNumber} instead`}
      </button>
      <p className="text-sm">
        <Link to={`/parts/${part._id}`} className="link">
          {part.name}
        </Link>
        {`: ${formatCount(quantity)} for ${formatDollars(totalAt(part, quantity))}`}
      </p>
    </div>
  )
}

function RemoveButton({ item }: { item: BasketItem }) {
  const [busy, setBusy] = useState(false)

  async function remove() {
    if (busy) return
    setBusy(true)
    // The row goes, and with it the focus.
    document.getElementById('content')?.focus({ preventScroll: true })
    try {
      const removed = (await removeBasketItem(item.partId)) ?? item
      showToast(`Removed from basket: ${item.name}`, <Removed item={removed} />, `removed ${item.partId}`)
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }

  return (
    <button
      type="button"
      className="btn btn-square btn-ghost btn-sm lg:col-start-5 lg:row-start-1"
      aria-label={`Remove ${item.name}`}
      title="Remove"
      aria-disabled={busy}
      onClick={remove}
    >
      <Icon name="close" />
    </button>
  )
}

function Removed({ item }: { item: BasketItem }) {
  return (
    <span>
      {`Removed from basket: ${item.name}.`}{' '}
      <button type="button" className="link" onClick={() => changeBasketItems([item]).catch(showError)}>
        Undo
      </button>
    </span>
  )
}
