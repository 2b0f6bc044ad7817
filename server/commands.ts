import { sql } from 'drizzle-orm'
import { openDatabase } from '#db/database.ts'
import { identityTables } from '#db/embedded.ts'
import { executeRows } from '#db/rows.ts'
import { refuseRunningShops } from '#db/running-shops.ts'
import { type Database, installation } from '#db/schema.ts'
import { releaseOwnership } from '#providers/images/ownership.ts'
import { retryGivenUp } from '#providers/mail/retry.ts'
import type { Config } from './config.ts'
import { countDemoData, removeDemoData } from './demo-data.ts'
import { openPictureFiles } from './providers.ts'
import { deleteSecret } from './secrets.ts'

/** Deletes the demo's data and the secret of its sessions when `confirmed`; otherwise only counts the rows. */
export function removeDemo(config: Config, confirmed: boolean) {
  return withDatabase(config, async (db) => {
    const counts = await countDemoData(db)
    if (confirmed) await replaceSecret(config, db, () => removeDemoData(db))
    return { counts, removed: confirmed }
  })
}

/** Deletes the secret and what only it can read; the next start creates another one. */
export function renewSecret(config: Config): Promise<void> {
  return withDatabase(config, (db) =>
    replaceSecret(config, db, () =>
      db.transaction(async (tx) => {
        await tx.delete(installation)
        await tx.delete(identityTables.jwks)
      }),
    ),
  )
}

/** Returns how many emails that were given up are sent again. */
export function retryEmails(config: Config): Promise<number> {
  return withDatabase(config, retryGivenUp)
}

/** `remove` deletes what the secret has signed. May be repeated when it fails. */
async function replaceSecret(config: Config, db: Database, remove: () => Promise<void>) {
  await refuseRunningShops((statement) => executeRows(db, sql.raw(statement)))
  // Its mark is derived from the secret.
  if (config.images.kind === 's3') await releaseOwnership(await openPictureFiles(config))
  await remove()
  deleteSecret(config.dataDir)
}

async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(config.database)
  try {
    return await work(db)
  } finally {
    await close()
  }
}
