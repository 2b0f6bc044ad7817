import { and, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { attributes, type Queries } from '#db/schema.ts'
import { inOrder, isOfCategory, toAttribute } from './attributes.server.ts'
import {
  countMatching,
  type FilterableAttribute,
  labelSpecFilter,
  listChoices,
  parseSpecFilter,
  readSpan,
  type SpecFacet,
  type SpecFilter,
  type ValueCount,
} from './spec-facets.ts'

const maxFacets = 8

/** Of `part_words`, by the keys of attributes: parts have one of the values that are chosen of each. */
export type SpecConditions = Map<string, SQL>

/** The end of `10..12`, and a number itself; null for everything else. */
const storedHigh = sql`case
  when found.low is null or found.value !~ '^-?[0-9]' then null
  when strpos(found.value, '..') > 0 then split_part(found.value, '..', 2)::double precision
  else found.low end`

export async function findSpecConditions(db: Queries, spec: string[]): Promise<SpecConditions> {
  const chosen = Map.groupBy(readSpecFilters(spec), ({ key }) => key)
  if (chosen.size === 0) return new Map()
  const wanted = [...chosen.values()].flat().map(({ key, value, between }) => ({
    key,
    value: between ? null : value,
    from: between?.[0],
    below: between?.[1],
    ...(between ? null : readSpan(value)),
  }))
  const rows = await executeRows<{ key: string; id: number }>(
    db,
    sql`select distinct found.key, id from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as wanted(key text, value text, "from" double precision, below double precision, low double precision, high double precision)
      join filter_values as found on found.key = wanted.key and (found.value = wanted.value
        or found.value like '~%' and found.low >= wanted.from and found.low < wanted.below
        or (found.low <= wanted.high or found.low < wanted.below) and ${storedHigh} >= coalesce(wanted.low, wanted.from))`,
  )
  const ids = Map.groupBy(rows, ({ key }) => key)
  return new Map(
    [...chosen.keys()].map((key) => {
      const found = (ids.get(key) ?? []).map(({ id }) => id)
      return [key, sql`part_words.filters && ${sql.param(found)}::int[]`]
    }),
  )
}

/** Ignores what is none. Postgres text cannot contain NUL, but a URL can. */
export function readSpecFilters(spec: string[]): SpecFilter[] {
  return spec.flatMap((text) => parseSpecFilter(text.replaceAll('\0', ' ')) ?? [])
}

/** One for each, such as `Rotor diameter: 180 mm`; attributes of several categories may share a key. */
export async function nameSpecFilters(db: Queries, spec: string[]): Promise<string[]> {
  const keys = readSpecFilters(spec).map(({ key }) => key)
  if (keys.length === 0) return spec
  const rows = await db
    .select()
    .from(attributes)
    .where(sql`${attributes.key} = any(${sql.param(keys)}::text[])`)
    .orderBy(...inOrder)
  return spec.map((text) => {
    const [filter] = readSpecFilters([text])
    const row = rows.find(({ key }) => key === filter?.key)
    return filter && row ? `${row.name}: ${labelSpecFilter(toAttribute(row), filter)}` : text
  })
}

interface Counted {
  category: string
  spec: string[]
  conditions: SpecConditions
  /** Of the search and all other filters. */
  where: SQL | undefined
  total: number
}

/** Of a category, at most eight; the counts of each attribute are those without its own filter. */
export async function countSpecFacets(
  db: Queries,
  { category, spec, conditions, where, total }: Counted,
): Promise<SpecFacet[]> {
  const rows = await db
    .select()
    .from(attributes)
    .where(and(attributes.isFilter, isOfCategory(category)))
    .orderBy(...inOrder)
    .limit(maxFacets)
  const known = rows.map(toAttribute)
  if (known.length === 0) return []
  const keys = known.map(({ key }) => key)
  const without = (key?: string) =>
    and(where, ...[...conditions].flatMap(([other, condition]) => (other === key ? [] : condition)))
  const count = (key?: string) => sql`
    select ${key ?? ''}::text as chosen, id, count(*)::int as count
    from part_words, unnest(filters) as id where ${without(key)} group by id`
  const chosenKeys = keys.filter((key) => conditions.has(key))
  const counts = await executeRows<ValueCount & { key: string }>(
    db,
    sql`select key, value, low, count from filter_values join (
        ${sql.join([count(), ...chosenKeys.map(count)], sql` union all `)}
      ) as counted using (id)
      where key = any(${sql.param(keys)}::text[])
        and chosen = case when key = any(${sql.param(chosenKeys)}::text[]) then key else '' end`,
  )
  const ofKeys = Map.groupBy(counts, ({ key }) => key)
  const filters = readSpecFilters(spec)
  return known
    .map((attribute) => {
      const chosen = filters.filter(({ key }) => key === attribute.key)
      return toFacet(attribute, ofKeys.get(attribute.key) ?? [], chosen)
    })
    .filter(({ key, choices }) => conditions.has(key) || choices.some(({ count }) => count < total))
}

function toFacet(attribute: FilterableAttribute, counts: ValueCount[], chosen: SpecFilter[]): SpecFacet {
  const { key, name } = attribute
  const listed = listChoices(attribute, counts)
  // Selected values stay visible even when the other filters match none of them.
  const missing = chosen.filter(({ value }) => !listed.some((choice) => choice.value === value))
  const counted = missing.map((filter) => ({ value: filter.value, count: countMatching(counts, filter) }))
  const choices = [...listed, ...counted].map(({ value, count }) => {
    const filter = parseSpecFilter(`${key}:${value}`)!
    return { value: `${key}:${value}`, label: labelSpecFilter(attribute, filter), count }
  })
  return { key, name, choices }
}
