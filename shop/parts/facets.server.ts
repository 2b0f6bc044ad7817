import { and, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { type Database, parts } from '#db/schema.ts'
import type { FacetCount, Facets, PartSearch } from './facets.ts'
import { notDeleted } from './not-deleted.server.ts'
import { priceBands } from './price-bands.ts'
import { quantityLimits } from './quantity-limits.ts'

type Columns = Record<keyof Facets, SQL>

const bounds = (values: number[]) =>
  sql.join(
    values.map((value) => sql`${value}::int`),
    sql`, `,
  )
const priceBounds = bounds(priceBands.slice(1).map(({ least }) => least))
const quantityBounds = bounds(quantityLimits.map(({ most }) => most + 1))
/** Like `lowestQuantity`. */
export const lowestQuantityColumn = sql`((${parts.minQuantity} + ${parts.multiple} - 1) / ${parts.multiple} * ${parts.multiple})`

/** `price` is the zero-based index of the price band, `minQuantity` that of the lowest limit that includes the part. */
const listColumns = (table: SQL): Columns => ({
  brand: sql`${table}.brand`,
  category: sql`${table}.category`,
  price: sql`width_bucket(${table}.per_unit_price, array[${priceBounds}])`,
  minQuantity: sql`width_bucket(${table}.min_quantity, array[${quantityBounds}])`,
  // As long as the lowest quantity is in stock; a column of its own, because an index serves it.
  available: sql`${table}.available`,
})
export const partColumns = listColumns(sql`${parts}`)
/** Of `part_words`, which has the parts that are not deleted. */
export const searchColumns = listColumns(sql`part_words`)
const countedColumns: Columns = {
  brand: sql`brand`,
  category: sql`category`,
  price: sql`price`,
  minQuantity: sql`min_quantity`,
  available: sql`available`,
}

export function facetConditions(query: PartSearch, columns: Columns) {
  const { brand, category, price, minQuantity, available } = query
  const matchAny = (column: SQL, values: string | string[] = []) => {
    // Postgres text cannot contain NUL, but a URL can.
    const selected = [values]
      .flat()
      .filter(Boolean)
      .map((value) => value.replaceAll('\0', ' '))
    // One spelling stands for all.
    return selected.length > 0
      ? sql`${column} = any(array(select name from facet_names join unnest(${sql.param(selected)}::text[]) as selected on key = name_key(selected)))`
      : undefined
  }
  const band = priceBands.findIndex(({ key }) => key === price)
  const limit = quantityLimits.findIndex(({ key }) => key === minQuantity)
  return {
    brand: matchAny(columns.brand, brand),
    category: matchAny(columns.category, category),
    price: band >= 0 ? sql`${columns.price} = ${band}` : undefined,
    minQuantity: limit >= 0 ? sql`${columns.minQuantity} <= ${limit}` : undefined,
    available: available ? columns.available : undefined,
  } satisfies Record<keyof Facets, SQL | undefined>
}

/** Groups the parts once by all facets, then sums the groups per facet. `specified` is a condition of `part_words`. */
export async function countFacets(
  db: Database,
  textCondition: SQL | undefined,
  query: PartSearch,
  specified?: SQL,
) {
  const conditions = facetConditions(query, countedColumns)
  const without = (facet?: keyof Facets) =>
    and(
      specified ? sql`specified` : sql`true`,
      ...Object.values({ ...conditions, ...(facet && { [facet]: undefined }) }),
    )
  const values = (facet: 'brand' | 'category' | 'price' | 'minQuantity') => sql`
    select ${facet}::text as facet, ${countedColumns[facet]}::text as value, sum(count)::int as count
    from found where ${without(facet)} group by ${countedColumns[facet]}`
  const readsWords = textCondition !== undefined || specified !== undefined
  const columns = readsWords ? searchColumns : partColumns
  const source = readsWords
    ? sql`part_words where ${textCondition ?? sql`true`}`
    : sql`${parts} where ${notDeleted}`
  const rows = await executeRows<FacetCount & { facet: keyof Facets | 'total' | 'matching' }>(
    db,
    sql`with found as materialized (
      select ${columns.brand} as brand, ${columns.category} as category, ${columns.price} as price,
        ${columns.minQuantity} as min_quantity, ${columns.available} as available,
        ${specified ?? sql`true`} as specified, count(*) as count
      from ${source} group by 1, 2, 3, 4, 5, 6
    ),
    counts as (
    ${values('brand')} union all ${values('category')} union all ${values('price')} union all ${values('minQuantity')}
    union all select 'available', '', coalesce(sum(count), 0)::int from found where available and ${without('available')}
    union all select 'total', '', coalesce(sum(count), 0)::int from found where ${without()}
    union all select 'matching', '', coalesce(sum(count), 0)::int from found
    )
    select facet, (array_agg(value order by count desc, value collate "C"))[1] collate "C" as value, sum(count)::int as count
    from counts left join facet_names on facet in ('brand', 'category') and name = value
    group by facet, coalesce(key, value) order by count desc, value`,
  )
  const rowsFor = (facet: keyof Facets | 'total' | 'matching') => rows.filter((row) => row.facet === facet)
  const nonEmpty = (facet: 'brand' | 'category') =>
    rowsFor(facet).flatMap(({ value, count }) => (value ? { value, count } : []))
  const price = priceBands.flatMap(({ key }, band) =>
    rowsFor('price').flatMap(({ value, count }) => (value === String(band) ? { value: key, count } : [])),
  )
  const minQuantity = quantityLimits.flatMap(({ key }, limit) => {
    const included = rowsFor('minQuantity').filter(({ value }) => Number(value) <= limit)
    return included.length > 0
      ? { value: key, count: included.reduce((sum, { count }) => sum + count, 0) }
      : []
  })
  return {
    facets: {
      brand: nonEmpty('brand'),
      category: nonEmpty('category'),
      price,
      minQuantity,
      available: rowsFor('available')[0]!.count,
    },
    total: rowsFor('total')[0]!.count,
    /** Without regard to the facets. */
    matching: rowsFor('matching')[0]!.count,
  }
}
