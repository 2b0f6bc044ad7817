import DataLoader from 'dataloader'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Database } from './schema.ts'

/** As many as fit into one batch of orders. */
const maxBatchSize = 100

interface Statement<Row> {
  prepare(name: string): { execute(values: Record<string, unknown>): Promise<Row[]> }
}
type Select<Row> = (db: Database, isWanted: SQL) => Statement<Row>

/**
 * Reads rows by id: one statement for all requests that arrive together, which is built once. Nothing is kept, so each sees what was
 * committed when it asked.
 */
export function batchReads<Row extends { _id: string }>(
  id: PgColumn,
  select: Select<Row>,
): (db: Database, id: string) => Promise<Row | undefined> {
  const loaders = new WeakMap<Database, DataLoader<string, Row | undefined>>()
  return (db, wanted) => {
    const loader = loaders.get(db) ?? createLoader(db, id, select)
    loaders.set(db, loader)
    return loader.load(wanted)
  }
}

function createLoader<Row extends { _id: string }>(db: Database, id: PgColumn, select: Select<Row>) {
  // The connection names them (`statements.ts`).
  const one = select(db, eq(id, sql.placeholder('id'))).prepare('')
  const many = select(db, sql`${id} = any(${sql.placeholder('ids')})`).prepare('')
  const batch = async (ids: readonly string[]) => {
    const read = ids.length === 1 ? one.execute({ id: ids[0] }) : many.execute({ ids: [...new Set(ids)] })
    const rows = new Map((await read).map((row) => [row._id, row]))
    return ids.map((id) => rows.get(id))
  }
  return new DataLoader(batch, {
    cache: false,
    maxBatchSize,
    // After the requests that the event loop has received with this one.
    batchScheduleFn: (read) => setImmediate(read),
  })
}
