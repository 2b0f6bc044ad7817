import { join } from 'node:path'
import { openInBulk } from '#db/bulk/connection.ts'
import type { ReportProgress } from '#db/migrate.ts'
import { StartupError } from '#db/startup-error.ts'
import { folderStore } from '#providers/images/folder.ts'
import type { Config } from '#server/config.ts'
import { writeBackup } from './back-up.ts'
import { backupName } from './files.ts'
import type { Manifest } from './manifest.ts'
import { restore } from './restore.ts'

/**
 * Copies a stopped embedded shop to a Postgres server by a backup, which stays. Pictures go to the bucket if one is set. Throws an
 * Error with one line.
 */
export async function moveData(
  config: Config,
  to: string,
  report: ReportProgress = () => {},
): Promise<Manifest> {
  const { database, dataDir, backups } = config
  if (database.kind === 'server')
    throw new StartupError(
      'DATABASE_URL: leave it empty. The data of DATA_DIR is moved to the server in --to.',
    )
  const path = join(backups.folder, backupName(new Date()))
  report(`Writing ${path} …`)
  const connection = await openInBulk(dataDir)
  try {
    await writeBackup({ connection, dataDir, pictures: folderStore(join(dataDir, 'images')), path })
  } finally {
    await connection.close()
  }
  return restore({ ...config, database: { kind: 'server', url: to } }, path, report)
}
