import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import { type Database, parts } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import type { Shop } from '#shop/ports.ts'
import { parseExactly, parseQuery } from '#shop/search/query.server.ts'
import { countFacets, facetConditions, lowestQuantityColumn, partColumns } from './facets.server.ts'
import { notDeleted } from './not-deleted.server.ts'
import type { PartSummary, ProductQuery } from './part.ts'
import type { PriceBand } from './price-bands.ts'
import type { QuantityLimit } from './quantity-limits.ts'

export type PartSearch = Partial<Omit<ProductQuery, 'brand' | 'category'>> & {
  brand?: string | string[]
  category?: string | string[]
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

export interface FoundParts extends Page<PartSummary> {
  facets: Facets
  isFuzzy: boolean
}

export async function findParts({ db }: Pick<Shop, 'db'>, query: PartSearch = {}): Promise<FoundParts> {
  const { limit, page = 1 } = query

  async function find({ textCondition, where, orderBy, isFuzzy }: Search) {
    const select = db
      .select(summaryColumns)
      .from(parts)
      .where(where)
      .orderBy(...orderBy)
      .$dynamic()
    if (limit) select.limit(limit).offset((page - 1) * limit)
    const [rows, counts] = await Promise.all([select, countFacets(db, textCondition, query)])
    return { rows, ...counts, isFuzzy }
  }
  const { matching, ...found } = await findExactlyFirst(db, query, find, ({ matching }) => matching === 0)
  return found
}

/** With the words of the query or, when what they find `isEmpty`, with similar ones. */
export async function findExactlyFirst<Found>(
  db: Database,
  query: PartSearch,
  find: (search: Search) => Promise<Found>,
  isEmpty: (found: Found) => boolean,
): Promise<Found> {
  const found = await find(await readSearch(db, query, parseExactly))
  return query.q && isEmpty(found) ? find(await readSearch(db, query)) : found
}

const { _id, name, shortDescription, image, minQuantity, availableQuantity, perUnitPrice } = parts
const { partNumber, multiple, cartonSize, priceBreaks } = parts
/** Those of a `PartSummary`. */
const summaryColumns = {
  ...{ _id, name, shortDescription, image, minQuantity, availableQuantity, perUnitPrice },
  ...{ partNumber, multiple, cartonSize, priceBreaks },
}

/** Like `stockLabel`. */
export const stockConditions = {
  'in stock': sql`${availableQuantity} >= 3 * ${lowestQuantityColumn}`,
  low: sql`${availableQuantity} >= ${lowestQuantityColumn} and ${availableQuantity} < 3 * ${lowestQuantityColumn}`,
  // Counted from an index.
  'sold out': sql`not ${partColumns.available}`,
  'to reorder': sql`(${availableQuantity} < ${lowestQuantityColumn} or ${availableQuantity} <= ${parts.reorderPoint})`,
} as const satisfies Record<NonNullable<ProductQuery['stock']>, SQL>

const stockLevel = sql`${parts}.stock_level`

const everything = { textCondition: undefined, byRelevance: [], isFuzzy: false }

export type Search = Awaited<ReturnType<typeof readSearch>>

export async function readSearch(db: Database, query: PartSearch, parse = parseQuery) {
  const { q = '', sort = q ? 'relevance' : 'added' } = query
  const { textCondition, byRelevance, isFuzzy } = q ? await parse(db, q) : everything
  const sortOrders = {
    relevance: byRelevance,
    added: [],
    '-added': [desc(parts.number)],
    name: [asc(parts.name)],
    '-name': [desc(parts.name)],
    price: [asc(parts.perUnitPrice)],
    '-price': [desc(parts.perUnitPrice)],
    minQuantity: [asc(parts.minQuantity)],
    '-minQuantity': [desc(parts.minQuantity)],
    // By an index, then within a level.
    availableQuantity: [asc(stockLevel), asc(parts.availableQuantity)],
    '-availableQuantity': [desc(stockLevel), desc(parts.availableQuantity)],
  } as const satisfies Record<NonNullable<ProductQuery['sort']>, SQL[]>
  return {
    textCondition,
    where: and(
      notDeleted,
      textCondition,
      query.stock && stockConditions[query.stock],
      ...Object.values(facetConditions(query, partColumns)),
    ),
    orderBy: [...sortOrders[sort], asc(parts.number)],
    isFuzzy,
  }
}
