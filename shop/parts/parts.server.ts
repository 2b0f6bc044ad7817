import { and, asc, desc, eq, getTableColumns, gte, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { parts, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page, RowStream } from '#shop/fields.ts'
import { countBounded, defaultLimit, streamRows } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { followReplacements } from '#shop/replacements/replacements.server.ts'
import { lowestQuantityColumn } from './facets.server.ts'
import type { PartSearch } from './facets.ts'
import { notDeleted } from './not-deleted.server.ts'
import type { LookedUpPart, Part, PartLookup, PartSuggestions, Product } from './part.ts'
import { numberKey } from './part-number.ts'
import {
  findExactlyFirst,
  foundIds,
  isFound,
  place,
  readSearch,
  type Search,
  summaryColumns,
} from './search.server.ts'

export async function listParts({ db }: Shop, query: PartSearch = {}): Promise<Page<Product>> {
  const { limit = defaultLimit, page } = query
  async function find(search: Search) {
    const [rows, total] = await Promise.all([
      db
        .select(getTableColumns(parts))
        .from(parts)
        .innerJoin(foundIds(search, { limit, page }), isFound)
        .orderBy(place),
      countBounded(db, sql`select from ${search.source} where ${search.where}`),
    ])
    return { rows, total }
  }
  return findExactlyFirst(db, query, find, ({ total }) => total === 0)
}

/** All that `listParts` would list, in its order. */
export async function streamParts(
  { db }: Shop,
  query: Omit<PartSearch, 'limit' | 'page'> = {},
): Promise<RowStream<Product>> {
  const { source, where, orderBy } = await readSearch(db, query)
  return streamRows(db, source, { where, orderBy, read: (ids) => readPartsById({ db }, ids) })
}

/** In no order, also deleted ones. */
export function readPartsById({ db }: Pick<Shop, 'db'>, ids: string[]): Promise<Product[]> {
  return db.select().from(parts).where(inArray(parts._id, ids))
}

export async function readPart({ db }: { db: Queries }, id: string): Promise<Product> {
  const [part] = await db
    .select()
    .from(parts)
    .where(and(eq(parts._id, id), notDeleted))
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  return part
}

/** Those that are for sale, in no order: with an id, a part number without regard to punctuation, or a name; and those that replace the others. */
export async function lookUpParts(
  { db }: Pick<Shop, 'db'>,
  { ids = [], texts = [] }: PartLookup,
): Promise<LookedUpPart[]> {
  const keys = texts.map(numberKey).filter(Boolean)
  const [names, replaced] = await Promise.all([findNames(db, texts), followReplacements(db, { ids, keys })])
  const named = Map.groupBy(names, ({ id }) => id)
  const replacing = Map.groupBy(replaced, ({ byId }) => byId)
  const isLookedUp = or(
    inArray(parts._id, [...ids, ...named.keys(), ...replacing.keys()]),
    keys.length > 0 ? inArray(sql`part_number_key`, keys) : undefined,
  )
  const rows = await db.select(summaryColumns).from(parts).where(and(isLookedUp, notDeleted))
  return rows.map((row) => ({
    ...row,
    named: (named.get(row._id) ?? []).map(({ text }) => text),
    replaces: replacing.get(row._id) ?? [],
  }))
}

/** The parts of which texts are the names, in whatever spelling. */
async function findNames(db: Queries, texts: string[]) {
  if (texts.length === 0) return []
  return executeRows<{ id: string; text: string }>(
    db,
    sql`select part_id as id, text from unnest(${sql.param(texts)}::text[]) as text join part_words on name_key = name_key(text)`,
  )
}

const idsPerPage = 10_000

/** The pages that have parts, from 1. Parts stay on their page, whatever is added or deleted. */
export async function listPartIdPages({ db }: Pick<Shop, 'db'>): Promise<number[]> {
  const rows = await executeRows<{ page: number }>(
    db,
    sql`select page from generate_series(1, (select coalesce(max(number), 0) from ${parts}) / ${idsPerPage} + 1) page
      where exists (select from ${parts} where ${and(isOnPage(sql`page`), notDeleted)}) order by page`,
  )
  return rows.map(({ page }) => Number(page))
}

export async function listPartIds({ db }: Pick<Shop, 'db'>, page: number): Promise<string[]> {
  const rows = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(and(isOnPage(sql`${page}::bigint`), notDeleted))
    .orderBy(asc(parts.number))
  return rows.map(({ _id }) => _id)
}

function isOnPage(page: SQL) {
  const start = sql`(${page} - 1) * ${idsPerPage}::bigint`
  return sql`${parts.number} >= ${start} and ${parts.number} < ${start} + ${idsPerPage}::bigint`
}

export async function listPartSuggestions({ db }: Pick<Shop, 'db'>): Promise<PartSuggestions> {
  // One spelling of each, that of most parts.
  const rows = await executeRows<{ kind: keyof PartSuggestions; name: string }>(
    db,
    sql`with names as (
        select 'brands' as kind, brand as name, count(*) as count from part_words group by brand
        union all select 'categories', category, count(*) from part_words group by category
      ), one as (
        select distinct on (kind, name_key(name)) kind, name from names where name <> ''
        order by kind, name_key(name), count desc, name collate "C"
      )
      select kind, name from one order by name_order(name), name collate "C"`,
  )
  const listNames = (kind: keyof PartSuggestions) =>
    rows.flatMap((row) => (row.kind === kind ? row.name : []))
  return { brands: listNames('brands'), categories: listNames('categories') }
}

/** At most four parts of the same category or brand, in stock first. */
export function relatedParts({ db }: Pick<Shop, 'db'>, { _id, brand, category }: Part): Promise<Part[]> {
  if (!category && !brand) return Promise.resolve([])
  const isRelated = category ? eq(parts.category, category) : eq(parts.brand, brand)
  return db
    .select()
    .from(parts)
    .where(and(notDeleted, ne(parts._id, _id), isRelated))
    .orderBy(desc(gte(parts.availableQuantity, lowestQuantityColumn)), asc(parts.number))
    .limit(4)
}
