import { randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Db as QueueDatabase } from 'pg-boss'
import {
  type ConnectionCounts,
  countConnections,
  createPool,
  toDatabase,
  watchPool,
} from '#db/driver/pool.ts'
import { startEngine } from '#db/embedded/engine.ts'
import { EngineConnection, sessionOn, startSession } from '#db/embedded/engine-connection.ts'
import { createEnginePool } from '#db/embedded/engine-pool.ts'
import { createFolder } from '#db/embedded/folder.ts'
import { copyWhileServing } from '#db/embedded/folder-copy.ts'
import { lockFolder } from '#db/embedded/lock.ts'
import { maintainTables } from '#db/embedded/maintenance.ts'
import { openChangeChannel } from '#db/server/change-channel.ts'
import { openReplica } from '#db/server/replica.ts'
import { checkEncoding, checkOrderable, countGranted, sessionLimits } from '#db/server/server.ts'
import { describeTlsError, toServerAddress } from '#db/server/server-address.ts'
import { logText } from '#telemetry/errors.ts'
import { log } from '#telemetry/log.ts'
import { type ChangeListener, collectChanges } from './changes.ts'
import { migrate, type ReportProgress } from './migrate.ts'
import { NotReadyError } from './not-ready.ts'
import type { Database } from './schema.ts'
import { StartupError } from './startup-error.ts'
import { damagedFolder, describeRefusal, describeUnusable, isDamage } from './startup-problems.ts'

export type DatabaseLocation =
  /**
   * `connectMs`: how long a query may wait for a connection; `connections`: at most so many, and one that listens, of each of the
   * `processes`.
   */
  | {
      kind: 'server'
      url: string
      replicaUrl?: string
      connectMs?: number
      connections?: number
      processes?: number
    }
  | { kind: 'folder'; path: string }
  | { kind: 'memory'; copyOf?: Blob }

export type JobQueue = { db: QueueDatabase; backend: 'postgres' | 'pglite' }

export interface OpenDatabase {
  db: Database
  /** For reads that may be a moment old: from a replica, if there is one. */
  reader: Database
  queue: JobQueue
  /** Rejects when the database does not answer, is read-only or full, or a newer version has migrated it. */
  checkReady(): Promise<void>
  connections(): ConnectionCounts
  /** Reports changes of what visitors see, those of other processes a moment later. */
  watchChanges(listener: ChangeListener): Promise<ChangeWatch>
  /** Copies the files of the embedded database to a folder, as of one moment; null on a server. */
  copyFiles: ((to: string) => Promise<void>) | null
  close(): Promise<void>
}

export interface ChangeWatch {
  /** False while changes of other processes are not received. */
  isConnected(): boolean
}

/** Runs the migrations. Throws StartupError when the database cannot be opened. */
export function openDatabase(
  location: DatabaseLocation,
  report: ReportProgress = () => {},
): Promise<OpenDatabase> {
  return location.kind === 'server' ? openServer(location, report) : openEmbedded(location, report)
}

/** The files of the embedded database. */
export function databaseFolder(dataDir: string) {
  return join(dataDir, 'postgres')
}

async function openServer(
  {
    url: address,
    replicaUrl,
    connectMs = 5_000,
    connections = 20,
    processes = 1,
  }: Extract<DatabaseLocation, { kind: 'server' }>,
  report: ReportProgress,
): Promise<OpenDatabase> {
  const url = toServerAddress('DATABASE_URL', address)
  const changes = collectChanges()
  let channel: Awaited<ReturnType<typeof openChangeChannel>> | null = null
  let replica: Awaited<ReturnType<typeof openReplica>> | null = null
  const pool = createPool(changes.watch, {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    ...sessionLimits(connectMs),
    // Different for each process, so that one can tell the others' connections.
    application_name: `winged-wheels ${randomUUID()}`,
  })
  const client = await pool.connect().catch(async (error: Error) => {
    await pool.end()
    const problem = describeTlsError(error) ?? describeRefusal(error, url)
    if (problem) throw new StartupError(`DATABASE_URL: ${problem}`)
    throw new StartupError(
      `DATABASE_URL: cannot connect to the database (${reason(error)}). Check the address and that the server is running.`,
    )
  })
  client.release()
  try {
    await checkEncoding(pool)
    pool.options.max = Math.min(connections, await countGranted(pool, processes))
    await migrateWith(pool, report)
    if (replicaUrl) replica = await openReplica(replicaUrl, { primary: pool, connections, changes })
  } catch (error) {
    await pool.end()
    const problem = describeUnusable(error as Error)
    throw problem ? new StartupError(`DATABASE_URL: ${problem}`) : error
  }
  const db = toDatabase(pool)
  return {
    db,
    reader: replica?.db ?? db,
    queue: { backend: 'postgres', db: toQueueDatabase(pool) },
    checkReady: () =>
      checkOrderable(pool).catch((error) => {
        throw replica?.replacesPrimary() ? new NotReadyError('replica only') : error
      }),
    connections: () => countConnections(pool),
    async watchChanges(listener) {
      channel = await openChangeChannel(url, (others) => {
        replica?.note(others)
        listener(others)
      })
      const { isConnected, publish } = channel
      changes.subscribe((own) => {
        listener(own)
        publish(own)
      })
      replica?.onReplayed(listener)
      return { isConnected }
    },
    copyFiles: null,
    async close() {
      await channel?.close()
      await replica?.close()
      await pool.end()
    },
  }
}

