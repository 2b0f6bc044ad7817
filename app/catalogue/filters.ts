import { priceBands } from '#shop/parts/price-bands.ts'

export const sorts = [
  { value: '', label: 'Catalogue order' },
  { value: 'name', label: 'Name' },
  { value: 'price', label: 'Price, lowest first' },
  { value: '-price', label: 'Price, highest first' },
] as const

export interface Filters {
  q: string
  brand: string[]
  category: string[]
  price: (typeof priceBands)[number]['key'] | ''
  available: boolean
  sort: (typeof sorts)[number]['value']
  view: 'grid' | 'list'
  page: number
}

/** Bounds the query of a hand-written URL. */
const maxValues = 20

/** Ignores invalid values, so that an old link still shows parts. */
export function readFilters(params: URLSearchParams): Filters {
  const page = Number(params.get('page'))
  const values = (name: string) => {
    const given = params.getAll(name).map((value) => value.slice(0, 80))
    // Sorted, so that equal filters have one URL.
    return [...new Set(given)].filter(Boolean).sort().slice(0, maxValues)
  }
  return {
    q: (params.get('q') ?? '').trim().slice(0, 100),
    brand: values('brand'),
    category: values('category'),
    price: priceBands.find(({ key }) => key === params.get('price'))?.key ?? '',
    available: params.get('available') === 'true',
    sort: sorts.find(({ value }) => value === params.get('sort'))?.value ?? '',
    view: params.get('view') === 'list' ? 'list' : 'grid',
    page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
  }
}

/** Canonical: defaults are left out. */
export function filtersUrl(filters: Partial<Filters>): string {
  const { q, brand = [], category = [], price, available, sort, view, page = 1 } = filters
  const params = new URLSearchParams()
  if (q) params.set('q', q)
  for (const value of brand) params.append('brand', value)
  for (const value of category) params.append('category', value)
  if (price) params.set('price', price)
  if (available) params.set('available', 'true')
  if (sort) params.set('sort', sort)
  if (view === 'list') params.set('view', view)
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `/parts?${params}` : '/parts'
}
