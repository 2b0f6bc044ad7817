import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import { lockFolder } from './lock.ts'
import { pictures } from './schema.ts'

test('a folder is opened by one process at a time, and keeps what was written', async () => {
  const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  const first = await openDatabase({ kind: 'folder', path })
  await expect(openDatabase({ kind: 'folder', path })).rejects.toThrow(
    'is already running on the data folder',
  )
  await first.db.insert(pictures).values({ url: '/images/a.webp' })
  await first.close()

  const second = await openDatabase({ kind: 'folder', path })
  expect(await second.db.select().from(pictures)).toMatchObject([{ url: '/images/a.webp' }])
  await second.close()
})

test('a folder that an older version made keeps its parts, and they can be searched', async () => {
  const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  const old = await PGlite.create(join(path, 'postgres'))
  await old.exec('create table migrations (name text primary key, applied_at timestamptz default now())')
  for (const name of ['0001_shop.sql', '0002_embedded.sql']) {
    await old.exec(readFileSync(`db/migrations/${name}`, 'utf8'))
    await old.query('insert into migrations (name) values ($1)', [name])
  }
  await old.exec(`insert into parts (id, name, short_description, description, image, brand, category, min_quantity,
    available_quantity, per_unit_price, created_at) values ('1', 'Chain', 's', 'd', 'i', 'b', 'c', 1, 1, 1, now())`)
  await old.close()

  const found = sql`select name, word from parts, search_words where search @@ 'chain' and word like 'chain'`
  for (const _ of ['migrated', 'reopened']) {
    const { db, close } = await openDatabase({ kind: 'folder', path })
    expect(await db.execute(found)).toMatchObject({ rows: [{ name: 'Chain', word: 'chain' }] })
    await close()
  }
})

test('a lock that was let go is free', async () => {
  const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  const lock = await lockFolder(path)
  await expect(lockFolder(path)).rejects.toThrow('already running')
  await new Promise((resolve) => lock.close(resolve))
  const again = await lockFolder(path)
  again.close()
})

test('a folder that cannot be written is named in one line', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'winged-wheels-data-')), 'file')
  writeFileSync(file, '')
  const opening = openDatabase({ kind: 'folder', path: join(file, 'below') })
  await expect(opening).rejects.toThrow(/^DATA_DIR: cannot write to .* \(ENOTDIR\)\.$/)
})

test('a server that does not answer is named in one line', async () => {
  const opening = openDatabase({ kind: 'server', url: 'postgres://shop:secret@127.0.0.1:1/shop' })
  await expect(opening).rejects.toThrow('DATABASE_URL: the database does not answer (ECONNREFUSED).')
})

test('many questions at once let others in between', async () => {
  const { db, close } = await openDatabase({ kind: 'memory' })
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const asked = Array.from({ length: 50 }, () => db.execute(sql`select 1`))
  const changed = Array.from({ length: 50 }, () => db.transaction((tx) => tx.execute(sql`select 1`)))
  await Promise.all([...asked, ...changed])
  isDone = true
  expect(turns).toBeGreaterThan(90)
  await close()
})
