import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import { shopWithOrder, unknownPayment } from '#test/bank.ts'
import { connectToNewDatabase } from '#test/new-database.ts'
import { template } from '#test/postgres.ts'
import { payOrderByCard } from '#test/shop.ts'
import { describeTables } from '#test/tables.ts'
import { computeChecksum } from './checksum.ts'
import { currentFunctions, readFunctions } from './functions.ts'
import { knownMigrations, migrate } from './migrate.ts'

const texts = new Map(
  globSync('db/functions/*.sql')
    .sort()
    .map((path) => [basename(path, '.sql'), readFileSync(path, 'utf8')] as const),
)
const history = readFileSync('db/functions.sha256', 'utf8')
const listed = history
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split('  ') as [checksum: string, path: string])

/** The functions of a version with another text of `refuse`, and one more. */
function newerVersion() {
  const changed = texts.get('refuse')!.replace('is only added to', 'only grows')
  const added = `create or replace function added() returns integer language sql return 1;\n`
  const lines = [changed, added].map((text) => `${computeChecksum(text)}  functions/any.sql\n`)
  return readFunctions(new Map([...texts, ['refuse', changed], ['added', added]]), history + lines.join(''))
}

async function newDatabase() {
  const { client, run } = await connectToNewDatabase(template)
  const ran: string[] = []
  const start = (functions = currentFunctions, migrations?: Map<string, string>) =>
    migrate(
      (script) => {
        ran.push(script)
        return run(script)
      },
      undefined,
      { functions, ...(migrations && { migrations }) },
    )
  const listApplied = () => run('select name, checksum from functions order by name collate "C"')
  return { client, run, ran, start, listApplied }
}

test('the text of each function is the last one that db/functions.sha256 lists', () => {
  const last = new Map(listed.map(([checksum, path]) => [path, checksum]))
  const missing = [...texts]
    .filter(([name, text]) => last.get(`functions/${name}.sql`) !== computeChecksum(text))
    .map(([name]) => `(cd db && sha256sum functions/${name}.sql >> functions.sha256)`)
  expect(missing, 'Run these commands').toEqual([])
})

test('no text in db/functions.sha256 comes back, as an older version would undo it', () => {
  const checksums = listed.map(([checksum]) => checksum)
  expect(checksums.filter((checksum, i) => checksums.indexOf(checksum) !== i)).toEqual([])
})

const functionsOfTheShop = `from pg_proc p join pg_namespace n on n.oid = pronamespace
  where nspname in ('public', 'identity', 'bank') and prokind = 'f'
    and not exists (select from pg_depend d where d.objid = p.oid and deptype = 'e')`

/** Only processes of the version before call them: a later version drops them. */
const superseded = ['place_orders', 'refuse_what_is_taken', 'words_of', 'write_orders']

