import { Link } from 'react-router'
import { dollars } from '#shop/money.ts'
import { type Part, soldOut } from '#shop/parts/part.ts'

export function PartCard({ part }: { part: Part }) {
  return (
    <article className="card h-full border border-base-300 bg-base-100">
      <Link to={`/parts/${part._id}`} className="block" tabIndex={-1} aria-hidden="true">
        <img
          src={part.image}
          alt=""
          width="1200"
          height="900"
          loading="lazy"
          className="aspect-4/3 w-full rounded-t-box bg-base-200 object-cover"
        />
      </Link>
      <div className="card-body gap-3 p-4">
        <h3 className="text-lg leading-snug font-semibold">
          <Link to={`/parts/${part._id}`} className="link-hover">
            {part.name}
          </Link>
        </h3>
        <p className="text-base-content/80">{part.shortDescription}</p>
        <PartFacts part={part} />
        <PurchaseLink part={part} />
      </div>
    </article>
  )
}

export function PartFacts({ part }: { part: Part }) {
  return (
    <dl className="mt-auto grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm">
      <dt>Min. Quantity</dt>
      <dd className="text-right">{part.minQuantity}</dd>
      <dt>Available Quantity</dt>
      <dd className="text-right">{part.availableQuantity}</dd>
      <dt>Price per unit</dt>
      <dd className="text-right font-semibold">{dollars(part.perUnitPrice)}</dd>
    </dl>
  )
}

export function PurchaseLink({ part }: { part: Part }) {
  if (soldOut(part)) {
    return (
      <>
        <p className="font-medium text-error">Sold out</p>
        <button type="button" className="btn" disabled>
          Purchase
        </button>
      </>
    )
  }
  return (
    <Link to={`/part/${part._id}`} className="btn btn-primary">
      Purchase
    </Link>
  )
}
