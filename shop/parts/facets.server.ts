import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/rows.ts'
import { type Database, parts } from '#db/schema.ts'
import { notDeleted } from './not-deleted.server.ts'
import { priceBands } from './price-bands.ts'
import type { FacetCount, Facets, PartSearch } from './search.server.ts'

type Columns = Record<keyof Facets, SQL>

const bounds = sql.join(
  priceBands.slice(1).map(({ least }) => sql`${least}::int`),
  sql`, `,
)
/** `price` is the zero-based index of the price band. */
export const partColumns: Columns = {
  brand: sql`${parts.brand}`,
  category: sql`${parts.category}`,
  price: sql`width_bucket(${parts.perUnitPrice}, array[${bounds}])`,
  available: sql`${parts.availableQuantity} >= ${parts.minQuantity}`,
}
const countedColumns: Columns = {
  brand: sql`brand`,
  category: sql`category`,
  price: sql`price`,
  available: sql`available`,
}

export function facetConditions({ brand, category, price, available }: PartSearch, columns: Columns) {
  const anyOf = (column: SQL, values: string | string[] = []) => {
    // Postgres text cannot contain NUL, but a URL can.
    const selected = [values]
      .flat()
      .filter(Boolean)
      .map((value) => value.replaceAll('\0', ' '))
    return selected.length > 0 ? inArray(column, selected) : undefined
  }
  const band = priceBands.findIndex(({ key }) => key === price)
  return {
    brand: anyOf(columns.brand, brand),
    category: anyOf(columns.category, category),
    price: band >= 0 ? sql`${columns.price} = ${band}` : undefined,
    available: available ? columns.available : undefined,
  } satisfies Record<keyof Facets, SQL | undefined>
}

/** Groups the parts once by all facets, then sums the groups per facet. */
export async function countFacets(db: Database, textCondition: SQL | undefined, query: PartSearch) {
  const conditions = facetConditions(query, countedColumns)
  const without = (facet?: keyof Facets) =>
    and(sql`true`, ...Object.values({ ...conditions, ...(facet && { [facet]: undefined }) }))
  const values = (facet: 'brand' | 'category' | 'price') => sql`
    select ${facet}::text as facet, ${countedColumns[facet]}::text as value, sum(count)::int as count
    from found where ${without(facet)} group by ${countedColumns[facet]}`
  const rows = await executeRows<FacetCount & { facet: keyof Facets | 'total' }>(
    db,
    sql`with found as materialized (
      select ${partColumns.brand} as brand, ${partColumns.category} as category, ${partColumns.price} as price,
        ${partColumns.available} as available, count(*) as count
      from ${parts} where ${and(notDeleted, textCondition)} group by 1, 2, 3, 4
    )
    ${values('brand')} union all ${values('category')} union all ${values('price')}
    union all select 'available', '', coalesce(sum(count), 0)::int from found where available and ${without('available')}
    union all select 'total', '', coalesce(sum(count), 0)::int from found where ${without()}
    order by count desc, value`,
  )
  const rowsFor = (facet: keyof Facets | 'total') => rows.filter((row) => row.facet === facet)
  const nonEmpty = (facet: 'brand' | 'category') =>
    rowsFor(facet).flatMap(({ value, count }) => (value ? { value, count } : []))
  const price = priceBands.flatMap(({ key }, band) =>
    rowsFor('price').flatMap(({ value, count }) => (value === String(band) ? { value: key, count } : [])),
  )
  return {
    facets: {
      brand: nonEmpty('brand'),
      category: nonEmpty('category'),
      price,
      available: rowsFor('available')[0]!.count,
    },
    total: rowsFor('total')[0]!.count,
  }
}
