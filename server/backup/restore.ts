import { type BulkConnection, connectInBulk, openInBulk } from '#db/bulk/connection.ts'
import { loadTables, refuseUsedDatabase } from '#db/bulk/load.ts'
import { listMigrations } from '#db/bulk/tables.ts'
import { migrate, type ReportProgress } from '#db/migrate.ts'
import { refuseRunningShops } from '#db/server/running-shops.ts'
import { StartupError } from '#db/startup-error.ts'
import { formats } from '#providers/images/encode.ts'
import type { FileStore } from '#providers/images/file-store.ts'
import { parseImageUrl } from '#providers/images/image-url.ts'
import { claimOwnership } from '#providers/images/ownership.ts'
import type { Config } from '#server/config/config.ts'
import { deleteSecret, pictureOwner, restoreSecret } from '#server/config/secrets.ts'
import { openPictureFiles } from '#server/providers.ts'
import { describeFile, readArchive } from './archive.ts'
import { type Manifest, pictureFile, pictureIn, tableIn, verifyBackup } from './manifest.ts'

/**
 * Into an empty database, which `setting` names; reads back all that it writes. Throws an Error with one line, and then leaves the
 * database empty.
 */
export async function restore(
  config: Config,
  file: string,
  report: ReportProgress = () => {},
  setting = config.database.kind === 'server' ? 'DATABASE_URL' : 'DATA_DIR',
): Promise<Manifest> {
  report('Checking the backup …')
  const backup = await verifyBackup(file)
  const { database, dataDir, images } = config
  const connection =
    database.kind === 'server' ? await connectInBulk(database.url, setting) : await openInBulk(dataDir)
  try {
    await refuseTarget(connection, backup.migrations, setting)
    await migrate(connection.run, report, { only: new Set(backup.migrations) })
    const isNewSecret = restoreSecret(dataDir, backup.secret)
    const pictures = await openPictureFiles(config)
    const added: string[] = []
    try {
      if (images.kind === 's3') await claimOwnership(pictures, pictureOwner(backup.secret))
      await restorePictures(file, backup, pictures, added, report)
      await loadTables(connection, { ...backup, rows: readRows(file), setting }, report)
    } catch (error) {
      for (const name of added) await pictures.remove(name)
      if (isNewSecret) deleteSecret(dataDir)
      throw error
    }
    // A backup of an older version.
    await migrate(connection.run, report)
    return backup
  } finally {
    await connection.close()
  }
}

/** Throws StartupError for a database in use, and for one with later tables than those of the migrations. */
export async function refuseTarget(
  connection: BulkConnection,
  migrations: string[],
  setting: string,
): Promise<void> {
  await refuseRunningShops(connection.run, setting)
  await refuseUsedDatabase(connection, setting)
  const newer = (await listMigrations(connection)).find((name) => !migrations.includes(name))
  if (newer)
    throw new StartupError(
      `${setting}: the target’s empty tables have the migration ${newer}, which is later than the data. Use a new ${connection.engine === 'embedded' ? 'folder' : 'database'}.`,
    )
}

async function* readRows(file: string) {
  for await (const { name, bytes } of readArchive(file)) {
    const table = tableIn(name)
    if (table) yield { table, rows: bytes }
  }
}

/** Adds the names of new pictures to `added`. */
async function restorePictures(
  file: string,
  { files }: Manifest,
  pictures: FileStore,
  added: string[],
  report: ReportProgress,
) {
  const hashes = new Map(files.map(({ name, sha256 }) => [name, sha256]))
  const isRestored = (name: string, bytes: Uint8Array | null) =>
    bytes !== null && describeFile(name, bytes).sha256 === hashes.get(pictureFile(name))
  for await (const { name: path, bytes } of readArchive(file)) {
    const name = pictureIn(path)
    const image = name && parseImageUrl(`/images/${name}`)
    if (!image) continue
    report('Restoring the pictures …')
    const existing = await pictures.read(name)
    if (isRestored(name, existing)) continue
    if (!existing) added.push(name)
    await pictures.write(name, { bytes, type: formats[image.variant?.format ?? 'webp'].type })
    if (!isRestored(name, await pictures.read(name)))
      throw new StartupError(`The restored picture ${name} differs from the backup. Nothing was restored.`)
  }
}