/** A script of pg-boss that fails leaves its transaction open: the pool closes a connection whose query failed. */
function toQueueDatabase(pool: pg.Pool): QueueDatabase {
  return { executeSql: (text, values) => pool.query(text, values) }
}

async function migrateWith(pool: pg.Pool, report: ReportProgress) {
  const client = await pool.connect()
  try {
    // A large database can take minutes.
    const unlimited = { query_timeout: 2 ** 31 - 1 }
    const run = (text: string) => client.query({ text, ...unlimited } as pg.QueryConfig)
    await migrate(async (script) => [await run(script)].flat().at(-1)?.rows ?? [], report)
  } finally {
    client.release()
  }
}

/** Throws StartupError for damaged files. */
async function startOn(location: Exclude<DatabaseLocation, { kind: 'server' }>, isNew: boolean) {
  if (location.kind === 'memory') {
    const options = { dataDir: 'memory://', ...(location.copyOf && { loadDataDir: location.copyOf }) }
    return sessionOn(await startEngine(options))
  }
  const dataDir = databaseFolder(location.path)
  // The engine would write a new database over it.
  if (isNew && existsSync(join(dataDir, 'global', 'pg_control'))) throw damagedFolder(dataDir)
  return startSession(dataDir, exitOnPanic).catch((error) => {
    const isMissing = /MODULE_NOT_FOUND$/.test(error.code ?? '')
    throw isNew || isMissing ? error : damagedFolder(dataDir)
  })
}

async function openEmbedded(
  location: Exclude<DatabaseLocation, { kind: 'server' }>,
  report: ReportProgress,
): Promise<OpenDatabase> {
  const folder = location.kind === 'folder' ? location.path : null
  const unlock = folder ? lockDataFolder(folder) : null
  const hasRoom = () => !folder || freeBytes(folder) > minFreeBytes
  const isNew = !folder || !existsSync(join(databaseFolder(folder), 'PG_VERSION'))
  report(isNew ? 'Creating the database …' : undefined)
  const session = await startOn(location, isNew)
  // One connection, because the engine has one session.
  const changes = collectChanges()
  const pool = watchPool(
    changes.watch,
    createEnginePool({ idleTimeoutMillis: 0, stream: () => new EngineConnection(session, exitOnPanic) }),
  )
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
    connection.on('errorMessage', (error: pg.DatabaseError) => {
      if (error.severity === 'PANIC') exitOnPanic(error)
    })
  })
  await migrateWith(pool, report).catch((error) => {
    throw folder && isDamage(error) ? damagedFolder(databaseFolder(folder)) : error
  })

  let [isMaintained, isClosing] = [false, false]
  // A checkpoint without room is a PANIC.
  const runMaintenance = async () => {
    if (!hasRoom())
      return log.error(`DATA_DIR: the disk that holds ${folder} is almost full. Free up some space.`)
    await pool.query('checkpoint')
    if (isClosing) return
    await maintainTables(pool, { all: !isMaintained, isClosing: () => isClosing })
    isMaintained = true
  }
  const timer = setInterval(
    () => runMaintenance().catch((err) => log.error({ err }, 'database maintenance failed')),
    60_000,
  ).unref()
  const db = toDatabase(pool)
  return {
    db,
    reader: db,
    queue: { backend: 'pglite', db: toQueueDatabase(pool) },
    async checkReady() {
      if (!hasRoom()) throw new NotReadyError('disk full')
      await checkOrderable(pool)
    },
    connections: () => ({ ...countConnections(pool), waiting: pool.countWaiting() }),
    async watchChanges(listener) {
      changes.subscribe(listener)
      return { isConnected: () => true }
    },
    copyFiles: folder
      ? async (to) => {
          // So that the copy has little to replay.
          await pool.query('checkpoint')
          await copyWhileServing(databaseFolder(folder), to, async (finish) => {
            // Nothing else runs while the only connection is taken.
            const client = await pool.connect()
            await finish().finally(() => client.release())
          })
        }
      : null,
    async close() {
      clearInterval(timer)
      isClosing = true
      // Without room for a checkpoint, the next start replays the log instead.
      if (hasRoom()) await pool.query('checkpoint')
      await pool.end()
      await session.close()
      unlock?.()
    },
  }
}

/** After a PANIC the engine no longer works; `npm start` starts the shop again, which recovers the data. */
function exitOnPanic({ message }: Error) {
  log.fatal(`The embedded database failed: ${logText(message)}.`)
  process.exit(1)
}

/** Two segments of the write-ahead log. */
const minFreeBytes = 32 * 2 ** 20

function freeBytes(folder: string) {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

export function lockDataFolder(path: string) {
  try {
    createFolder(path)
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new StartupError(`DATA_DIR: cannot write to ${path} (${reason(error as Error)}).`)
  }
  return lockFolder(path)
}

function reason(error: Error & { code?: string }) {
  return error.code ?? error.message
}
