import { setImmediate as nextTurn } from 'node:timers/promises'
import { asc, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable, PgView } from 'drizzle-orm/pg-core'
import pLimit from 'p-limit'
import { executeRows } from '#db/driver/rows.ts'
import type { Database, Queries } from '#db/schema.ts'
import type { Page, Paging, RowStream, Sort } from './fields.ts'
import { maxCount } from './money.ts'

interface PageQuery extends Partial<Paging> {
  where?: SQL | undefined
  orderBy: SQL[]
}

export const defaultLimit = 100

/** Counts up to one more than `maxCount`. */
export async function readPage<Source extends PgTable | PgView>(
  db: Database,
  source: Source,
  { where = sql`true`, orderBy, limit = defaultLimit, page = 1 }: PageQuery,
) {
  const query = db
    .select()
    .from<PgTable>(source as PgTable)
    .where(where)
    .orderBy(...orderBy)
    .limit(limit)
    .offset((page - 1) * limit)
  const [rows, total] = await Promise.all([
    query,
    countBounded(db, sql`select from ${source} where ${where}`),
  ])
  return { rows: rows as Source['$inferSelect'][], total } satisfies Page<unknown>
}

/** About 10 ms of the processor. */
export const rowsPerBatch = 200

interface StreamQuery<Row> {
  where: SQL | undefined
  orderBy: SQL[]
  read: (ids: string[]) => Promise<Row[]>
}

/**
 * The rows that match, in their order at that moment, which their ids keep: rows that change while others are read are neither missed
 * nor repeated.
 */
export async function streamRows<Row extends { _id: string }>(
  db: Queries,
  source: SQLWrapper,
  { where = sql`true`, orderBy, read }: StreamQuery<Row>,
): Promise<RowStream<Row>> {
  const found = await executeRows<{ id: string }>(
    db,
    sql`select id from ${source} where ${where} order by ${sql.join(orderBy, sql`, `)}`,
  )
  const ids = found.map(({ id }) => id)
  return { batches: readInBatches(ids, read), total: ids.length }
}

/** In the order of the ids, without rows that are gone. */
export async function* readInBatches<Row extends { _id: string }>(
  ids: string[],
  read: StreamQuery<Row>['read'],
) {
  for (let i = 0; i < ids.length; i += rowsPerBatch) {
    const batch = ids.slice(i, i + rowsPerBatch)
    const rows = new Map((await read(batch)).map((row) => [row._id, row]))
    yield batch.flatMap((id) => rows.get(id) ?? [])
  }
}

/** Of all lists together. */
const oneBatch = pLimit(1)

/** Others get the processor and the database between batches. */
export async function* flattenBatches<Row>(
  batches: AsyncIterable<Row[]>,
  inTurn = oneBatch,
): AsyncGenerator<Row[]> {
  const iterator = batches[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await inTurn(() => iterator.next())
      if (done) return
      yield value
      await nextTurn()
    }
  } finally {
    await iterator.return?.()
  }
}

/** Counts up to one more than `maxCount` rows of a select without a limit: counting millions takes seconds. */
export async function countBounded(db: Queries, rows: SQL): Promise<number> {
  const [row] = await executeRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from (${rows} limit ${maxCount + 1}) counted`,
  )
  return row!.count
}

/** Uses `added` as the tie-breaker in the same direction, so that one index on both columns serves both directions. */
export function orderBy<Key extends string>(
  columns: Record<Key | 'added', SQLWrapper>,
  sort: Sort<Key | 'added'> | undefined,
  fallback: Sort<Key | 'added'> = '-added',
): SQL[] {
  const requested = sort ?? fallback
  const direction = requested.startsWith('-') ? desc : asc
  const key = requested.replace(/^-/, '') as Key | 'added'
  return [...new Set([columns[key], columns.added])].map((column) => direction(column))
}
