import { Form, Link, redirect, useNavigation, useSearchParams } from 'react-router'
import { shopContext } from '#app/context.ts'
import { breadcrumbs, indexable } from '#app/meta.ts'
import { ErrorMessage } from '#app/ui/failure.tsx'
import { Icon, type IconName } from '#app/ui/icon.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { SearchField } from '#app/ui/search-field.tsx'
import { useSearchForm } from '#app/ui/search-form.ts'
import { partSummary } from '#shop/parts/part.ts'
import { findParts } from '#shop/parts/search.server.ts'
import type { Route } from './+types/catalogue'
import { ActiveFilters } from './active-filters.tsx'
import { FacetFilters } from './facets.tsx'
import { type Filters, filtersUrl, readFilters, sorts } from './filters.ts'
import { PartCard, PartRow } from './part-card.tsx'

const perPage = 24

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const filters = loaderData?.filters ?? readFilters(new URLSearchParams())
  const { q, brand, category, page } = filters
  const [only, ...others] = category
  // Only a list of one category is indexed; other filters repeat its parts.
  const list = others.length === 0 && only ? { category: [only] } : {}
  const isIndexable = filtersUrl({ ...filters, page: 1, sort: '', view: 'grid' }) === filtersUrl(list)
  const terms = [q && `“${q}”`, ...brand, ...category].filter(Boolean).join(', ')
  return [
    ...indexable(matches, {
      title: [terms, 'Bicycle Parts', page > 1 && `page ${page}`].filter(Boolean).join(' · '),
      description: `${only ?? 'All bicycle parts'} of the catalogue with least quantity, stock and price per unit.`,
      path: filtersUrl(isIndexable ? { ...list, page } : list),
      about: [
        breadcrumbs(matches, [
          { name: 'Home', path: '/' },
          { name: 'Parts', path: '/parts' },
        ]),
      ],
    }),
    ...(isIndexable ? [] : [{ name: 'robots', content: 'noindex' }]),
  ]
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const filters = readFilters(new URL(request.url).searchParams)
  const { q, brand, category, price, available, sort, page } = filters
  const result = await findParts(context.get(shopContext).shop, {
    q,
    brand,
    category,
    price: price || undefined,
    available,
    sort: sort || undefined,
    limit: perPage,
    page,
  })
  const pages = Math.max(1, Math.ceil(result.total / perPage))
  if (page > pages) throw redirect(filtersUrl({ ...filters, page: pages }))
  const { total, facets, isFuzzy } = result
  return { rows: result.rows.map((row) => partSummary.parse(row)), total, facets, isFuzzy, filters, pages }
}

export default function Parts({ loaderData }: Route.ComponentProps) {
  const { filters, rows, total, pages, facets, isFuzzy } = loaderData
  const loading = useNavigation().location?.pathname === '/parts'
  const form = useSearchForm(filtersUrl({ ...filters, page: 1 }), (params) => filtersUrl(readFilters(params)))

  return (
    <>
      <h1 className="mt-10">Bicycle Parts</h1>
      <Form
        action="/parts"
        className="mt-6 grid gap-x-10 gap-y-6 lg:grid-cols-[15rem_1fr] lg:grid-rows-[auto_1fr]"
        {...form}
      >
        {filters.view === 'list' && <input type="hidden" name="view" value="list" />}
        <FacetFilters facets={facets} filters={filters} />

        <div className="row-start-1 min-w-0 lg:row-start-auto">
          <search className="flex flex-wrap gap-3">
            <SearchField
              className="min-w-0 grow basis-64"
              label="Search parts"
              placeholder="Chain, rotor, 42T"
              defaultValue={filters.q}
            />
            <button type="submit" className="btn btn-primary">
              Search
            </button>
            <select
              name="sort"
              aria-label="Sort by"
              className="select w-auto grow sm:grow-0"
              defaultValue={filters.sort}
            >
              {sorts.map(({ value, label }) => (
                <option key={value} value={value}>
                  {value === '' && filters.q ? 'Best match' : label}
                </option>
              ))}
            </select>
            <ViewSwitch filters={filters} />
          </search>
          <ActiveFilters filters={filters} />
          <p
            id="found"
            role="status"
            tabIndex={-1}
            className="mt-4 text-sm text-base-content/75 outline-none"
          >
            {isFuzzy && `Nothing is named exactly “${filters.q}”. These come closest: `}
            {total === 1 ? '1 part' : `${total} parts`}
          </p>
        </div>

        <div
          className={`min-w-0 transition-opacity lg:col-start-2 ${loading ? 'opacity-60' : ''}`}
          aria-busy={loading}
        >
          {total === 0 && <NoResults filters={filters} />}
          {filters.view === 'list' ? (
            <div className="border-t border-base-300">
              {rows.map((part) => (
                <PartRow key={part._id} part={part} />
              ))}
            </div>
          ) : (
            <div className="grid gap-x-6 gap-y-12 sm:grid-cols-2 xl:grid-cols-3">
              {rows.map((part, i) => (
                <PartCard
                  key={part._id}
                  part={part}
                  heading="h2"
                  loading={i < 2 ? 'eager' : 'lazy'}
                  sizes="(width < 40rem) 92vw, (width < 80rem) 44vw, 19rem"
                />
              ))}
            </div>
          )}
          {pages > 1 && (
            <Pagination page={filters.page} pages={pages} to={(page) => filtersUrl({ ...filters, page })} />
          )}
        </div>
      </Form>
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const [params] = useSearchParams()
  return (
    <>
      <h1 className="mt-10">Bicycle Parts</h1>
      <Form action="/parts" className="mt-6 flex gap-3">
        <input
          type="search"
          name="q"
          defaultValue={readFilters(params).q}
          aria-label="Search parts"
          className="input grow"
        />
        <button type="submit" className="btn">
          Search
        </button>
      </Form>
      <ErrorMessage error={error} />
    </>
  )
}

function ViewSwitch({ filters }: { filters: Filters }) {
  const views: { view: Filters['view']; icon: IconName; label: string }[] = [
    { view: 'grid', icon: 'grid', label: 'Grid' },
    { view: 'list', icon: 'list', label: 'List' },
  ]
  return (
    <div className="flex border border-base-content/55">
      {views.map(({ view, icon, label }) => (
        <Link
          key={view}
          to={filtersUrl({ ...filters, view })}
          replace
          preventScrollReset
          aria-label={label}
          aria-current={filters.view === view}
          className="grid w-10 place-items-center aria-current:bg-base-content aria-current:text-base-100 aria-[current=false]:bg-transparent aria-[current=false]:text-base-content"
        >
          <Icon name={icon} />
        </Link>
      ))}
    </div>
  )
}

function NoResults({ filters }: { filters: Filters }) {
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
