import { Link } from 'react-router'
import type { Drawing } from '#shop/drawings/drawing.ts'
import { formatCount } from '#shop/money.ts'
import { formatUnitPrice, lowestQuantity } from '#shop/parts/quantity.ts'
import { stockLabel } from '#shop/parts/stock.ts'
import type { PartNeed } from './part-need.ts'

interface Props {
  spots: Drawing['hotspots']
  needs: PartNeed[]
  bikes: number
  pointed: number | null
  setPointed: (number: number | null) => void
}

export function PartsTable({ spots, needs, bikes, pointed, setPointed }: Props) {
  return (
    <table className="mt-6 w-full text-left">
      <caption className="sr-only">Parts of the drawing</caption>
      <thead className="border-b border-base-300 text-sm text-base-content/75">
        <tr>
          <th scope="col" className="w-10 py-2 pl-2 font-normal">
            No.
          </th>
          <th scope="col" className="py-2 font-normal">
            Part
          </th>
          <th scope="col" className="py-2 pl-3 text-right font-normal">
            Per bike
          </th>
          <th scope="col" className="py-2 pr-2 pl-3 text-right font-normal">
            {`For ${formatCount(bikes)}`}
          </th>
        </tr>
      </thead>
      <tbody>
        {spots.map((spot) => {
          const need = needs.find(({ part }) => part._id === spot.partId)
          return (
            <tr
              key={spot.number}
              id={`part-${spot.number}`}
              className={`scroll-mt-24 border-b border-base-300 align-top target:bg-base-200 ${spot.number === pointed ? 'bg-base-200' : ''}`}
              onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(spot.number)}
              onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointed(null)}
            >
              <td className="py-3 pl-2 font-semibold">{spot.number}</td>
              <td className="py-3">
                {spot.deleted ? (
                  spot.name
                ) : (
                  <Link to={`/parts/${spot.partId}`} className="link font-medium">
                    {spot.name}
                  </Link>
                )}
                <p className="text-sm text-base-content/75">{need ? describePart(need) : 'No longer sold'}</p>
              </td>
              <td className="py-3 pl-3 text-right">{formatCount(spot.quantity)}</td>
              <td className="py-3 pr-2 pl-3 text-right font-semibold">
                {describeQuantity(spot, need, spots)}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function describePart({ part }: PartNeed) {
  const minimum = `minimum ${formatCount(lowestQuantity(part))}`
  return [part.partNumber, `${formatUnitPrice(part)} each`, minimum, stockLabel(part)].join(' · ')
}

/** A part that is at several places is ordered once, with its first. */
function describeQuantity(
  { number, partId }: Props['spots'][number],
  need: PartNeed | undefined,
  spots: Props['spots'],
) {
  const first = spots.find((spot) => spot.partId === partId)!.number
  if (first !== number) return `with ${first}`
  if (!need) return '–'
  return need.quantity === null ? 'Too few' : formatCount(need.quantity)
}
