import { Link } from 'react-router'
import type { PartSummary } from '#shop/parts/part.ts'
import { type Filters, filtersUrl } from './filters.ts'
import { PartCard, PartRow } from './part-card.tsx'
import { PartCards } from './part-cards.tsx'

export function Results({ parts, view }: { parts: PartSummary[]; view: Filters['view'] }) {
  if (view === 'list')
    return (
      <PartCards
        className="border-t border-base-300"
        Card={PartRow}
        cards={parts.map((part) => ({ part }))}
      />
    )
  return (
    <PartCards
      className="grid gap-x-6 gap-y-12 sm:grid-cols-2 xl:grid-cols-3"
      Card={PartCard}
      cards={parts.map((part, i) => ({
        part,
        heading: 'h2' as const,
        loading: i < 2 ? ('eager' as const) : ('lazy' as const),
        sizes: '(width < 40rem) 92vw, (width < 80rem) 44vw, 19rem',
      }))}
    />
  )
}

export function NoResults({ filters }: { filters: Filters }) {
  const hasFilters = filtersUrl({ ...filters, q: '', view: 'grid', sort: '', page: 1 }) !== '/parts'
  return (
    <div className="max-w-prose py-10">
      <p className="text-lg">
        {filters.q ? `No parts match “${filters.q}”.` : 'No parts match these filters.'}
      </p>
      <ul className="mt-4 list-disc space-y-1 pl-5">
        {filters.q && <li>Try fewer words or a type of part, such as chain, rotor or saddle.</li>}
        {hasFilters && (
          <li>
            <Link to={filtersUrl({ q: filters.q })} className="link">
              Search without filters
            </Link>
          </li>
        )}
        <li>
          <Link to="/parts" className="link">
            Browse all parts
          </Link>
        </li>
        <li>
          <Link to="/#contact" className="link">
            Contact us
          </Link>
          {' about a part that’s not in the catalogue'}
        </li>
      </ul>
    </div>
  )
}
