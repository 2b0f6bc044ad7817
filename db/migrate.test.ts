import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findParts } from '#shop/parts/search.server.ts'
import { connectToNewDatabase } from '#test/new-database.ts'
import { template } from '#test/postgres.ts'
import { describeTables } from '#test/tables.ts'
import { computeChecksum } from './checksum.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

const files = new Map(
  globSync('db/migrations/*.sql')
    .sort()
    .map((path) => [basename(path), readFileSync(path, 'utf8')] as const),
)
type Edit = [from: RegExp, to: string]

/** A database of an older version, which had other texts in some files. */
async function olderDatabase(
  last: string,
  edits: Record<string, Edit[]>,
  names: Record<string, string> = {},
) {
  const database = await connectToNewDatabase()
  const { client } = database
  await client.query('create table migrations (name text primary key, applied_at timestamptz default now())')
  for (const [name, sql] of files) {
    if (name > last) break
    if (name.includes('_repair')) continue
    const changes = edits[name] ?? []
    for (const [from] of changes) expect(sql.search(from), name).toBeGreaterThanOrEqual(0)
    await client.query(changes.reduce((text, [from, to]) => text.replace(from, to), sql))
    await client.query('insert into migrations (name) values ($1)', [names[name] ?? name])
    if (name === '0002_embedded.sql') await client.query(shopOfTheFirstVersion)
  }
  return database
}

const shopOfTheFirstVersion = `
  insert into users (id, issuer, subject, email, name, created_at) values ('u', 'i', 's', 'ada@example.com', 'Ada', now());
  insert into parts (id, name, short_description, description, image, brand, category, min_quantity, available_quantity,
    per_unit_price, created_at) values ('p', 'Chain', 's', 'd', 'i', 'b', 'c', 1, 40, 7, now());
  insert into orders (id, user_id, part_id, name, email, parts, unit_price, quantity, price, address, phone_number,
    transaction_id, created_at, paid_at, cancelled_at)
  values ('paid', 'u', 'p', 'Ada', 'ada@example.com', 'Chain', 7, 10, 70, 'a', '1', 't', now(), now(), null),
    ('cancelled', 'u', 'p', 'Ada', 'ada@example.com', 'Chain', 7, 20, 140, 'a', '1', null, now(), null, now())`

const withoutInstallation: Record<string, Edit[]> = {
  '0001_shop.sql': [[/create table installation[^;]*;/, '']],
}
const photosByNumber: Record<string, Edit[]> = {
  '0016_photos.sql': [[/on users \(id\)/, 'on users (number)']],
}

async function expectUpToDate({ client, url }: Awaited<ReturnType<typeof connectToNewDatabase>>) {
  await (await openDatabase({ kind: 'server', url })).close()
  const { client: fresh } = await connectToNewDatabase(template)
  expect(await describeTables(client)).toEqual(await describeTables(fresh))
  const orders = 'select id, price, line_count from orders order by id'
  expect((await client.query(orders)).rows).toEqual([
    { id: 'cancelled', price: 0, line_count: 0 },
    { id: 'paid', price: 70, line_count: 1 },
  ])
}

test('data of the first version, and of those whose orders had no price, opens with this version', async () => {
  const older = await olderDatabase('0029_order_lines.sql', {
    ...withoutInstallation,
    ...photosByNumber,
    '0029_order_lines.sql': [
      [/ {2}-- Of the lines that[^\n]*\n[^\n]*\n[^\n]*/, '  drop column price,'],
      [/update orders set price = 0[^;]*;/, ''],
      [/create trigger refund_lines_stay[^;]*;/, ''],
      [/,\s+o.price as order_price, o.line_count\n/, '\n'],
    ],
  })
  await expectUpToDate(older)
})

test('data of versions before a file was renamed, split or changed opens with this version', async () => {
  const edits: Record<string, Edit[]> = {
    ...withoutInstallation,
    ...photosByNumber,
    '0040_place_orders.sql': [
      [
        /$/,
        `create function place_orders(drafts jsonb) returns setof jsonb language sql as 'select drafts';`,
      ],
    ],
    '0044_stock_without_index.sql': [
      [/alter table parts add column[^;]*;/, 'alter table parts set (fillfactor = 80);'],
      [/, min_quantity, available\)/, ')'],
      [/create or replace function.*/s, ''],
    ],
    '0046_overview.sql': [[/$/, 'create index ledger_at on ledger (at, number);']],
  }
  const names = { '0040_place_orders.sql': '0039_place_orders.sql' }
  await expectUpToDate(await olderDatabase('0046_overview.sql', edits, names))
})

