import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder } from '#db/folder.ts'
import { type Database, installation } from '#db/schema.ts'
import { StartupError } from '#db/startup-error.ts'

export function readSecret(folder: string): Buffer {
  const file = join(folder, 'secret')
  // Nothing is written when it exists: the disk may be full or read-only.
  if (!existsSync(file)) {
    try {
      createFolder(folder)
      createSecret(file)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (!existsSync(file)) throw new StartupError(`DATA_DIR: cannot write to ${folder} (${code}).`)
    }
  }
  closeToOthers(folder)
  const secret = Buffer.from(readFileSync(file, 'utf8'), 'hex')
  if (secret.length !== 32) throw new StartupError(`DATA_DIR: ${file} is damaged. Restore it from a backup.`)
  return secret
}

/** The folder holds the database and the secret. Throws StartupError when it is open to others and belongs to somebody else. */
function closeToOthers(folder: string) {
  if (process.platform === 'win32' || (statSync(folder).mode & 0o077) === 0) return
  try {
    chmodSync(folder, 0o700)
  } catch {
    throw new StartupError(
      `DATA_DIR: other users of this machine can open ${folder}. Have its owner run chmod 700 ${folder}, or use another folder.`,
    )
  }
}

/** Atomic: of two processes that start together one creates the file, and both read it. */
function createSecret(file: string) {
  const temporary = `${file}.${randomUUID()}`
  try {
    writeFileSync(temporary, randomBytes(32).toString('hex'), { mode: 0o600 })
    linkSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

export function deleteSecret(folder: string) {
  rmSync(join(folder, 'secret'), { force: true })
}

/** Throws StartupError when the database was created with another secret: its signing keys would be unreadable. */
export async function checkSecret(db: Database, secret: Buffer) {
  const fingerprint = createHash('sha256').update(deriveKey(secret, 'fingerprint')).digest('hex')
  await db.insert(installation).values({ one: true, fingerprint }).onConflictDoNothing()
  const [first] = await db.select().from(installation)
  if (first?.fingerprint === fingerprint) return
  throw new StartupError(
    'DATA_DIR: this database was created with another data folder. Set DATA_DIR to that folder.',
  )
}

export function deriveKey(secret: Buffer, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