test('db/functions creates each function of the database once, by its name', async () => {
  const { run } = await newDatabase()
  const rows = await run(
    `select concat(nullif(nspname, 'public') || '.', proname) as name ${functionsOfTheShop} order by 1`,
  )
  const created = [...texts].map(([name, text]) => {
    const [views, functions] = [
      /^create or replace view (\w+) /gm,
      /^create or replace function ([\w.]+)\(/gm,
    ].map((created) => [...text.matchAll(created)].map(([, found]) => found!))
    expect([...views!, ...functions!], `db/functions/${name}.sql`).toContain(name)
    return functions!
  })
  expect(rows.map(({ name }) => name)).toEqual([...created.flat(), ...superseded].sort())
})

test('all functions applied again leave the database as it was', async () => {
  const { client, run, start } = await newDatabase()
  const before = await describeTables(client)
  await run('delete from functions')
  await start()
  expect(await describeTables(client)).toEqual(before)
})

test('a function is applied again when its text has changed, and no other is', async () => {
  const { ran, start, listApplied } = await newDatabase()
  await start()
  expect(ran.filter((script) => script.includes('create or replace function'))).toEqual([])
  const newer = newerVersion()
  await start(newer)
  expect(ran.filter((script) => script.includes('create or replace function'))).toEqual([
    newer.texts.get('refuse'),
    newer.texts.get('added'),
  ])
  const checksums = [...newer.texts].map(([name, text]) => ({ name, checksum: computeChecksum(text) }))
  expect(await listApplied()).toEqual(checksums.sort((one, other) => (one.name < other.name ? -1 : 1)))
})

test('what a function keeps is computed again when its text has changed', async () => {
  const { shop, ada, order, expectConsistent } = await shopWithOrder()
  const surplus = await unknownPayment(shop, order, 60)
  await settlePayment(shop, (await shop.payments.find(surplus))!)
  await payOrderByCard(shop, ada, order)
  const start = () =>
    migrate(async (script) => {
      const text = script.replace(/^(begin;.*|commit|rollback)$/, 'select 1')
      return executeRows(shop.db, sql.raw(text))
    })
  // As the text before kept it: the refund of the surplus payment with the item that was cancelled.
  await shop.db.execute(sql`update order_lines set refunded_cents = 6000 where id <> ${order._id}`)
  await shop.db.execute(sql`update orders set refunded_cents = 6000`)
  const list = sql`select refunded_cents from order_lines order by position`
  await start()
  expect(await executeRows(shop.db, list)).toEqual([{ refunded_cents: 6000 }, { refunded_cents: 0 }])
  const [older] = listed.find(([, path]) => path === 'functions/update_refund_totals.sql')!
  const outdate = sql`update functions set checksum = ${older} where name = 'update_refund_totals' returning name`
  expect(await executeRows(shop.db, outdate)).toHaveLength(1)
  await start()
  expect(await executeRows(shop.db, list)).toEqual([{ refunded_cents: 0 }, { refunded_cents: 0 }])
  await expectConsistent()
})

test('all functions are applied again after a backup was loaded', async () => {
  const { run, start, listApplied } = await newDatabase()
  const before = await listApplied()
  await migrate(run, undefined, { only: new Set(knownMigrations) })
  expect(await listApplied()).toEqual([])
  await start()
  expect(await listApplied()).toEqual(before)
})

test('other line endings are no change of a function', async () => {
  const { ran, start } = await newDatabase()
  const windows = new Map([...texts].map(([name, text]) => [name, text.replaceAll('\n', '\r\n')]))
  await start(readFunctions(windows, history.replaceAll('\n', '\r\n')))
  expect(ran.filter((script) => script.includes('create or replace function'))).toEqual([])
})

test('a database with a newer text of a function, or a newer function, is refused', async () => {
  const { run, start, listApplied } = await newDatabase()
  await start(newerVersion())
  const applied = await listApplied()
  const refusal = (name: string) =>
    `The database has a function that this version doesn’t know: ${name}. Deploy the newer version, or restore an older backup.`
  await expect(start()).rejects.toThrow(/doesn’t know: (added|refuse)\./)
  expect(await listApplied()).toEqual(applied)
  await run(`delete from functions where name = 'added'`)
  await expect(start()).rejects.toThrow(refusal('refuse'))
})

test('when a function fails, neither it nor a migration of the same start stays', async () => {
  const { client, start } = await newDatabase()
  const before = await describeTables(client)
  const files = globSync('db/migrations/*.sql').sort()
  const migrations = new Map(files.map((path) => [basename(path), readFileSync(path, 'utf8')]))
  migrations.set('9999_added.sql', 'create table added ()')
  const failing = new Map([
    ...texts,
    ['refuse', texts.get('refuse')!.replace('is only added to', 'only grows')],
    ['zero', 'select 1 / 0'],
  ])
  await expect(start(readFunctions(failing, history), migrations)).rejects.toThrow('division by zero')
  expect(await describeTables(client)).toEqual(before)
})

test('a function that a column or an index is made of never changes its text', async () => {
  const { run } = await newDatabase()
  const rows = await run(`select distinct proname ${functionsOfTheShop} and exists (
    select from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
      and (d.classid = 'pg_attrdef'::regclass or d.classid = 'pg_class'::regclass)) and provolatile = 'i' order by 1`)
  const direct = rows.map(({ proname }) => String(proname))
  expect(direct).toContain('searchable')
  // What the words of parts are stored by.
  const used = new Set([...direct, 'weigh_part_words', 'name_key', 'name_order'])
  // Also what these call: a set goes on with what is added meanwhile.
  for (const user of used)
    for (const name of texts.keys()) if (texts.get(user)?.includes(`${name}(`)) used.add(name)
  expect([...used]).toEqual(expect.arrayContaining(['plain_words', 'cut_words', 'fold_text']))
  // It got a search path, and returns the same.
  const changedOnce = ['cut_into_vector']
  for (const name of [...used].filter((name) => texts.has(name)))
    expect(
      listed.filter(([, path]) => path === `functions/${name}.sql`),
      name,
    ).toHaveLength(changedOnce.includes(name) ? 2 : 1)
})
