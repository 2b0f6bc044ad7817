import type { FitSets } from '#shop/fit/interface.ts'
import type { ProductQuery } from './part.ts'
import type { PriceBand } from './price-bands.ts'
import type { QuantityLimit } from './quantity-limits.ts'

export type PartSearch = Partial<Omit<ProductQuery, 'brand' | 'category' | 'spec'>> & {
  brand?: string | string[]
  category?: string | string[]
  spec?: string | string[]
  /** What a part must fit. */
  fits?: FitSets | undefined
}

export interface FacetCount<Value extends string = string> {
  value: Value
  count: number
}

/** Counts per value, given the query and all other facets; values without parts are omitted. */
export interface Facets {
  brand: FacetCount[]
  category: FacetCount[]
  price: FacetCount<PriceBand>[]
  /** Cumulative, since a limit includes those below it. */
  minQuantity: FacetCount<QuantityLimit>[]
  available: number
}
