import { type CSSProperties, type PointerEvent, useRef } from 'react'
import type { Drawing } from '#shop/drawings/drawing.ts'
import { formatCount } from '#shop/money.ts'
import { formatUnitPrice, lowestQuantity } from '#shop/parts/quantity.ts'
import { stockLabel } from '#shop/parts/stock.ts'
import type { PartNeed } from './part-need.ts'

type Spot = Drawing['hotspots'][number]

interface Props {
  spots: Spot[]
  needs: PartNeed[]
  pointed: number | null
  setPointed: (number: number | null) => void
  onAdd: (need: PartNeed) => void
}

/** Over the picture. Without script, each leads to its row of the table. */
export function Hotspots({ spots, needs, pointed, setPointed, onAdd }: Props) {
  const findNeed = ({ partId }: Spot) => needs.find(({ part }) => part._id === partId)
  const shown = spots.find(({ number }) => number === pointed)
  return (
    <>
      {spots.map((spot) => (
        <Hotspot
          key={spot.number}
          spot={spot}
          need={findNeed(spot)}
          isPointed={spot.number === pointed}
          setPointed={setPointed}
          onAdd={onAdd}
        />
      ))}
      {shown && <SpotCard spot={shown} need={findNeed(shown)} />}
    </>
  )
}

interface HotspotProps extends Pick<Props, 'setPointed' | 'onAdd'> {
  spot: Spot
  need: PartNeed | undefined
  isPointed: boolean
}

function Hotspot({ spot, need, isPointed, setPointed, onAdd }: HotspotProps) {
  const { number, name, x, y } = spot
  const canAdd = need !== undefined && need.quantity !== null
  const facts = need ? describeSpot(need).join(', ') : 'No longer sold'
  /** A finger cannot hover: its first tap shows the part. */
  const isFirstTap = useRef(false)
  const act = canAdd ? `. Add ${formatCount(need.quantity!)} to the basket` : ''

  return (
    <a
      href={`#part-${number}`}
      aria-label={`${number}: ${name}, ${facts}${act}`}
      className={`absolute grid size-8 -translate-1/2 place-items-center rounded-full border-2 border-paper font-semibold shadow-md outline-offset-2 max-sm:size-7 max-sm:text-sm ${isPointed ? 'z-10 bg-primary text-primary-content' : 'bg-ink text-paper'}`}
      style={{ left: `${x / 10}%`, top: `${y / 10}%` }}
      onPointerEnter={({ pointerType }: PointerEvent) => pointerType === 'mouse' && setPointed(number)}
      onPointerLeave={({ pointerType }: PointerEvent) => pointerType === 'mouse' && setPointed(null)}
      onPointerDown={({ pointerType }) => {
        isFirstTap.current = pointerType !== 'mouse' && !isPointed
      }}
      onFocus={() => setPointed(number)}
      onBlur={() => setPointed(null)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        // Safari does not focus what is tapped.
        setPointed(number)
        if (canAdd && !isFirstTap.current) onAdd(need)
        isFirstTap.current = false
      }}
    >
      {number}
    </a>
  )
}

function describeSpot({ part }: PartNeed) {
  return [
    `${formatUnitPrice(part)} each`,
    `minimum ${formatCount(lowestQuantity(part))}`,
    stockLabel(part).toLowerCase(),
  ]
}

/** Hidden from screen readers, which read it as the spot's name. */
function SpotCard({ spot, need }: { spot: Spot; need: PartNeed | undefined }) {
  const [aside, below] = [spot.x > 500, spot.y > 500]
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none absolute z-20 w-60 border border-base-300 bg-base-100 p-3 text-sm shadow-lg max-sm:inset-x-2 max-sm:w-auto sm:left-(--x) sm:top-(--y) ${aside ? 'sm:-ml-6 sm:-translate-x-full' : 'sm:ml-6'} ${below ? 'max-sm:top-2 sm:-translate-y-full' : 'max-sm:bottom-2'}`}
      style={{ '--x': `${spot.x / 10}%`, '--y': `${spot.y / 10}%` } as CSSProperties}
    >
      <p className="font-semibold">{`${spot.number}. ${spot.name}`}</p>
      <p className="text-base-content/75">{`${spot.partNumber} · ${formatCount(spot.quantity)} per bike`}</p>
      {need ? (
        <>
          <p className="mt-1">{describeSpot(need).join(' · ')}</p>
          <p className="mt-1 font-medium">
            {need.quantity === null ? (
              'Too few in stock'
            ) : (
              <>
                <span className="pointer-coarse:hidden">Click</span>
                <span className="hidden pointer-coarse:inline">Tap again</span>
                {` to add ${formatCount(need.quantity)}`}
              </>
            )}
          </p>
        </>
      ) : (
        <p className="mt-1">No longer sold</p>
      )}
    </div>
  )
}
