import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BulkConnection, connectInBulk, openFilesInBulk, openInBulk } from '#db/bulk/connection.ts'
import {
  digestRows,
  listFunctions,
  listMigrations,
  listTables,
  readSequences,
  readTable,
} from '#db/bulk/tables.ts'
import { databaseFolder } from '#db/database.ts'
import { findUnknownFunction } from '#db/functions.ts'
import { knownMigrations } from '#db/migrate.ts'
import { StartupError } from '#db/startup-error.ts'
import type { FileStore } from '#providers/images/file-store.ts'
import { parseImageUrl } from '#providers/images/image-url.ts'
import type { Config } from '#server/config/config.ts'
import { findSecret, secretFingerprint } from '#server/config/secrets.ts'
import { openPictureFiles } from '#server/providers.ts'
import { createArchive } from './archive.ts'
import { backupName, deleteOldBackups, deleteUnfinished, isBackupDue } from './files.ts'
import {
  type Manifest,
  manifestFile,
  pictureFile,
  rowsFile,
  secretFile,
  verifyBackup,
  writeManifest,
} from './manifest.ts'
import { requestSnapshot } from './snapshot.ts'

export interface BackupResult {
  path: string
  bytes: number
  manifest: Manifest
}

/**
 * Writes the database, the pictures and the secret to one file, also while the shop serves. `scheduled`: only when one is due, and
 * deletes the oldest. Returns null when none is due, or when another process makes it. Throws StartupError.
 */
export async function backUp(
  config: Config,
  { file, scheduled = false }: { file?: string | undefined; scheduled?: boolean },
): Promise<BackupResult | null> {
  const { folder, keep } = config.backups
  const source = await openSource(config)
  if (!source && scheduled) return null
  if (!source) throw new StartupError('Another backup is running. Try again later.')
  try {
    if (scheduled && !(await isBackupDue(config.backups))) return null
    if (!file) await deleteUnfinished(folder)
    const path = file ?? join(folder, backupName(new Date()))
    const pictures = await openPictureFiles(config)
    const result = await writeBackup({ ...source, dataDir: config.dataDir, pictures, path })
    if (scheduled) await deleteOldBackups(folder, keep)
    return result
  } finally {
    await source.close()
  }
}

interface Source {
  connection: BulkConnection
  /** Lets the database go before pictures are read, which may take long. */
  close(): Promise<void>
}

/** Null while another backup runs. Throws StartupError without a shop's database. */
async function openSource({ database, dataDir }: Config): Promise<Source | null> {
  if (database.kind === 'server') {
    const connection = await connectInBulk(database.url)
    const [lock] = await connection.run('select pg_try_advisory_lock(1994) as acquired')
    if (lock?.acquired) return { connection, close: connection.close }
    await connection.close()
    return null
  }
  refuseMissingDatabase(dataDir)
  const snapshot = await requestSnapshot(dataDir)
  if (!snapshot) {
    const connection = await openInBulk(dataDir)
    return { connection, close: connection.close }
  }
  const connection = await openFilesInBulk(snapshot.folder)
  return {
    connection,
    async close() {
      await connection.close()
      snapshot.close()
    },
  }
}

export function refuseMissingDatabase(dataDir: string) {
  if (!existsSync(databaseFolder(dataDir)))
    throw new StartupError(`DATA_DIR: ${dataDir} has no database. Set DATA_DIR to the shop’s data folder.`)
}

/** Under a temporary name until it was read again. */
export async function writeBackup({
  connection,
  dataDir,
  pictures,
  path,
}: {
  connection: BulkConnection
  dataDir: string
  pictures: FileStore
  path: string
}): Promise<BackupResult> {
  const secret = await readShopSecret(connection, dataDir)
  const archive = await createArchive(path)
  try {
    const createdAt = new Date().toISOString()
    await archive.add(secretFile, Buffer.from(secret.toString('hex')))
    const content = await archiveTables(connection, archive)
    await archivePictures(pictures, archive)
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    const manifest: Manifest = {
      version,
      createdAt,
      engine: connection.engine,
      ...content,
      files: [...archive.files],
    }
    await archive.add(manifestFile, writeManifest(manifest))
    await archive.finish(verifyBackup)
    return { path, bytes: (await stat(path)).size, manifest }
  } catch (error) {
    await archive.discard()
    throw error
  }
}

async function readShopSecret(connection: BulkConnection, dataDir: string): Promise<Buffer> {
  const migrations = await listMigrations(connection)
  if (migrations.length === 0)
    throw new StartupError(
      `${connection.engine === 'embedded' ? 'DATA_DIR' : 'DATABASE_URL'}: the database has no shop.`,
    )
  const migration = migrations.find((name) => !knownMigrations.includes(name))
  const unknown = migration ?? findUnknownFunction(await listFunctions(connection))
  if (unknown)
    throw new StartupError(
      `The database has a ${migration ? 'migration' : 'function'} that this version doesn’t know: ${unknown}. Use the newer version to back it up.`,
    )
  const secret = findSecret(dataDir)
  const [installed] = await connection.run('select fingerprint from public.installation')
  if (!secret || (installed && installed.fingerprint !== secretFingerprint(secret)))
    throw new StartupError(
      `DATA_DIR: ${dataDir} does not have the secret of this database. Set DATA_DIR to the shop’s data folder.`,
    )
  return secret
}

type Archive = Awaited<ReturnType<typeof createArchive>>

/** All tables as of one moment. */
async function archiveTables(connection: BulkConnection, archive: Archive) {
  const { run } = connection
  await run('begin isolation level repeatable read read only')
  const tables: Manifest['tables'] = []
  for (const table of await listTables(connection)) {
    const digest = digestRows()
    let index = 0
    for await (const rows of readTable(connection, table)) {
      digest.add(rows)
      await archive.add(rowsFile(table.name, index++), rows)
    }
    tables.push({ ...table, ...digest.result() })
  }
  const content = {
    migrations: await listMigrations(connection),
    functions: await listFunctions(connection),
    tables,
    sequences: await readSequences(connection),
  }
  await run('commit')
  return content
}

/** After the tables: pictures are written before rows name them, and deleted hours after the last one did. */
async function archivePictures(pictures: FileStore, archive: Archive) {
  for (const name of await pictures.list()) {
    if (!parseImageUrl(`/images/${name}`)) continue
    const bytes = await pictures.read(name)
    if (bytes) await archive.add(pictureFile(name), bytes)
  }
}
