import { join } from 'node:path'
import { connectInBulk, openInBulk } from '#db/bulk/connection.ts'
import { listMigrations } from '#db/bulk/tables.ts'
import type { ReportProgress } from '#db/migrate.ts'
import { StartupError } from '#db/startup-error.ts'
import { folderStore } from '#providers/images/folder.ts'
import { refuseOtherOwner } from '#providers/images/ownership.ts'
import type { Config } from '#server/config/config.ts'
import { findSecret, pictureOwner } from '#server/config/secrets.ts'
import { openPictureFiles } from '#server/providers.ts'
import { refuseMissingDatabase, writeBackup } from './back-up.ts'
import { backupName } from './files.ts'
import type { Manifest } from './manifest.ts'
import { refuseTarget, restore } from './restore.ts'

const setting = '--to'

/**
 * Copies a stopped embedded shop to a Postgres server by a backup, which stays. Pictures go to the bucket if one is set. Throws an
 * Error with one line.
 */
export async function moveData(
  config: Config,
  to: string,
  report: ReportProgress = () => {},
): Promise<Manifest> {
  const { database, dataDir, backups, images } = config
  if (database.kind === 'server')
    throw new StartupError(
      'DATABASE_URL: leave it empty. The data of DATA_DIR is moved to the server in --to.',
    )
  refuseMissingDatabase(dataDir)
  const path = join(backups.folder, backupName(new Date()))
  const target = await connectInBulk(to, setting)
  try {
    const connection = await openInBulk(dataDir)
    try {
      report('Checking the target …')
      await refuseTarget(target, await listMigrations(connection), setting)
      if (images.kind === 's3') await refuseOtherBucket(config)
      report(`Writing ${path} …`)
      await writeBackup({ connection, dataDir, pictures: folderStore(join(dataDir, 'images')), path })
    } finally {
      await connection.close()
    }
  } finally {
    await target.close()
  }
  return restore({ ...config, database: { kind: 'server', url: to } }, path, report, setting)
}

async function refuseOtherBucket(config: Config) {
  const secret = findSecret(config.dataDir)
  if (!secret) return
  await refuseOtherOwner(await openPictureFiles(config), pictureOwner(secret)).catch((error) => {
    throw new StartupError(`S3_BUCKET: ${error.message}`)
  })
}
