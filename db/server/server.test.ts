import { sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/database.ts'
import { executeRows } from '#db/driver/rows.ts'
import { pictures } from '#db/schema.ts'
import { isUnavailable } from '#shop/errors.ts'
import { createDatabase, onServer, template } from '#test/postgres.ts'

const server = inject('postgresUrl')!

/** `close` comes first. */
async function newDatabase({ from = template, settings = [] as string[] } = {}) {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = await createDatabase(server, name, from)
  onTestFinished(() => onServer(server, `drop database ${name} with (force)`))
  const set = (setting: string) => onServer(server, `alter database ${name} set ${setting}`)
  for (const setting of settings) await set(setting)
  const open = (connections = 2) => openDatabase({ kind: 'server', url, connections })
  return { name, url, set, open }
}

test('a database with other defaults of dates, time zone and transactions is used like any other', async () => {
  const settings = [
    "datestyle = 'SQL, DMY'",
    "default_transaction_isolation = 'serializable'",
    'standard_conforming_strings = off',
    "timezone = 'Europe/Berlin'",
  ]
  const { open } = await newDatabase({ settings })
  const { db, close } = await open()
  const rows = await executeRows(
    db,
    sql`select date '2026-11-25'::text as date, current_setting('transaction_isolation') as isolation, '\\' as text,
      current_setting('timezone') as zone`,
  )
  await close()
  expect(rows).toEqual([{ date: '2026-11-25', isolation: 'read committed', text: '\\', zone: 'UTC' }])
})

test('no statement is compiled before it is run, however long the database expects it to take', async () => {
  const { open } = await newDatabase({ settings: ['jit = on', 'jit_above_cost = 0'] })
  const { db, close } = await open()
  const plan = await executeRows(db, sql`explain select sum(n) from generate_series(1, 100) n`)
  await close()
  expect(JSON.stringify(plan)).toContain('Aggregate')
  expect(JSON.stringify(plan)).not.toContain('JIT')
})

test('a database that has become read-only is not ready, and what would change it is refused as unavailable', async () => {
  const { name, set, open } = await newDatabase()
  const { db, checkReady, close } = await open()
  await checkReady()
  await set('default_transaction_read_only = on')
  await onServer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await expect.poll(() => checkReady().catch((error) => error.message)).toBe('The database is read-only.')
  const change = () => db.transaction((tx) => tx.insert(pictures).values({ url: '/images/a.webp' }))
  await expect(change()).rejects.toSatisfy((error) => isUnavailable(error as Error))
  await expect(open()).rejects.toThrow('DATABASE_URL: the database is read-only.')

  // The connection that was refused is closed.
  await set('default_transaction_read_only = off')
  await change()
  await close()
})

test('a database that a newer version has migrated is not ready, and is again once the newer version is undone', async () => {
  const { open } = await newDatabase()
  const { db, checkReady, close } = await open()
  await db.execute(sql`insert into migrations (name) values ('9999_newer.sql')`)
  await expect(checkReady()).rejects.toThrow('A newer version has migrated the database.')
  await db.execute(sql`delete from migrations where name = '9999_newer.sql'`)
  await checkReady()
  const changed = sql`update functions set checksum = ${'0'.repeat(64)} where name = 'refuse' returning name`
  expect(await executeRows(db, changed)).toHaveLength(1)
  await expect(checkReady()).rejects.toThrow('A newer version has migrated the database.')
  await close()
})

test('no more connections are opened than a database allows, so that requests wait for one', async () => {
  const { name, open } = await newDatabase()
  await onServer(server, `alter database ${name} connection limit 3`)
  const { db, close } = await open(20)
  const counted = sql`select count(*)::int as count from pg_stat_activity
    where datname = ${name} and backend_type = 'client backend'`
  const results = await Promise.all(
    Array.from({ length: 20 }, () => executeRows<{ count: number }>(db, counted)),
  )
  expect(Math.max(...results.map(([row]) => row!.count))).toBe(2)
  await close()
})

test('a server without room for another connection is unavailable', () => {
  const error = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
  expect(isUnavailable(error)).toBe(true)
})

test('a database with an encoding that lacks characters is refused in one line', async () => {
  const { open } = await newDatabase({ from: "template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'" })
  await expect(open()).rejects.toThrow(/^DATABASE_URL: the database has the encoding SQL_ASCII\./)
})

test.each([
  ['sslmode=prefer', 'sslmode must be disable, require, verify-ca or verify-full.'],
  [
    'sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
    'sslrootcert cannot be read: /nowhere/ca.pem (ENOENT).',
  ],
  ['sslmode=verify-ca', 'sslmode=verify-ca requires sslrootcert, the file of the CA’s certificate.'],
  ['sslmode=require', 'the server does not offer TLS.'],
])('DATABASE_URL with %s is refused in one line', async (query, problem) => {
  const error = await openDatabase({ kind: 'server', url: `${server}?${query}` }).catch((thrown) => thrown)
  expect([error.name, error.message.split('\n').length]).toEqual(['StartupError', 1])
  expect(error.message).toContain(`DATABASE_URL: ${problem}`)
})

test('a database that does not exist, lacks rights or has tables of another program is refused in one line', async () => {
  const { name, url } = await newDatabase({ from: 'template0' })
  const user = `user_${name}`
  await onServer(server, `create user ${user}`)
  onTestFinished(() => onServer(server, `drop user ${user}`))
  const refusalOf = (change: Partial<URL>) =>
    openDatabase({ kind: 'server', url: Object.assign(new URL(url), change).href }).catch(String)
  const refused = 'StartupError: DATABASE_URL: the'
  expect(await refusalOf({ pathname: 'nothing' })).toMatch(`${refused} server has no database “nothing”. `)
  expect(await refusalOf({ username: 'nobody' })).toMatch(`${refused} server refused the user “nobody”`)
  expect(await refusalOf({ username: user })).toMatch(`${refused} user lacks rights in the database`)
  await onServer(url, 'create table users (login text)')
  expect(await refusalOf({})).toMatch(`${refused} database has tables of another program`)
})
