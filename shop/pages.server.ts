import type { SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Queries } from '#db/schema.ts'
import type { Page, Paging } from './fields.ts'

interface Wanted extends Partial<Paging> {
  where?: SQL | undefined
  orderBy: SQL[]
}

/** One page of a table's rows, or all of them without `limit`, and how many there are. */
export async function readPage<Table extends PgTable>(db: Queries, table: Table, wanted: Wanted) {
  const { where, orderBy, limit, page = 1 } = wanted
  const query = db
    .select()
    .from<PgTable>(table)
    .where(where)
    .orderBy(...orderBy)
    .$dynamic()
  if (limit) query.limit(limit).offset((page - 1) * limit)
  const rows = (await query) as Table['$inferSelect'][]
  return { rows, total: limit ? await db.$count(table, where) : rows.length } satisfies Page<unknown>
}

/** A pattern for `ilike` that finds what was typed anywhere, letter for letter. */
export function containing(typed: string) {
  return `%${typed.replace(/[\\%_]/g, '\\$&')}%`
}
