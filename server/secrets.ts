import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, installation } from '#db/schema.ts'
import { StartupError } from '#db/startup-error.ts'

/** The demo's one secret, made at the first start and kept, so that sessions and tokens outlive a restart. */
export function readSecret(folder: string): Buffer {
  const file = join(folder, 'secret')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    make(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new StartupError(`DATA_DIR: cannot write to ${folder} (${code}).`)
  }
  const secret = Buffer.from(readFileSync(file, 'utf8'), 'hex')
  if (secret.length !== 32) throw new StartupError(`DATA_DIR: ${file} is damaged.`)
  return secret
}

/** Whole or not at all: of two processes that start together one makes it, and both read the same. */
function make(file: string) {
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    linkSync(unfinished, file)
  } finally {
    rmSync(unfinished)
  }
}

/** Throws CannotStart when the database was made with another secret: its signing keys would be lost to this one. */
export async function checkSecret(db: Database, secret: Buffer) {
  const fingerprint = createHash('sha256').update(deriveKey(secret, 'fingerprint')).digest('hex')
  await db.insert(installation).values({ one: true, fingerprint }).onConflictDoNothing()
  const [first] = await db.select().from(installation)
  if (first?.fingerprint === fingerprint) return
  throw new StartupError(
    'DATA_DIR: this database was made with another data folder. Processes that share one share both.',
  )
}

/** A key for one purpose: knowing one of them tells nothing about another. */
export function deriveKey(secret: Buffer, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
