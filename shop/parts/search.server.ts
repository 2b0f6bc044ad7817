import { and, asc, desc, type SQL } from 'drizzle-orm'
import { type Database, parts } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import type { Shop } from '#shop/ports.ts'
import { matches, parseQuery, relevance } from '#shop/search/query.server.ts'
import { active } from './active.server.ts'
import { countFacets, facetConditions, partColumns } from './facets.server.ts'
import type { Part, PartQuery } from './part.ts'
import type { PriceBand } from './price-bands.ts'

/** What is looked for. Several brands or categories mean any of them. */
export type PartSearch = Partial<Omit<PartQuery, 'brand' | 'category'>> & {
  brand?: string | string[]
  category?: string | string[]
}

export interface FacetCount<Value extends string = string> {
  value: Value
  count: number
}

/**
 * How many parts each value would show, given what was typed and every other facet. Brands and categories come most parts
 * first, prices in their order; values without a part are left out.
 */
export interface Facets {
  brand: FacetCount[]
  category: FacetCount[]
  price: FacetCount<PriceBand>[]
  available: number
}

export interface FoundParts extends Page<Part> {
  facets: Facets
  /** Whether no part has the words as they were typed, and those were taken that come close. */
  isFuzzy: boolean
}

/** A page of the catalogue with its facets. A part whose name has all the words comes first. */
export async function findParts({ db }: Pick<Shop, 'db'>, query: PartSearch = {}): Promise<FoundParts> {
  const { limit, page = 1 } = query
  const { typed, where, orderBy, isFuzzy } = await readSearch(db, query)
  const select = db
    .select()
    .from(parts)
    .where(where)
    .orderBy(...orderBy)
    .$dynamic()
  if (limit) select.limit(limit).offset((page - 1) * limit)
  const [rows, counts] = await Promise.all([select, countFacets(db, typed, query)])
  return { rows, ...counts, isFuzzy }
}

/** The condition and the order that a search comes to. */
export async function readSearch(db: Database, query: PartSearch) {
  const { q = '', sort = q ? 'relevance' : 'added' } = query
  const { words, isFuzzy } = q ? await parseQuery(db, q) : { words: null, isFuzzy: false }
  const typed = words === null ? undefined : matches(words.prefix)
  const closest = words?.prefix ? relevance(words) : []
  const orders = {
    relevance: closest,
    added: [],
    '-added': [desc(parts.number)],
    name: [asc(parts.name)],
    '-name': [desc(parts.name)],
    price: [asc(parts.perUnitPrice)],
    '-price': [desc(parts.perUnitPrice)],
    minQuantity: [asc(parts.minQuantity)],
    '-minQuantity': [desc(parts.minQuantity)],
    availableQuantity: [asc(parts.availableQuantity)],
    '-availableQuantity': [desc(parts.availableQuantity)],
  } as const satisfies Record<NonNullable<PartQuery['sort']>, SQL[]>
  return {
    typed,
    where: and(active, typed, ...Object.values(facetConditions(query, partColumns))),
    orderBy: [...orders[sort], asc(parts.number)],
    isFuzzy,
  }
}
