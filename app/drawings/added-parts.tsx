import { Link } from 'react-router'
import { describeRounding } from '#shop/drawings/bikes.ts'
import { formatCount } from '#shop/money.ts'
import type { AddedNeeds } from './part-need.ts'

/** What went to the basket, what was rounded and what was left out. */
export function AddedParts({ added }: { added: AddedNeeds | undefined }) {
  return (
    <div role="status" className={added ? 'mt-4 border-l-4 border-success pl-4' : ''}>
      {added && <Report {...added} />}
    </div>
  )
}

function Report({ needs, bikes }: AddedNeeds) {
  const inBasket = needs.filter(({ quantity }) => quantity !== null)
  const rounded = inBasket.flatMap((need) => {
    const text = describeRounding(need)
    return text ? { ...need.part, text } : []
  })
  const left = needs.filter(({ quantity }) => quantity === null)
  return (
    <>
      <p className="font-medium">
        {`Added ${countParts(inBasket.length)} for ${formatCount(bikes)} ${bikes === 1 ? 'bike' : 'bikes'}. `}
        <Link to="/basket" className="link">
          View basket
        </Link>
      </p>
      {rounded.length > 0 && (
        <>
          <p className="mt-2">Rounded up to what can be ordered:</p>
          <ul className="list-disc pl-5">
            {rounded.map(({ _id, name, text }) => (
              <li key={_id}>{`${name}: ${text}`}</li>
            ))}
          </ul>
        </>
      )}
      {left.length > 0 && (
        <>
          <p className="mt-2">Left out, because there are too few in stock:</p>
          <ul className="list-disc pl-5">
            {left.map(({ part, needed }) => (
              <li key={part._id}>
                {`${part.name}: ${formatCount(needed)} needed, ${formatCount(part.availableQuantity)} available`}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function countParts(count: number) {
  return `${formatCount(count)} ${count === 1 ? 'part' : 'parts'}`
}
