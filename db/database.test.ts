import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { testShop } from '#test/shop.ts'
import { openDatabase } from './database.ts'
import * as embedded from './embedded.ts'
import { lockFolder } from './lock.ts'
import { migrate } from './migrate.ts'
import * as shop from './schema.ts'

const tables = [
  ...Object.values(shop),
  ...Object.values(embedded),
  ...Object.values(embedded.identityTables),
].filter((value) => is(value, PgTable))

test('every table has the columns that the program knows, and no others', async () => {
  const { db } = await testShop()
  expect(tables).toHaveLength(27)
  for (const table of tables) {
    const { schema = 'public' } = getTableConfig(table)
    const known = await db.execute(sql`select column_name from information_schema.columns
      where table_schema = ${schema} and table_name = ${getTableName(table)}
        and is_generated = 'NEVER' order by 1`)
    const columns = (known as unknown as { rows: { column_name: string }[] }).rows.map(
      (row) => row.column_name,
    )
    // Selecting each column by the program's own name for it fails where the database has none.
    await db
      .select()
      .from(table as PgTable)
      .limit(1)
    expect(columns, getTableName(table)).toHaveLength(Object.keys(getTableColumns(table)).length)
  }
})

test('the place of the queue is made before any process makes its tables', async () => {
  const { db } = await testShop()
  const found = await db.execute(sql`select nspname from pg_namespace where nspname = 'jobs'`)
  expect((found as unknown as { rows: unknown[] }).rows).toHaveLength(1)
})

test('the database itself refuses what must never be', async () => {
  const { db } = await testShop()
  const never = [
    `update parts set available_quantity = -1`,
    `insert into users values ('1', 1, 'i', 's', 'Upper@Example.com', 'n', null, 'customer', 0, now())`,
  ]
  await db.execute(sql`insert into parts (id, name, short_description, description, image, brand, category, min_quantity,
    available_quantity, per_unit_price, created_at) values ('1', 'n', 's', 'd', 'i', 'b', 'c', 1, 1, 1, now())`)
  for (const statement of never) await expect(db.execute(statement), statement).rejects.toThrow()
})

test('money and counts are whole numbers in every table', async () => {
  const { db } = await testShop()
  const found = await db.execute(sql`select table_name, column_name from information_schema.columns
    where table_schema in ('public', 'bank') and data_type in ('real', 'double precision', 'numeric', 'money')`)
  expect((found as unknown as { rows: unknown[] }).rows).toEqual([])
})

test('a folder is opened by one process at a time, and keeps what was written', async () => {
  const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  const first = await openDatabase({ kind: 'folder', path })
  await expect(openDatabase({ kind: 'folder', path })).rejects.toThrow(
    'is already running on the data folder',
  )
  await first.db.insert(shop.pictures).values({ url: '/images/a.webp' })
  await first.close()

  const second = await openDatabase({ kind: 'folder', path })
  expect(await second.db.select().from(shop.pictures)).toMatchObject([{ url: '/images/a.webp' }])
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

test('a migration that is there already is not run again, and a newer database is refused', async () => {
  const { db } = await testShop()
  const run = async (script: string) => {
    const result = await db.execute(
      sql.raw(script.replace('begin; ', '').replace(/^(commit|rollback)$/, 'select 1')),
    )
    return (result as unknown as { rows: Record<string, unknown>[] }).rows
  }
  await migrate(run)
  await db.execute(sql`insert into migrations (name) values ('9999_future.sql')`)
  await expect(migrate(run)).rejects.toThrow(
    'The database is newer than this program: it knows 9999_future.sql.',
  )
  await db.execute(sql`delete from migrations where name = '9999_future.sql'`)
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
