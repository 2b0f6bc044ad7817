import { createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createFolder } from '#db/embedded/folder.ts'
import { type Database, installation } from '#db/schema.ts'
import { StartupError } from '#db/startup-error.ts'

/** Creates the secret where there is none. */
export function readSecret(folder: string): Buffer {
  const existing = findSecret(folder)
  if (existing) return existing
  const file = join(folder, 'secret')
  try {
    createSecret(file, randomBytes(32))
  } catch (error) {
    if (!existsSync(file)) throw cannotWrite(folder, error)
  }
  return findSecret(folder)!
}

/** Creates only the folder. Nothing is written when that exists: the disk may be full or read-only. */
export function findSecret(folder: string): Buffer | null {
  try {
    createFolder(folder)
    // Neither a file nor a device may get the folder’s mode.
    readdirSync(folder)
  } catch (error) {
    throw cannotWrite(folder, error)
  }
  closeToOthers(folder)
  const file = join(folder, 'secret')
  if (!existsSync(file)) return null
  const secret = Buffer.from(readFileSync(file, 'utf8'), 'hex')
  if (secret.length !== 32) throw new StartupError(`DATA_DIR: ${file} is damaged. Restore it from a backup.`)
  return secret
}

function cannotWrite(folder: string, error: unknown) {
  return new StartupError(`DATA_DIR: cannot write to ${folder} (${(error as NodeJS.ErrnoException).code}).`)
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
function createSecret(file: string, secret: Buffer) {
  const temporary = `${file}.${randomUUID()}`
  try {
    writeFileSync(temporary, secret.toString('hex'), { mode: 0o600, flush: true })
    linkSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Of a backup. Throws StartupError when the folder has another one. Returns whether it was written. */
export function restoreSecret(folder: string, secret: Buffer): boolean {
  const existing = findSecret(folder)
  if (existing?.equals(secret)) return false
  if (existing)
    throw new StartupError(
      `DATA_DIR: ${folder} has the secret of another shop. Use a new DATA_DIR or, if no shop needs that secret, delete ${join(folder, 'secret')}.`,
    )
  try {
    createSecret(join(folder, 'secret'), secret)
  } catch (error) {
    throw cannotWrite(folder, error)
  }
  return true
}

export function deleteSecret(folder: string) {
  rmSync(join(folder, 'secret'), { force: true })
}

/**
 * The secret of the data folder, which it creates for a new database only. Throws StartupError when the database was created with
 * another one: its signing keys would be unreadable.
 */
export async function claimSecret(db: Database, folder: string): Promise<Buffer> {
  const [known] = await db.select().from(installation)
  if (known && !findSecret(folder)) throw otherSecret(folder)
  const secret = readSecret(folder)
  const fingerprint = secretFingerprint(secret)
  await db.insert(installation).values({ one: true, fingerprint }).onConflictDoNothing()
  const [first] = await db.select().from(installation)
  if (first?.fingerprint !== fingerprint) throw otherSecret(folder)
  return secret
}

export function secretFingerprint(secret: Buffer) {
  return createHash('sha256').update(deriveKey(secret, 'fingerprint')).digest('hex')
}

function otherSecret(folder: string) {
  return new StartupError(
    `DATA_DIR: this database was created with another data folder. Set DATA_DIR to that folder, or copy its file “secret” to ${folder}. If it is lost, run “npm run renew-secret”: everybody will have to sign in again.`,
  )
}

/** The mark of the shop in its bucket. */
export function pictureOwner(secret: Buffer): string {
  return Buffer.from(deriveKey(secret, 'pictures')).toString('hex')
}

export function deriveKey(secret: Buffer, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
