import { useRef } from 'react'
import { pictureSources } from '#shop/pictures/picture.ts'
import type { EditedSpot } from './use-drawing.ts'

interface Props {
  image: string
  spots: EditedSpot[]
  chosen: string | null
  onChoose: (key: string) => void
  onAdd: (x: number, y: number) => void
  onMove: (key: string, x: number, y: number) => void
  onRemove: (key: string) => void
}

/** In thousandths; with Shift further. */
const step = 5
const farStep = 50

const directions: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function SpotCanvas({ image, spots, chosen, onChoose, onAdd, onMove, onRemove }: Props) {
  const sheet = useRef<HTMLDivElement>(null)

  function findPlace({ clientX, clientY }: { clientX: number; clientY: number }) {
    const { left, top, width, height } = sheet.current!.getBoundingClientRect()
    return [clamp(((clientX - left) / width) * 1000), clamp(((clientY - top) / height) * 1000)] as const
  }

  return (
    <div className="mb-6">
      <p id="spots-help" className="mb-2 text-sm text-base-content/75">
        Click on the picture to add a spot, and drag a spot to move it. With the keyboard: arrow keys move the
        chosen spot, with Shift further, and Delete removes it.
      </p>
      <div ref={sheet} className="plate relative max-w-3xl cursor-crosshair touch-manipulation">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button below does the same by key */}
        <img
          src={pictureSources(image).full}
          alt="The drawing"
          width={1600}
          height={1200}
          className="aspect-4/3 w-full object-cover"
          onClick={(event) => onAdd(...findPlace(event))}
        />
        {spots.map(({ key, partNumber, x, y }, i) => (
          <button
            key={key}
            type="button"
            aria-label={`Spot ${i + 1}${partNumber && `, ${partNumber}`}`}
            aria-describedby="spots-help"
            aria-pressed={key === chosen}
            className={`absolute grid size-8 -translate-1/2 cursor-move touch-none place-items-center rounded-full border-2 border-paper font-semibold shadow-md ${key === chosen ? 'z-10 bg-primary text-primary-content' : 'bg-ink text-paper'}`}
            style={{ left: `${x / 10}%`, top: `${y / 10}%` }}
            onFocus={() => onChoose(key)}
            onPointerDown={(event) => {
              onChoose(key)
              event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerMove={(event) => {
              if (event.currentTarget.hasPointerCapture(event.pointerId)) onMove(key, ...findPlace(event))
            }}
            onKeyDown={(event) => {
              const direction = directions[event.key]
              if (event.key === 'Delete') onRemove(key)
              if (!direction) return
              event.preventDefault()
              const distance = event.shiftKey ? farStep : step
              onMove(key, clamp(x + direction[0] * distance), clamp(y + direction[1] * distance))
            }}
          >
            {i + 1}
          </button>
        ))}
      </div>
      <button type="button" className="btn btn-sm mt-3" onClick={() => onAdd(500, 500)}>
        Add spot
      </button>
    </div>
  )
}

function clamp(place: number) {
  return Math.round(Math.min(1000, Math.max(0, place)))
}
