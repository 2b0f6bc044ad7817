import { queryUrl } from '#app/query-url.ts'
import { priceBands } from '#shop/parts/price-bands.ts'
import { quantityLimits } from '#shop/parts/quantity-limits.ts'

export const sorts = [
  { value: '', label: 'Featured' },
  { value: 'name', label: 'Name A–Z' },
  { value: 'price', label: 'Price: low to high' },
  { value: '-price', label: 'Price: high to low' },
  { value: 'minQuantity', label: 'Minimum quantity: low to high' },
] as const

export interface Filters {
  q: string
  brand: string[]
  category: string[]
  spec: string[]
  price: (typeof priceBands)[number]['key'] | ''
  minQuantity: (typeof quantityLimits)[number]['key'] | ''
  available: boolean
  /** Part numbers or interfaces that somebody has. */
  fits: string[]
  sort: (typeof sorts)[number]['value']
  view: 'grid' | 'list'
  page: number
}

/** Bounds the query of a hand-written URL. */
const maxValues = 20

/** Ignores invalid values, so that an old link still shows parts. */
export function readFilters(params: URLSearchParams): Filters {
  const page = Number(params.get('page'))
  const values = (name: string, length = 80, max = maxValues) => {
    const given = params.getAll(name).map((value) => value.slice(0, length))
    // Sorted, so that equal filters have one URL.
    return [...new Set(given)].filter(Boolean).sort().slice(0, max)
  }
  return {
    q: (params.get('q') ?? '').trim().slice(0, 100),
    brand: values('brand'),
    category: values('category'),
    spec: values('spec', 200),
    price: priceBands.find(({ key }) => key === params.get('price'))?.key ?? '',
    minQuantity: quantityLimits.find(({ key }) => key === params.get('minQuantity'))?.key ?? '',
    fits: values('fits', 400, 40),
    available: params.get('available') === 'true',
    sort: sorts.find(({ value }) => value === params.get('sort'))?.value ?? '',
    view: params.get('view') === 'list' ? 'list' : 'grid',
    page: Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
  }
}

/** Canonical: defaults are left out. */
export function filtersUrl({
  q,
  brand,
  category,
  spec,
  price,
  minQuantity,
  available,
  fits,
  sort,
  view,
  page,
}: Partial<Filters>): string {
  const onlyList = view === 'list' && view
  return queryUrl('/parts', {
    q,
    brand,
    category,
    spec,
    price,
    minQuantity,
    available,
    fits,
    sort,
    view: onlyList,
    page,
  })
}
