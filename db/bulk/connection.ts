import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { databaseFolder, lockDataFolder } from '#db/database.ts'
import { startEngine } from '#db/embedded/engine.ts'
import type { RunScript } from '#db/migrate.ts'
import { describeTlsError, toServerAddress } from '#db/server/server-address.ts'
import { StartupError } from '#db/startup-error.ts'
import { describeRefusal } from '#db/startup-problems.ts'

/** One session that reads or writes whole tables in COPY's text format, which both engines share. */
export interface BulkConnection {
  engine: 'postgres' | 'embedded'
  run: RunScript
  copyOut(query: string): Promise<Uint8Array>
  /** `target`: a table and its columns. */
  copyIn(target: string, rows: Uint8Array): Promise<void>
  close(): Promise<void>
}

/** A server, a database or a user can have other defaults. */
const settings = [
  "timezone = 'UTC'",
  "datestyle = 'ISO, MDY'",
  'extra_float_digits = 1',
  'standard_conforming_strings = on',
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
]
  .map((setting) => `set ${setting};`)
  .join('')

/** Throws StartupError that begins with the setting that has the address. */
export async function connectInBulk(address: string, setting = 'DATABASE_URL'): Promise<BulkConnection> {
  const url = toServerAddress(setting, address)
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 30_000,
    application_name: 'winged-wheels-backup',
    keepAlive: true,
  })
  // Each query rejects, too; without a listener the process would end.
  client.on('error', () => {})
  await client.connect().catch((error: Error & { code?: string }) => {
    const problem = describeTlsError(error) ?? describeRefusal(error, url)
    if (problem) throw new StartupError(`${setting}: ${problem}`)
    throw new StartupError(
      `${setting}: cannot connect to the database (${error.code ?? error.message}). Check the address and that the server is running.`,
    )
  })
  await client.query(settings)
  return {
    engine: 'postgres',
    run: async (script) => [await client.query(script)].flat().at(-1)?.rows ?? [],
    async copyOut(query) {
      const chunks: Uint8Array[] = []
      for await (const chunk of client.query(to(`copy (${query}) to stdout`))) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    async copyIn(target, rows) {
      const stream = client.query(from(`copy ${target} from stdin`))
      await new Promise<void>((resolve, reject) => {
        stream.on('finish', resolve).on('error', reject)
        stream.end(rows)
      })
    },
    close: () => client.end(),
  }
}

/** Of a data folder, which is locked: throws StartupError while a shop uses it. */
export async function openInBulk(dataDir: string): Promise<BulkConnection> {
  const unlock = lockDataFolder(dataDir)
  try {
    const { close, ...connection } = await openFilesInBulk(databaseFolder(dataDir))
    return { ...connection, close: () => close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Of the files of an embedded database, which nothing else may use. */
export async function openFilesInBulk(path: string): Promise<BulkConnection> {
  const engine = await startEngine({ dataDir: path })
  await engine.exec(settings)
  const blob = '/dev/blob'
  return {
    engine: 'embedded',
    run: async (script) => (await engine.exec(script)).at(-1)?.rows ?? [],
    async copyOut(query) {
      // The engine runs on this thread.
      await setImmediate()
      const result = await engine.query(`copy (${query}) to '${blob}'`)
      return new Uint8Array((await result.blob?.arrayBuffer()) ?? [])
    },
    async copyIn(target, rows) {
      await engine.query(`copy ${target} from '${blob}'`, [], { blob: new Blob([new Uint8Array(rows)]) })
    },
    close: () => engine.close(),
  }
}
