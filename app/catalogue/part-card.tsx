import { AddToBasket } from '#app/basket/add-to-basket.tsx'
import { PathLink } from '#app/ui/behaviour/path-link.tsx'
import { formatCount } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { formatUnitPrice, lowestQuantity } from '#shop/parts/quantity.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import { PartName } from './part-name.tsx'
import { Picture } from './picture.tsx'

interface Props {
  part: PartSummary
  heading?: 'h2' | 'h3'
  loading?: 'eager' | 'lazy'
  sizes: string
}

export function PartCard({ part, heading: Heading = 'h3', loading = 'lazy', sizes }: Props) {
  return (
    <article className="group flex h-full flex-col">
      <PathLink
        to={`/parts/${part._id}`}
        className="plate block overflow-hidden"
        tabIndex={-1}
        aria-hidden="true"
      >
        <Picture
          src={part.image}
          alt=""
          sizes={sizes}
          loading={loading}
          className="aspect-4/3 w-full object-cover transition-transform duration-500 group-hover:scale-[1.03]"
        />
      </PathLink>
      <div className="flex grow flex-col gap-3 pt-4">
        <Heading className="text-lg leading-snug">
          <PathLink to={`/parts/${part._id}`} className="hover:underline">
            <PartName name={part.name} />
          </PathLink>
        </Heading>
        <p className="text-base-content/75">{part.shortDescription}</p>
        <div className="mt-auto flex flex-col gap-4">
          <PartFacts part={part} />
          <Actions part={part} />
        </div>
      </div>
    </article>
  )
}

export function PartRow({ part }: { part: PartSummary }) {
  return (
    <article className="grid grid-cols-[5rem_1fr] items-center gap-x-5 gap-y-2 border-b border-base-300 py-3 *:min-w-0 sm:grid-cols-[6rem_1fr_8rem] xl:grid-cols-[5rem_1fr_20rem_8.5rem]">
      <PathLink
        to={`/parts/${part._id}`}
        className="plate block sm:max-xl:row-span-2"
        tabIndex={-1}
        aria-hidden="true"
      >
        <Picture src={part.image} alt="" sizes="6rem" className="aspect-4/3 w-full object-cover" />
      </PathLink>
      <div>
        <h2 className="text-base leading-snug">
          <PathLink to={`/parts/${part._id}`} className="hover:underline">
            <PartName name={part.name} />
          </PathLink>
        </h2>
        <p className="text-sm text-base-content/75">{part.shortDescription}</p>
      </div>
      <dl className="grid grid-cols-3 gap-x-4 text-sm max-sm:col-span-2 sm:max-xl:col-start-2">
        {listFacts(part).map(({ term, value }) => (
          <div key={term} className="flex flex-col justify-between">
            <dt className="text-xs text-base-content/70">{term}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="max-sm:col-span-2 sm:max-xl:col-start-3 sm:max-xl:row-span-2 sm:max-xl:row-start-1">
        <Actions part={part} size="btn-sm" />
      </div>
    </article>
  )
}

function Actions({ part, size = '' }: { part: PartSummary; size?: '' | 'btn-sm' }) {
  return (
    <div className="flex flex-wrap gap-2 *:w-auto *:grow">
      <PurchaseLink part={part} variant={size ? 'btn-outline btn-sm' : 'btn-outline'} />
      {!isSoldOut(part) && <AddToBasket part={part} className={size} />}
      <CompareLink part={part} className="basis-full text-center text-sm" />
    </div>
  )
}

/** Adds it to those that are compared in this tab. */
export function CompareLink({ part: { _id, name }, className }: { part: PartSummary; className: string }) {
  return (
    <PathLink
      to={`/compare?add=${_id}`}
      rel="nofollow"
      className={`link ${className}`}
      aria-label={`Compare ${name}`}
    >
      Compare
    </PathLink>
  )
}

export function PartFacts({ part }: { part: PartSummary }) {
  return (
    <dl className="border-t border-base-300 text-sm">
      {listFacts(part).map(({ term, value }) => (
        <div key={term} className="flex justify-between gap-4 border-b border-base-300 py-1.5">
          <dt className="text-base-content/75">{term}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function listFacts(part: PartSummary) {
  return [
    { term: 'Min. Quantity', value: formatCount(lowestQuantity(part)) },
    { term: 'Available Quantity', value: formatCount(part.availableQuantity) },
    { term: 'Price per unit', value: formatUnitPrice(part) },
  ]
}

interface PurchaseProps {
  part: PartSummary
  /** As typed; the purchase form says what is wrong with it. */
  quantity?: string | undefined
  variant?: 'btn-primary' | 'btn-outline' | 'btn-outline btn-sm'
}

export function PurchaseLink({ part, quantity, variant = 'btn-outline' }: PurchaseProps) {
  if (isSoldOut(part)) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="text-sm font-semibold text-error">
          {part.availableQuantity > 0 ? 'Sold out: too few left for an order' : 'Sold out'}
        </p>
        <button type="button" className={`btn grow ${variant}`} disabled>
          Purchase
        </button>
      </div>
    )
  }
  return (
    <PathLink
      to={`/part/${part._id}${quantity ? `?${new URLSearchParams({ quantity })}` : ''}`}
      className={`btn w-full ${variant}`}
    >
      Purchase
    </PathLink>
  )
}