test('parts of versions before one way to make words are found, and those with alike names stay', async () => {
  const { client, url } = await olderDatabase('0068_versions.sql', {})
  const names = ['Café Rack', 'CAFE RACK', 'Cafe  Rack', 'WW‑X9 grip', '12×148mm axle']
  for (const name of names)
    await client.query(
      `insert into parts (id, name, short_description, description, image, brand, category, min_quantity, available_quantity,
        per_unit_price, created_at) values ($1, $1, 's', 'd', 'i', 'Élan', 'c', 1, 40, 7, now())`,
      [name],
    )
  const { db, close } = await openDatabase({ kind: 'server', url })
  onTestFinished(close)
  const find = async (q: string) => (await findParts({ db }, { q })).rows.map(({ name }) => name)
  expect(await find('cafe rack')).toEqual(names.slice(0, 3))
  expect(await find('elan 12 x148')).toEqual(names.slice(4))
  const { rows } = await client.query(`update parts set per_unit_price = 8, description = 'e' returning name`)
  expect(rows).toHaveLength(names.length + 1)
  await client.query(`update parts set name = 'Rack' where name = 'CAFE RACK'`)
  await expect(client.query(`update parts set name = 'cafè rack' where name = 'Rack'`)).rejects.toThrow(
    'part_words_name',
  )
})

test('when a migration fails, none of the run stays', async () => {
  const { client, run } = await connectToNewDatabase()
  const broken = new Map([
    ...files,
    ['9998_ok.sql', 'create table ok ()'],
    ['9999_broken.sql', 'select 1 / 0'],
  ])
  await expect(migrate(run, undefined, { migrations: broken })).rejects.toThrow('division by zero')
  expect(await describeTables(client)).toEqual([])
  await migrate(run)
  const before = await describeTables(client)
  await expect(migrate(run, undefined, { migrations: broken })).rejects.toThrow('division by zero')
  expect(await describeTables(client)).toEqual(before)
})

test('a file that was changed after it was applied is refused in one line', async () => {
  const { run } = await connectToNewDatabase(template)
  const name = '0050_reviews_of_parts.sql'
  const changed = new Map(files).set(name, `${files.get(name)} `)
  await expect(migrate(run, undefined, { migrations: changed })).rejects.toThrow(
    `db/migrations/${name} was changed after this database applied it.`,
  )
  const otherLineEndings = new Map([...files].map(([file, sql]) => [file, sql.replaceAll('\n', '\r\n')]))
  await migrate(run, undefined, { migrations: otherLineEndings })
})

test('a migration is repeated after a deadlock, and fails with any other error', async () => {
  const { run } = await connectToNewDatabase()
  let attempts = 0
  const failing = (code: string) => (script: string) => {
    if (script !== added || ++attempts > 2) return run(script)
    throw Object.assign(new Error('failed'), { code })
  }
  const added = 'create table added ()'
  const migrations = new Map([...files, ['9999_added.sql', added]])
  await expect(migrate(failing('55P03'), undefined, { migrations })).rejects.toThrow('failed')
  expect(attempts).toBe(1)
  await migrate(failing('40P01'), undefined, { migrations })
  expect(await run(`select to_regclass('added') as found`)).toEqual([{ found: 'added' }])
})

test('no migration was changed, and each is listed in db/migrations.sha256', () => {
  const sums = [...files].map(([name, sql]) => `${computeChecksum(sql)}  migrations/${name}\n`)
  // A new file: (cd db && sha256sum migrations/*.sql > migrations.sha256)
  expect(readFileSync('db/migrations.sha256', 'utf8')).toBe(sums.join(''))
})

test('a migration leaves what the version before it reads and writes', () => {
  const breaking = [
    /\bdrop (table|column|view|index|function|schema|type)\b/i,
    /\brename (to|column)\b/i,
    /\balter (column )?\w+ (set data )?type\b/i,
    /\bset not null\b/i,
    /\badd column\b(?![^;,]*\b(default|generated)\b)[^;,]*\bnot null\b/i,
  ]
  const last = '0051_saved_views.sql'
  const allowed = [
    // Only in databases of versions before that one.
    '0053_repairs.sql: drop function',
    // Only place_orders called it.
    '0058_check_orders_together.sql: drop function',
    // Applied before this test looked for it.
    '0062_items_to_ship.sql: drop index',
    // The version before lists what is to ship without it for a while.
    '0084_charges.sql: drop index',
  ]
  const found = [...files].flatMap(([name, sql]) =>
    name <= last
      ? []
      : breaking.flatMap(
          (pattern) =>
            pattern
              .exec(sql)
              ?.slice(0, 1)
              .map((text) => `${name}: ${text}`) ?? [],
        ),
  )
  expect(found).toEqual(allowed)
})

test('a migration replaces no function: its text stands in db/functions', () => {
  const last = '0067_part_search.sql'
  const replacing = [...files].filter(([name, sql]) => name > last && /\breplace\s+function\b/i.test(sql))
  expect(replacing.map(([name]) => name)).toEqual([])
})
