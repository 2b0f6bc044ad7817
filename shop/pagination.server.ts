import { asc, desc, getTableColumns, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Queries } from '#db/schema.ts'
import type { Page, Paging, Sort } from './fields.ts'

interface PageQuery extends Partial<Paging> {
  where?: SQL | undefined
  orderBy: SQL[]
}

/** One page of a table's rows, or all of them without `limit`, and how many there are; `more` is computed for each row. */
export async function readPage<Table extends PgTable, More extends Record<string, SQL> = Record<never, SQL>>(
  db: Queries,
  table: Table,
  { more, ...wanted }: PageQuery & { more?: More },
) {
  const { where, orderBy, limit, page = 1 } = wanted
  const query = db
    .select({ ...getTableColumns<PgTable>(table), ...more })
    .from<PgTable>(table)
    .where(where)
    .orderBy(...orderBy)
    .$dynamic()
  if (limit) query.limit(limit).offset((page - 1) * limit)
  type Row = Table['$inferSelect'] & {
    [Name in keyof More]: More[Name] extends SQL<infer Value> ? Value : never
  }
  const rows = (await query) as Row[]
  return { rows, total: limit ? await db.$count(table, where) : rows.length } satisfies Page<unknown>
}

/**
 * The order of rows for a sort such as `-price`, each key standing for a column or an expression. `added` is the order in
 * which rows were added and decides between rows that are alike, in the same direction: an index on both serves both.
 */
export function orderBy<Key extends string>(
  columns: Record<Key | 'added', SQLWrapper>,
  sort: Sort<Key | 'added'> | undefined,
  fallback: Sort<Key | 'added'> = '-added',
): SQL[] {
  const wanted = sort ?? fallback
  const direction = wanted.startsWith('-') ? desc : asc
  const key = wanted.replace(/^-/, '') as Key | 'added'
  return [...new Set([columns[key], columns.added])].map((column) => direction(column))
}

/** A pattern for `ilike` that finds what was typed anywhere, letter for letter. */
export function likePattern(typed: string) {
  return `%${typed.replace(/[\\%_]/g, '\\$&')}%`
}
