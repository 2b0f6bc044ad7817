import { and, asc, desc, type SQL, sql } from 'drizzle-orm'
import { type Database, parts } from '#db/schema.ts'
import type { Page, Paging } from '#shop/fields.ts'
import { fitCondition } from '#shop/fit/fit-sets.server.ts'
import type { Shop } from '#shop/ports.ts'
import { type FindSynonyms, parseExactly, parseQuery } from '#shop/search/query.server.ts'
import { countSpecFacets, findSpecConditions } from '#shop/specifications/spec-facets.server.ts'
import type { SpecFacet } from '#shop/specifications/spec-facets.ts'
import {
  countFacets,
  facetConditions,
  lowestQuantityColumn,
  partColumns,
  searchColumns,
} from './facets.server.ts'
import type { Facets, PartSearch } from './facets.ts'
import { notDeleted } from './not-deleted.server.ts'
import type { PartSummary, ProductQuery } from './part.ts'

export interface FoundParts extends Page<PartSummary> {
  facets: Facets
  isFuzzy: boolean
  /** Of the one category that is chosen. */
  specFacets: SpecFacet[]
}

export async function findParts(
  { db }: Pick<Shop, 'db'>,
  query: PartSearch = {},
  findSynonyms?: FindSynonyms,
): Promise<FoundParts> {
  async function find(search: Search) {
    const [rows, counts] = await Promise.all([
      db.select(summaryColumns).from(parts).innerJoin(foundIds(search, query), isFound).orderBy(place),
      countFacets(db, search.textCondition, query, and(...search.specs.values())),
    ])
    const specFacets = await countSpecFacetsOf(db, search, query, counts.total)
    return { rows, ...counts, specFacets, isFuzzy: search.isFuzzy }
  }
  const { matching, ...found } = await findExactlyFirst(
    db,
    query,
    find,
    ({ matching }) => matching === 0,
    findSynonyms,
  )
  return found
}

/** Only in one category: what parts of several have in common, their other facets say. */
async function countSpecFacetsOf(
  db: Database,
  { textCondition, specs: conditions }: Search,
  query: PartSearch,
  total: number,
) {
  const [category, ...others] = [query.category ?? []].flat()
  if (!category || others.length > 0) return []
  const where = and(textCondition, ...Object.values(facetConditions(query, searchColumns)))
  return countSpecFacets(db, { category, spec: [query.spec ?? []].flat(), conditions, where, total })
}

/** Ids of a page as `found.id`, in the order of `found.place`, to join `parts` with; all ids without a limit. */
export function foundIds({ source, id, where, orderBy }: Search, { limit, page = 1 }: Partial<Paging>): SQL {
  const paging = limit ? sql`limit ${limit} offset ${(page - 1) * limit}` : sql``
  const ids = sql`select ${id} from ${source} where ${where} order by ${sql.join(orderBy, sql`, `)} ${paging}`
  return sql`unnest(array(${ids})) with ordinality as found(id, place)`
}
export const isFound = sql`found.id = ${parts._id}`
export const place = sql`found.place`

/** With the words of the query or, when what they find `isEmpty`, with similar ones. */
export async function findExactlyFirst<Found>(
  db: Database,
  query: PartSearch,
  find: (search: Search) => Promise<Found>,
  isEmpty: (found: Found) => boolean,
  findSynonyms?: FindSynonyms,
): Promise<Found> {
  const found = await find(await readSearch(db, query, parseExactly, findSynonyms))
  return query.q && isEmpty(found) ? find(await readSearch(db, query, parseQuery, findSynonyms)) : found
}

const { _id, name, shortDescription, image, minQuantity, availableQuantity, perUnitPrice } = parts
const { partNumber, multiple, cartonSize, priceBreaks } = parts
/** Those of a `PartSummary`. */
export const summaryColumns = {
  _id,
  name,
  shortDescription,
  image,
  minQuantity,
  availableQuantity,
  perUnitPrice,
  partNumber,
  multiple,
  cartonSize,
  priceBreaks,
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

/** With words, and by name, `part_words` is read, and `parts` joined: Postgres leaves the join out unless a column of `parts` is needed. */
export async function readSearch(
  db: Database,
  query: PartSearch,
  parse = parseQuery,
  findSynonyms?: FindSynonyms,
) {
  const { q = '', sort = q ? 'relevance' : 'added' } = query
  const { byRelevance, isFuzzy, ...found } = q ? await parse(db, q, findSynonyms) : everything
  const specs = await findSpecConditions(db, [query.spec ?? []].flat())
  const textCondition = and(
    found.textCondition,
    query.fits && fitCondition(query.fits, sql`part_words.part_id`),
  )
  const readsWords = textCondition !== undefined || specs.size > 0 || sort === 'name' || sort === '-name'
  const table = readsWords ? sql`part_words` : sql`${parts}`
  const id = readsWords ? sql`part_words.part_id` : sql`${parts._id}`
  const number = sql`${table}.number`
  const sortOrders = {
    relevance: byRelevance,
    added: [],
    '-added': [desc(number)],
    name: [asc(sql`part_words.name_order`), asc(sql`part_words.name collate "C"`)],
    '-name': [desc(sql`part_words.name_order`), desc(sql`part_words.name collate "C"`)],
    price: [asc(sql`${table}.per_unit_price`)],
    '-price': [desc(sql`${table}.per_unit_price`)],
    minQuantity: [asc(sql`${table}.min_quantity`)],
    '-minQuantity': [desc(sql`${table}.min_quantity`)],
    // By an index, then within a level.
    availableQuantity: [asc(stockLevel), asc(parts.availableQuantity)],
    '-availableQuantity': [desc(stockLevel), desc(parts.availableQuantity)],
  } as const satisfies Record<NonNullable<ProductQuery['sort']>, SQL[]>
  return {
    textCondition,
    specs,
    source: readsWords ? sql`${table} left join ${parts} on ${parts._id} = ${id}` : table,
    id,
    where: and(
      textCondition ?? (readsWords ? sql`true` : notDeleted),
      query.stock && stockConditions[query.stock],
      ...Object.values(facetConditions(query, readsWords ? searchColumns : partColumns)),
      ...specs.values(),
    ),
    orderBy: [...sortOrders[sort], asc(number)],
    isFuzzy,
  }
}
