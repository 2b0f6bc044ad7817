import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { lockFolder } from '#db/embedded/lock.ts'
import { type OpenDatabase, openDatabase } from './database.ts'

test('a data folder of an older version is migrated, is opened by one process at a time, keeps its data, and holds up nothing', async () => {
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
    await expect(openDatabase({ kind: 'folder', path })).rejects.toThrow('a running shop is using')
    expect(await ticksDuringStatement(db)).toBeGreaterThan(10)
    await close()
  }
})

/** Of the event loop. */
async function ticksDuringStatement(db: OpenDatabase['db']) {
  let isDone = false
  const counting = db.execute(sql`select count(*) from generate_series(1, 1000000)`).finally(() => {
    isDone = true
  })
  let ticks = 0
  for (; !isDone; ticks++) await setImmediate()
  expect(await counting).toMatchObject({ rows: [{ count: '1000000' }] })
  return ticks
}

test('the end of the engine’s thread is a crash', async () => {
  const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  const script = `import { syncBuiltinESMExports } from 'node:module'
    import threads from 'node:worker_threads'
    let thread
    threads.Worker = class extends threads.Worker {
      constructor(file, options) {
        super(file, { ...options, execArgv: [] })
        thread = this
      }
    }
    syncBuiltinESMExports()
    const { startSession } = await import('./db/embedded/engine-connection.ts')
    await startSession(process.argv[1], ({ message }) => console.log(message))
    await thread.terminate()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, path])
  expect(await text(child.stdout)).toBe('its thread has ended\n')
})

test('a released lock can be acquired again', async () => {
  const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  const unlock = lockFolder(path)
  expect(() => lockFolder(path)).toThrow('is using')
  unlock()
  lockFolder(path)()
})

test('a lock holds for every path that reaches the folder, and ends with a killed process', async () => {
  const [path, mount] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'winged-wheels-data-')))
  const script = `import { lockFolder } from './db/embedded/lock.ts'; lockFolder(process.argv[1]); gc(); console.log('locked'); process.stdin.resume()`
  const child = spawn(process.execPath, [
    '--expose-gc',
    '--input-type=module-typescript',
    '--eval',
    script,
    path!,
  ])
  await once(child.stdout, 'data')
  // Like a bind mount or a volume in another container: another path, the same file.
  linkSync(join(path!, 'lock'), join(mount!, 'lock'))
  expect(() => lockFolder(mount!)).toThrow('is using')
  child.kill('SIGKILL')
  await once(child, 'close')
  lockFolder(mount!)()
})

test('a lock file that cannot be opened is reported in one line', () => {
  const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
  mkdirSync(join(path, 'lock'))
  expect(() => lockFolder(path)).toThrow(/^DATA_DIR: cannot lock .*lock \(unable to open database file\)\.$/)
})

test('openDatabase reports an unwritable folder in one line', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'winged-wheels-data-')), 'file')
  writeFileSync(file, '')
  const opening = openDatabase({ kind: 'folder', path: join(file, 'below') })
  await expect(opening).rejects.toThrow(/^DATA_DIR: cannot write to .* \(ENOTDIR\)\.$/)
})

test('an embedded database with missing files is refused in one line, and no new one is written over it', async () => {
  for (const file of ['PG_VERSION', 'global/pg_control']) {
    const path = mkdtempSync(join(tmpdir(), 'winged-wheels-data-'))
    const folder = join(path, 'postgres')
    mkdirSync(join(folder, 'global'), { recursive: true })
    writeFileSync(join(folder, file), '18\n')
    const opening = openDatabase({ kind: 'folder', path })
    await expect(opening).rejects.toThrow(/^DATA_DIR: the database in .* does not open: .*\.$/)
    expect(existsSync(join(folder, 'base'))).toBe(false)
  }
})

test('openDatabase reports an unreachable server in one line', async () => {
  const opening = openDatabase({ kind: 'server', url: 'postgres://shop:secret@127.0.0.1:1/shop' })
  await expect(opening).rejects.toThrow('DATABASE_URL: cannot connect to the database (ECONNREFUSED).')
})

test('the embedded database yields to the event loop between concurrent queries, and runs those that were prepared before one that failed', async () => {
  const { db, checkReady, close } = await openDatabase({ kind: 'memory' })
  let ticks = 0
  let isDone = false
  const count = () => {
    ticks += 1
    if (!isDone) setImmediate().then(count)
  }
  setImmediate().then(count)
  const queries = Array.from({ length: 50 }, () => db.execute(sql`select 1`))
  const transactions = Array.from({ length: 50 }, () => db.transaction((tx) => tx.execute(sql`select 1`)))
  await Promise.all([...queries, ...transactions])
  isDone = true
  expect(ticks).toBeGreaterThan(90)

  const double = (value: unknown) => db.execute(sql`select 2 * ${value}::int as double`)
  await double(4)
  await checkReady()
  for (let i = 0; i < 3; i++) {
    await expect(double('x')).rejects.toThrow()
    await checkReady()
    expect((await double(i)) as object).toMatchObject({ rows: [{ double: 2 * i }] })
  }
  const inside = db.transaction(async (tx) => {
    await tx.execute(sql`select 1 / ${0}::int`)
  })
  await expect(inside).rejects.toThrow()
  expect((await double(21)) as object).toMatchObject({ rows: [{ double: 42 }] })
  await close()
})
