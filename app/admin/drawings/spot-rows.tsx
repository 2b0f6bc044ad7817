import { Field } from '#app/ui/field.tsx'
import type { useDrawing } from './use-drawing.ts'

type State = ReturnType<typeof useDrawing>

interface Props extends Pick<State, 'spots' | 'changeSpot' | 'moveSpot' | 'removeSpot' | 'errorOf'> {
  chosen: string | null
  onChoose: (key: string) => void
}

/** In the order of their numbers. */
export function SpotRows({ spots, changeSpot, moveSpot, removeSpot, errorOf, chosen, onChoose }: Props) {
  return (
    <fieldset>
      <legend className="mb-2 text-lg font-semibold">Spots</legend>
      {spots.length === 0 && <p className="mb-4">No spots yet. Click on the picture to add one.</p>}
      <ol className="border-t border-base-300">
        {spots.map(({ key, partNumber, quantity }, i) => (
          <li
            key={key}
            className={`grid items-start gap-x-4 border-b border-base-300 px-2 pt-3 sm:grid-cols-[2rem_1fr_8rem_auto] ${key === chosen ? 'bg-base-200' : ''}`}
            onFocus={() => onChoose(key)}
          >
            <span className="pt-1 text-lg font-semibold sm:pt-9">{i + 1}</span>
            <Field
              label="Part number"
              value={partNumber}
              autoComplete="off"
              error={errorOf(`hotspots.${i}.partNumber`)}
              onChange={(event) => changeSpot(key, { partNumber: event.target.value })}
            />
            <Field
              label="Per bike"
              value={quantity}
              inputMode="numeric"
              error={errorOf(`hotspots.${i}.quantity`)}
              onChange={(event) => changeSpot(key, { quantity: event.target.value })}
            />
            <div className="mb-4 flex gap-2 sm:pt-8">
              <button
                type="button"
                className="btn btn-sm"
                aria-label={`Move spot ${i + 1} up`}
                disabled={i === 0}
                onClick={() => moveSpot(key, -1)}
              >
                Up
              </button>
              <button
                type="button"
                className="btn btn-sm"
                aria-label={`Move spot ${i + 1} down`}
                disabled={i === spots.length - 1}
                onClick={() => moveSpot(key, 1)}
              >
                Down
              </button>
              <button
                type="button"
                className="btn btn-sm"
                aria-label={`Remove spot ${i + 1}`}
                onClick={() => removeSpot(key)}
              >
                Remove
              </button>
            </div>
          </li>
        ))}
      </ol>
    </fieldset>
  )
}
