import DataLoader from 'dataloader'
import { eq, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from './schema.ts'

/** As many as fit into one batch of orders. */
const maxBatchSize = 100

/**
 * Reads rows by id: one statement for all requests that arrive together. Nothing is kept, so each sees what was committed when it asked.
 */
export function batchReads<Row extends { _id: string }>(
  readRows: (db: Database, ids: string[]) => Promise<Row[]>,
): (db: Database, id: string) => Promise<Row | undefined> {
  const loaders = new WeakMap<Database, DataLoader<string, Row | undefined>>()
  return (db, id) => {
    const loader = loaders.get(db) ?? createLoader((ids) => readRows(db, ids))
    loaders.set(db, loader)
    return loader.load(id)
  }
}

function createLoader<Row extends { _id: string }>(readRows: (ids: string[]) => Promise<Row[]>) {
  const batch = async (ids: readonly string[]) => {
    const rows = new Map((await readRows([...new Set(ids)])).map((row) => [row._id, row]))
    return ids.map((id) => rows.get(id))
  }
  return new DataLoader(batch, {
    cache: false,
    maxBatchSize,
    // After the requests that the event loop has received with this one.
    batchScheduleFn: (read) => setImmediate(read),
  })
}

/** One parameter, so that the statement is the same for any number of ids. */
export function isOneOf(column: PgColumn, ids: string[]) {
  const [id] = ids
  return ids.length === 1 ? eq(column, id) : sql`${column} = any(${sql.param(ids)})`
}
