import { useRef } from 'react'
import { Form, Link, redirect, useNavigation, useSearchParams } from 'react-router'
import { usePricing } from '#app/company.ts'
import { shopContext } from '#app/context.ts'
import { breadcrumbs, indexable } from '#app/meta.ts'
import { useResultsInView } from '#app/ui/behaviour/results-in-view.ts'
import { useSearchForm } from '#app/ui/behaviour/search-form.ts'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { Pagination } from '#app/ui/table/pagination.tsx'
import { findFitSets } from '#shop/fit/fit-sets.server.ts'
import { formatCount } from '#shop/money.ts'
import type { FacetCount } from '#shop/parts/facets.ts'
import { findParts } from '#shop/parts/search.server.ts'
import { describeReplacement } from '#shop/replacements/describe-replacement.ts'
import { findReplacedNumber } from '#shop/replacements/replacements.server.ts'
import { recordEmptySearch } from '#shop/search/empty-searches.server.ts'
import { nameSpecFilters } from '#shop/specifications/spec-facets.server.ts'
import type { Route } from './+types/catalogue'
import { ActiveFilters } from './active-filters.tsx'
import { FacetFilters, type FacetList } from './facets.tsx'
import { filtersUrl, readFilters } from './filters.ts'
import { NoResults, Results } from './results.tsx'
import { SearchTools } from './search-tools.tsx'

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
      title: [terms, 'Bicycle Parts', page > 1 && `Page ${page}`].filter(Boolean).join(' · '),
      description: `${only ?? 'All bicycle parts'}: minimum quantities, stock and prices per unit.`,
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
  const { q, brand, category, spec, price, minQuantity, available, fits, sort, page } = filters
  const { shop, reader } = context.get(shopContext)
  const replaced = q ? await findReplacedNumber(reader, q) : null
  const result = await findParts(reader, {
    q,
    brand,
    category,
    spec,
    price: price || undefined,
    minQuantity: minQuantity || undefined,
    available,
    fits: fits.length > 0 ? await findFitSets(reader, fits) : undefined,
    sort: sort || undefined,
    limit: perPage,
    page,
  })
  // Nobody waits for it.
  if (result.total === 0 && q && filtersUrl({ q }) === filtersUrl({ ...filters, view: 'grid', sort: '' }))
    recordEmptySearch(shop.db, q, request.headers.get('user-agent')).catch(() => {})
  const pages = Math.max(1, Math.ceil(result.total / perPage))
  if (page > pages) throw redirect(filtersUrl({ ...filters, page: pages }))
  const specs = await nameSpecFilters(reader.db, spec)
  const { specFacets, facets, ...found } = result
  return {
    ...found,
    facets: {
      price: facets.price,
      minQuantity: facets.minQuantity,
      available: facets.available,
      lists: [
        { title: 'Category', name: 'category', counts: keepChosen(facets.category, category) },
        ...specFacets.map(({ name, choices }): FacetList => ({ title: name, name: 'spec', counts: choices })),
        { title: 'Brand', name: 'brand', counts: keepChosen(facets.brand, brand) },
      ] satisfies FacetList[],
    },
    filters,
    specs,
    pages,
    notice: replaced && describeReplacement(replaced, replaced.byNumber),
  }
}

/** Selected values stay visible even when the other facets match none of them. */
function keepChosen(counts: FacetCount[], chosen: string[]): FacetCount[] {
  const missing = chosen.filter((value) => !counts.some((other) => other.value === value))
  return [...counts, ...missing.map((value) => ({ value, count: 0 }))]
}

export default function Parts({ loaderData }: Route.ComponentProps) {
  const { filters, rows, total, pages, facets, specs, isFuzzy, notice } = loaderData
  const note = usePricing()?.note
  const location = useNavigation().location
  const loading = location?.pathname === '/parts'
  // Further choices add to the results that are loading.
  const next = loading ? readFilters(new URLSearchParams(location.search)) : filters
  const results = useRef<HTMLDivElement>(null)
  useResultsInView(results, filtersUrl({ ...filters, page: 1 }))
  const form = useSearchForm(filtersUrl({ ...filters, page: 1 }), (params) => filtersUrl(readFilters(params)))

  return (
    <>
      <div className="mt-10 flex flex-wrap items-baseline justify-between gap-x-6">
        <h1>Bicycle Parts</h1>
        <p className="flex gap-6">
          <Link to="/drawings" className="link">
            Drawings
          </Link>
          <Link to="/quick-order" className="link">
            Quick order
          </Link>
        </p>
      </div>
      <Form
        action="/parts"
        className="mt-6 grid items-start gap-x-10 gap-y-5 lg:grid-cols-[15rem_1fr] lg:gap-y-8"
        {...form}
      >
        {next.view === 'list' && <input type="hidden" name="view" value="list" />}
        <div className="min-w-0 lg:col-span-2">
          <SearchTools filters={filters} next={next} />
        </div>
        <FacetFilters facets={facets} filters={filters} total={total} />

        <div ref={results} className="min-w-0">
          <ActiveFilters filters={filters} specs={specs} next={next} />
          {notice && <p className="mb-5 border-l-4 border-warning pl-3">{notice}</p>}
          <p
            id="found"
            role="status"
            tabIndex={-1}
            className="mb-5 text-sm text-base-content/75 outline-none"
          >
            {isFuzzy && `No exact matches for “${filters.q}”. Showing `}
            {formatCount(total)} {isFuzzy && 'similar '}
            {total === 1 ? 'part' : 'parts'}
            {note && `. Prices ${note}.`}
          </p>
          <div className={`transition-opacity ${loading ? 'opacity-60' : ''}`} aria-busy={loading}>
            {total === 0 && <NoResults filters={filters} />}
            <Results parts={rows} view={filters.view} />
            {pages > 1 && (
              <Pagination page={filters.page} pages={pages} to={(page) => filtersUrl({ ...next, page })} />
            )}
          </div>
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
