import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from '#db/cannot-start.ts'

/** The demo's one secret, made at the first start and kept, so that sessions and tokens outlive a restart. */
export function readSecret(folder: string): Buffer {
  const file = join(folder, 'secret')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // 'wx': of two processes that start together one writes, and both read what it wrote.
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new CannotStart(`DATA_DIR: cannot write to ${folder} (${code}).`)
  }
  const secret = Buffer.from(readFileSync(file, 'utf8'), 'hex')
  if (secret.length !== 32) throw new CannotStart(`DATA_DIR: ${file} is damaged.`)
  return secret
}

/** A key for one purpose: knowing one of them tells nothing about another. */
export function deriveKey(secret: Buffer, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32))
}
