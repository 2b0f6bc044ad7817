import DataLoader from 'dataloader'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { LRUCache } from 'lru-cache'
import type { Database, Queries } from '#db/schema.ts'
import { prepareOnce, type Statement } from './prepared.ts'

/** As many as fit into one batch of orders. */
const maxBatchSize = 100

/** Rows of a kind that are remembered, and for how long. */
const remembered = { max: 1_000, ttl: 60_000, ttlResolution: 100 }

type Select<Row> = (db: Queries, isWanted: SQL) => Statement<Row>

interface BatchedReads<Row> {
  /** Sees what was committed when it is called. */
  read(db: Database, id: string): Promise<Row | undefined>
  /** As it was last read by this process, up to a minute ago: only for what a statement checks before it writes. */
  recall(db: Database, id: string): Row | undefined
}

/** Reads rows by id: one statement for all requests that arrive together, which is built once. */
export function batchReads<Row extends { _id: string }>(
  id: PgColumn,
  select: Select<Row>,
): BatchedReads<Row> {
  const readOne = prepareOnce((db: Queries) => select(db, eq(id, sql.placeholder('id'))))
  const readMany = prepareOnce((db: Queries) => select(db, sql`${id} = any(${sql.placeholder('ids')})`))
  const readRows = (db: Queries, ids: readonly string[]) =>
    ids.length === 1 ? readOne(db, { id: ids[0] }) : readMany(db, { ids: [...new Set(ids)] })
  const readers = new WeakMap<Database, ReturnType<typeof createReader<Row>>>()
  const findReader = (db: Database) => {
    const reader = readers.get(db) ?? createReader((ids) => readRows(db, ids))
    readers.set(db, reader)
    return reader
  }
  return {
    read: (db, wanted) => findReader(db).loader.load(wanted),
    recall: (db, wanted) => findReader(db).recent.get(wanted),
  }
}

function createReader<Row extends { _id: string }>(readRows: (ids: readonly string[]) => Promise<Row[]>) {
  const recent = new LRUCache<string, Row>(remembered)
  const batch = async (ids: readonly string[]) => {
    const rows = new Map((await readRows(ids)).map((row) => [row._id, row]))
    for (const id of ids) recent.set(id, rows.get(id))
    return ids.map((id) => rows.get(id))
  }
  const loader = new DataLoader(batch, {
    cache: false,
    maxBatchSize,
    // After the requests that the event loop has received with this one.
    batchScheduleFn: (run) => setImmediate(run),
  })
  return { loader, recent }
}
