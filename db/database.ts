import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import pLimit from 'p-limit'
import pg from 'pg'
import { fromPglite, type Db as QueueDatabase } from 'pg-boss'
import { lockFolder } from './lock.ts'
import { migrate } from './migrate.ts'
import { type Database, schema } from './schema.ts'
import { StartupError } from './startup-error.ts'

/** A Postgres server, an embedded Postgres in a folder, or one that is gone with the process, empty or from a dump. */
export type DatabaseLocation =
  | { kind: 'server'; url: string }
  | { kind: 'folder'; path: string }
  | { kind: 'memory'; copyOf?: Blob }

/** How a queue of jobs reaches the same database: settings of pg-boss. */
export type JobQueue = { db: QueueDatabase; backend: 'postgres' | 'pglite' }

export interface OpenDatabase {
  db: Database
  queue: JobQueue
  close(): Promise<void>
}

const options = { schema, casing: 'snake_case' } as const

/** The one door to either engine: opened, migrated and ready. Throws CannotStart where it cannot be. */
export function openDatabase(where: DatabaseLocation): Promise<OpenDatabase> {
  return where.kind === 'server' ? openServer(where.url) : openEmbedded(where)
}

async function openServer(url: string): Promise<OpenDatabase> {
  const pool = new pg.Pool({ connectionString: url, max: 20, connectionTimeoutMillis: 5_000 })
  // A connection that the server drops is replaced at the next query; unheard, its error would end the process.
  const lost = (error: Error) => console.error('database connection lost:', error.message)
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))

  const client = await pool.connect().catch(async (error: Error) => {
    await pool.end()
    throw new StartupError(`DATABASE_URL: the database does not answer (${reason(error)}).`)
  })
  try {
    await migrate(async (script) => [await client.query(script)].flat().at(-1)?.rows ?? [])
  } catch (error) {
    client.release()
    await pool.end()
    throw error
  }
  client.release()
  return {
    db: drizzlePostgres(pool, options),
    queue: {
      backend: 'postgres',
      db: { executeSql: (text, values) => pool.query(text, values) },
    },
    close: () => pool.end(),
  }
}

async function openEmbedded(where: Exclude<DatabaseLocation, { kind: 'server' }>): Promise<OpenDatabase> {
  const lock = where.kind === 'folder' ? await takeFolder(where.path) : null
  const client = await PGlite.create({
    ...(where.kind === 'folder'
      ? { dataDir: join(where.path, 'postgres') }
      : { dataDir: 'memory://', ...(where.copyOf && { loadDataDir: where.copyOf }) }),
    // A folder that was made with an extension cannot be read without it.
    extensions: { pg_trgm },
    // Without -F and with this method the log is written through, as far as the embedded engine can.
    startParams: [
      ...PGlite.defaultStartParams.filter((flag) => flag !== '-F'),
      '-c',
      'wal_sync_method=open_datasync',
    ],
  })
  await migrate(async (script) => (await client.exec(script)).at(-1)?.rows ?? [])
  takeTurns(client)

  // The embedded engine has no background workers to do this.
  const upkeep = async () => {
    await client.exec('checkpoint')
    await client.exec('vacuum')
  }
  const timer = setInterval(() => upkeep().catch(console.error), 60_000).unref()
  return {
    db: drizzleEmbedded(client, options),
    queue: { backend: 'pglite', db: fromPglite(client) },
    async close() {
      clearInterval(timer)
      await client.exec('checkpoint')
      await client.close()
      lock?.close()
    },
  }
}

/**
 * The embedded engine works on this thread, and what waits for it goes on at once: without a pause between one statement
 * and the next, nobody would be let in at the door until there is nothing left to do.
 */
function takeTurns(client: PGlite) {
  const { query, transaction } = client
  const turn = pLimit(1)
  const inTurn = <T>(work: () => Promise<T>) => turn(() => work().finally(() => setImmediate()))
  client.query = (...given: Parameters<typeof query>) => inTurn(() => query.apply(client, given)) as never
  client.transaction = (work) => inTurn(() => transaction.call(client, work)) as never
}

async function takeFolder(path: string) {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new StartupError(`DATA_DIR: cannot write to ${path} (${reason(error as Error)}).`)
  }
  return lockFolder(path)
}

function reason(error: Error & { code?: string }) {
  return error.code ?? error.message
}
