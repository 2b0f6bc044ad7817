import { chmodSync, mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { claimSecret, readSecret } from './secrets.ts'

const emptyFolder = () => mkdtempSync(join(tmpdir(), 'winged-wheels-secret-'))

test('a secret is created once, readable only by its owner, and read afterwards', () => {
  const folder = emptyFolder()
  const secret = readSecret(folder)
  expect(secret).toHaveLength(32)
  expect(readSecret(folder)).toEqual(secret)
  expect(readdirSync(folder)).toEqual(['secret'])
})

test('an existing secret is read without writing to its folder', () => {
  const folder = emptyFolder()
  const secret = readSecret(folder)
  const before = new Date('2020-01-01')
  utimesSync(folder, before, before)
  expect(readSecret(folder)).toEqual(secret)
  expect(statSync(folder).mtime).toEqual(before)
})

test('a folder that others can open is closed to them', () => {
  const folder = emptyFolder()
  chmodSync(folder, 0o777)
  readSecret(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a folder that cannot be created and a damaged secret are reported in one line', () => {
  const file = join(emptyFolder(), 'file')
  writeFileSync(file, '')
  expect(() => readSecret(join(file, 'below'))).toThrow(/^DATA_DIR: cannot write to .* \(ENOTDIR\)\.$/)
  expect(() => readSecret(file)).toThrow(/^DATA_DIR: cannot write to .*\.$/)
  if (process.platform === 'linux')
    expect(() => readSecret('/proc/none/shop')).toThrow(/^DATA_DIR: cannot write to .*\.$/)
  const folder = emptyFolder()
  writeFileSync(join(folder, 'secret'), 'ab')
  expect(() => readSecret(folder)).toThrow(/^DATA_DIR: .*secret is damaged\. .*\.$/)
})

test('a database that was created with another secret is refused, and none is written beside it', async () => {
  const { db } = await testDatabase()
  const folder = emptyFolder()
  const secret = await claimSecret(db, folder)
  expect(await claimSecret(db, folder)).toEqual(secret)
  const wayOut =
    /^DATA_DIR: this database was created with another data folder\. .*copy its file “secret” to .*npm run renew-secret/
  const other = emptyFolder()
  await expect(claimSecret(db, other)).rejects.toThrow(wayOut)
  expect(readdirSync(other)).toEqual([])
  readSecret(other)
  await expect(claimSecret(db, other)).rejects.toThrow(wayOut)

  await db.execute('delete from installation')
  expect(await claimSecret(db, other)).toEqual(readSecret(other))
})
