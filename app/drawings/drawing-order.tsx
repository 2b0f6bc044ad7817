import { useEffect, useId, useRef, useState } from 'react'
import { addBasketItems } from '#app/basket/store.ts'
import { Picture } from '#app/catalogue/picture.tsx'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { newItem } from '#shop/basket/items.ts'
import { countNeeds, defaultBikes, readBikes } from '#shop/drawings/bikes.ts'
import type { Drawing } from '#shop/drawings/drawing.ts'
import { formatCount } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { AddedParts } from './added-parts.tsx'
import { Hotspots } from './hotspots.tsx'
import type { AddedNeeds, PartNeed } from './part-need.ts'
import { PartsTable } from './parts-table.tsx'

interface Props {
  drawing: Drawing
  parts: PartSummary[]
}

export function DrawingOrder({ drawing, parts }: Props) {
  const [typed, setTyped] = useState(String(defaultBikes))
  const [pointed, setPointed] = useState<number | null>(null)
  const { busy, added, add } = useAdding()
  const bikes = readBikes(typed)
  const needs = countNeeds(drawing.hotspots, parts, bikes ?? defaultBikes)
  const ready = needs.filter(({ quantity }) => quantity !== null)
  const pointing = { pointed, setPointed }

  return (
    <div className="mt-6 grid items-start gap-x-10 gap-y-8 *:min-w-0 lg:grid-cols-[1.15fr_1fr]">
      <div>
        <div className="relative">
          <div className="plate">
            <Picture
              src={drawing.image}
              alt={`Drawing of ${drawing.title}. The table lists its parts.`}
              sizes="(width < 64rem) 92vw, 42rem"
              loading="eager"
              fetchPriority="high"
              className="aspect-4/3 w-full object-cover"
            />
          </div>
          <Hotspots
            spots={drawing.hotspots}
            needs={needs}
            {...pointing}
            onAdd={(need) => add([need], bikes ?? defaultBikes)}
          />
        </div>
      </div>
      <div>
        <BikesForm
          typed={typed}
          onType={setTyped}
          error={bikes === null ? 'Enter a whole number from 1 to 10,000.' : undefined}
          busy={busy}
          disabled={ready.length === 0}
          onSubmit={() => bikes !== null && add(needs, bikes)}
        />
        <AddedParts added={added} />
        <PartsTable spots={drawing.hotspots} needs={needs} bikes={bikes ?? defaultBikes} {...pointing} />
      </div>
    </div>
  )
}

function useAdding() {
  const [busy, setBusy] = useState(false)
  const [added, setAdded] = useState<AddedNeeds>()

  async function add(needs: PartNeed[], bikes: number) {
    if (busy) return
    setBusy(true)
    try {
      const items = needs.flatMap(({ part, quantity }) => (quantity === null ? [] : newItem(part, quantity)))
      if (items.length > 0) await addBasketItems(items)
      setAdded({ needs, bikes })
      const [only] = needs
      if (needs.length === 1 && only?.quantity)
        showToast(`Added to basket: ${formatCount(only.quantity)} × ${only.part.name}.`)
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }
  return { busy, added, add }
}

interface FormProps {
  typed: string
  onType: (typed: string) => void
  error: string | undefined
  busy: boolean
  disabled: boolean
  onSubmit: () => void
}

/** Without script, the table with its links is what there is. */
function BikesForm({ typed, onType, error, busy, disabled, onSubmit }: FormProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // The user may have typed before hydration.
    if (field.current) onType(field.current.value)
  }, [onType])

  return (
    <form
      method="post"
      className="noscript:hidden"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <label htmlFor={id} className="mb-1 block font-medium">
        For how many bikes?
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          id={id}
          ref={field}
          defaultValue={typed}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={error !== undefined}
          aria-describedby={error && `${id}-error`}
          className={`input w-28 ${error ? 'input-error' : ''}`}
          onChange={(event) => onType(event.target.value)}
        />
        <button type="submit" className="btn btn-primary" aria-disabled={busy} disabled={disabled}>
          Add all to the basket
        </button>
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-error">
          {error}
        </p>
      )}
    </form>
  )
}
