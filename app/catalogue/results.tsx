import { Link } from 'react-router'
import type { PartSummary } from '#shop/parts/part.ts'
import { type Filters, filtersUrl } from './filters.ts'
import { PartCard, PartRow } from './part-card.tsx'

export function Results({ parts, view }: { parts: PartSummary[]; view: Filters['view'] }) {
  if (view === 'list')
    return (
      <div className="border-t border-base-300">
        {parts.map((part) => (
          <PartRow key={part._id} part={part} />
        ))}
      </div>
    )
  return (
    <div className="grid gap-x-6 gap-y-12 sm:grid-cols-2 xl:grid-cols-3">
      {parts.map((part, i) => (
        <PartCard
          key={part._id}
          part={part}
          heading="h2"
          loading={i < 2 ? 'eager' : 'lazy'}
          sizes="(width < 40rem) 92vw, (width < 80rem) 44vw, 19rem"
        />
      ))}
    </div>
  )
}

export function NoResults({ filters }: { filters: Filters }) {
  const hasFilters = filtersUrl({ ...filters, q: '', view: 'grid', sort: '', page: 1 }) !== '/parts'
  return (
    <div className="max-w-prose py-10">
      <p className="text-lg">
        {filters.q ? `Nothing is named like “${filters.q}”.` : 'No part has all that is chosen here.'}
      </p>
      <ul className="mt-4 list-disc space-y-1 pl-5">
        {filters.q && <li>Try fewer words, or a part’s kind: chain, rotor, saddle.</li>}
        {hasFilters && (
          <li>
            <Link to={filtersUrl({ q: filters.q })} className="link">
              Look without the filters
            </Link>
          </li>
        )}
        <li>
          <Link to="/parts" className="link">
            See all parts
          </Link>
        </li>
        <li>
          <Link to="/#contact" className="link">
            Ask us
          </Link>
          {' for a part that is not in the catalogue'}
        </li>
      </ul>
    </div>
  )
}
