import { sql } from 'drizzle-orm'
import { openDatabase } from '#db/database.ts'
import { executeRows } from '#db/driver/rows.ts'
import { identityTables } from '#db/embedded.ts'
import { type Database, installation } from '#db/schema.ts'
import { refuseRunningShops } from '#db/server/running-shops.ts'
import { releaseOwnership } from '#providers/images/ownership.ts'
import { retryGivenUp } from '#providers/mail/retry.ts'
import type { Config } from '#server/config/config.ts'
import {
  deleteSecret,
  findSecret,
  pictureOwner,
  readSecret,
  secretFingerprint,
} from '#server/config/secrets.ts'
import { openPictureFiles } from '#server/providers.ts'
import { countDemoData, removeDemoData } from './demo-data.ts'

/** Deletes the demo's data and the secret of its sessions when `confirmed`; otherwise only counts the rows. */
export function removeDemo(config: Config, confirmed: boolean) {
  return withDatabase(config, async (db) => {
    const counts = await countDemoData(db)
    if (confirmed) {
      await releaseSecret(config, db)
      await removeDemoData(db)
    }
    return { counts, removed: confirmed }
  })
}

/** Creates another secret, which the database accepts alone from then on, and deletes what only the old one can read. */
export function renewSecret(config: Config): Promise<void> {
  return withDatabase(config, async (db) => {
    await releaseSecret(config, db)
    const fingerprint = secretFingerprint(readSecret(config.dataDir))
    await db.transaction(async (tx) => {
      await tx.delete(identityTables.jwks)
      await tx.delete(installation)
      await tx.insert(installation).values({ one: true, fingerprint })
    })
  })
}

/** Returns how many emails that were given up are sent again. */
export function retryEmails(config: Config): Promise<number> {
  return withDatabase(config, retryGivenUp)
}

/** Until the database has the fingerprint of another one, no shop starts. May be repeated when what follows fails. */
async function releaseSecret(config: Config, db: Database) {
  await refuseRunningShops((statement) => executeRows(db, sql.raw(statement)))
  const secret = findSecret(config.dataDir)
  if (secret && config.images.kind === 's3')
    await releaseOwnership(await openPictureFiles(config), pictureOwner(secret))
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
