import DataLoader from 'dataloader'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { prepareOnce, type Statement } from './prepared.ts'
import type { Database, Queries } from './schema.ts'

/** As many as fit into one batch of orders. */
const maxBatchSize = 100

type Select<Row> = (db: Queries, isWanted: SQL) => Statement<Row>

/**
 * Reads rows by id: one statement for all requests that arrive together, which is built once. Nothing is kept, so each sees what was
 * committed when it asked.
 */
export function batchReads<Row extends { _id: string }>(
  id: PgColumn,
  select: Select<Row>,
): (db: Database, id: string) => Promise<Row | undefined> {
  const readOne = prepareOnce((db: Queries) => select(db, eq(id, sql.placeholder('id'))))
  const readMany = prepareOnce((db: Queries) => select(db, sql`${id} = any(${sql.placeholder('ids')})`))
  const read = (db: Queries, ids: readonly string[]) =>
    ids.length === 1 ? readOne(db, { id: ids[0] }) : readMany(db, { ids: [...new Set(ids)] })
  const loaders = new WeakMap<Database, DataLoader<string, Row | undefined>>()
  return (db, wanted) => {
    const loader = loaders.get(db) ?? createLoader((ids) => read(db, ids))
    loaders.set(db, loader)
    return loader.load(wanted)
  }
}

function createLoader<Row extends { _id: string }>(read: (ids: readonly string[]) => Promise<Row[]>) {
  const batch = async (ids: readonly string[]) => {
    const rows = new Map((await read(ids)).map((row) => [row._id, row]))
    return ids.map((id) => rows.get(id))
  }
  return new DataLoader(batch, {
    cache: false,
    maxBatchSize,
    // After the requests that the event loop has received with this one.
    batchScheduleFn: (run) => setImmediate(run),
  })
}
