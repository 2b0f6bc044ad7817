import { readdirSync, readFileSync } from 'node:fs'
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { maintainTables } from '#db/embedded/maintenance.ts'
import { dropTestDatabase } from '#test/database.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { computeChecksum } from './checksum.ts'
import * as embedded from './embedded.ts'
import { currentFunctions } from './functions.ts'
import { migrate } from './migrate.ts'
import * as schema from './schema.ts'

const tables = [
  ...Object.values(schema),
  ...Object.values(embedded),
  ...Object.values(embedded.identityTables),
].filter((value) => is(value, PgTable))

/** For a test that changes tables. */
async function ownShop() {
  // Maintenance may have been done in the one of the tests before.
  await dropTestDatabase()
  onTestFinished(() => dropTestDatabase())
  return testShop()
}

test('every table has exactly the columns of the Drizzle schema', async () => {
  const { db } = await testShop()
  expect(tables).toHaveLength(73)
  for (const table of tables) {
    const { schema: name = 'public' } = getTableConfig(table)
    const known = await db.execute(sql`select column_name from information_schema.columns
      where table_schema = ${name} and table_name = ${getTableName(table)}
        and is_generated = 'NEVER' order by 1`)
    const columns = (known as unknown as { rows: { column_name: string }[] }).rows.map(
      (row) => row.column_name,
    )
    // Fails when the database lacks a column of the schema.
    await db
      .select()
      .from(table as PgTable)
      .limit(1)
    expect(columns, getTableName(table)).toHaveLength(Object.keys(getTableColumns(table)).length)
  }
})

test('the migrations create the schema of the job queue', async () => {
  const { db } = await testShop()
  const found = await db.execute(sql`select nspname from pg_namespace where nspname = 'jobs'`)
  expect((found as unknown as { rows: unknown[] }).rows).toHaveLength(1)
})

test('the database rejects negative stock and upper-case emails', async () => {
  const { db } = await testShop()
  const invalidStatements = [
    `update parts set available_quantity = -1`,
    `insert into users values ('1', 1, 'i', 's', 'Upper@Example.com', 'n', null, 'customer', 0, now())`,
  ]
  await db.execute(sql`insert into parts (id, name, short_description, description, image, brand, category, min_quantity,
    available_quantity, per_unit_price, created_at) values ('1', 'n', 's', 'd', 'i', 'b', 'c', 1, 1, 1, now())`)
  for (const statement of invalidStatements) await expect(db.execute(statement), statement).rejects.toThrow()
})

test('fold drops case and accents', async () => {
  const { db } = await testShop()
  const found = await db.execute(
    sql`select fold('YILMAZ Yılmaz Chloé ÅNGSTRÖM Łódź Straße Ørsted İzmir 100%') as folded`,
  )
  expect((found as unknown as { rows: unknown[] }).rows).toEqual([
    { folded: 'yilmaz yilmaz chloe angstrom lodz strasse orsted izmir 100%' },
  ])
})

test('statements that are sent at once have their own results, and are part of no transaction', async () => {
  const { db } = await testShop()
  const divide = (by: number) => db.execute(sql`select 6 / ${by}::int as result`)
  const results = await Promise.allSettled([divide(1), divide(0), divide(3)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ value: { rows: [{ result: 2 }] } })

  const add = (on: Pick<typeof db, 'execute'>, key: string) =>
    on.execute(sql`insert into bank.requests (key, request, request_id, created) values (${key}, '', '', 0)`)
  const isBegun = Promise.withResolvers<void>()
  const others = isBegun.promise.then(() => Promise.all([add(db, 'other 1'), add(db, 'other 2')]))
  const refused = db.transaction(async (tx) => {
    await add(tx, 'first')
    isBegun.resolve()
    await add(tx, 'second')
    throw new Error('rolled back')
  })
  await expect(refused).rejects.toThrow('rolled back')
  await others
  expect(await executeRows(db, sql`select key from bank.requests order by key`)).toEqual([
    { key: 'other 1' },
    { key: 'other 2' },
  ])
})

test('maintenance counts the rows of tables that have changed much, the first time of all, and leaves the others alone', async () => {
  const { db } = await ownShop()
  const { $client: pool } = db as unknown as { $client: pg.Pool }
  const counted = async () =>
    executeRows(
      db,
      sql`select relname, reltuples from pg_class where relname in ('order_events', 'webhook_events') order by 1`,
    )
  const add = (count: number) =>
    db.execute(
      sql`insert into webhook_events (id, created_at) select gen_random_uuid(), now() from generate_series(1, ${count}::int)`,
    )
  const maintain = async (all = false) => {
    // Otherwise a session reports its changes at most once a second.
    await db.execute(sql`select pg_stat_force_next_flush()`)
    await maintainTables(pool, { all })
  }
  await add(40)
  await maintain()
  const [before] = await counted()
  await add(2_000)
  await maintain()
  expect(await counted()).toEqual([before, { relname: 'webhook_events', reltuples: 2_040 }])
  expect(before).toEqual({ relname: 'order_events', reltuples: -1 })
  await maintain(true)
  expect(await counted()).toMatchObject([{ reltuples: 0 }, { reltuples: 2_040 }])
})

test('what indexes, generated columns and checks compute needs no search path, since vacuuming and restoring leave it empty', async () => {
  const { db } = await ownShop()
  const { rows } = (await db.execute(sql`select distinct used.oid::regprocedure::text as name
    from pg_depend join pg_proc used on used.oid = refobjid join pg_language l on l.oid = used.prolang
    where refclassid = 'pg_proc'::regclass
      and classid in ('pg_class'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass)
      and lanname in ('sql', 'plpgsql') and used.provolatile = 'i'
      and prosqlbody is null and not array_to_string(coalesce(proconfig, '{}'), ',') like '%search_path=%'`)) as unknown as {
    rows: { name: string }[]
  }
  expect(rows).toEqual([])
  await db.execute(sql`insert into messages (id, number, name, email, phone, message, created_at, latest_at)
    values ('m', 1, 'Ada', 'ada@example.com', '', 'Do you have these?', now(), now())`)
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local search_path to pg_catalog, pg_temp`)
    await tx.execute(sql`analyze public.messages`)
    await tx.execute(sql`reindex table public.messages`)
  })
})

test('the migration of confirmed emails takes over only what an identity provider verified', async () => {
  const { db } = await ownShop()
  await db.execute(sql`drop table email_confirmations`)
  await db.execute(sql`drop function unconfirm_email cascade`)
  await db.execute(sql`alter table users drop column email_confirmed_at cascade`)
  await db.execute(sql`insert into identity.users (id, name, email, email_verified, created_at, updated_at) values
    ('g', 'Google', 'g@example.com', true, now(), now()), ('p', 'Password', 'p@example.com', false, now(), now())`)
  await db.execute(sql`insert into users (id, number, issuer, subject, email, name, created_at) values
    ('1', 1, 'winged-wheels', 'g', 'g@example.com', 'Google', now()),
    ('2', 2, 'winged-wheels', 'p', 'p@example.com', 'Password', now()),
    ('3', 3, 'elsewhere', 'g', 'f@example.com', 'Firebase', now())`)
  const migration = readFileSync('db/migrations/0015_email_confirmation.sql', 'utf8')
  for (const statement of migration.split(/;\n(?!end| {2})/)) await db.execute(sql.raw(statement))
  const found = await db.execute(sql`select id from users where email_confirmed_at is not null`)
  expect((found as unknown as { rows: unknown[] }).rows).toEqual([{ id: '1' }])
})

test('the migration of order numbers counts old orders from 1001 by their time of creation', async () => {
  const { db } = await ownShop()
  await db.execute(sql`alter table orders alter column number drop default`)
  await db.execute(sql`drop function next_order_number`)
  await db.execute(sql`drop table order_counter`)
  await db.execute(sql`create sequence orders_number_seq`)
  await db.execute(sql`alter table orders add column part_id text, add column parts text, add column unit_price integer,
    add column quantity integer`)
  await db.execute(sql`insert into users (id, number, issuer, subject, email, name, created_at)
    values ('u', 1, 'i', 's', 'a@example.com', 'Ada', now())`)
  await db.execute(sql`insert into parts (id, name, short_description, description, image, brand, category, min_quantity,
    available_quantity, per_unit_price, created_at) values ('p', 'n', 's', 'd', 'i', 'b', 'c', 1, 9, 1, now())`)
  const order = (
    id: string,
    number: number,
    createdAt: string,
  ) => sql`insert into orders (id, number, user_id,
    part_id, name, email, parts, unit_price, quantity, price, address, phone_number, created_at)
    values (${id}, ${number}, 'u', 'p', 'Ada', 'a@example.com', 'n', 1, 1, 1, 'a', '1', ${createdAt})`
  await db.execute(order('second', 1001, '2026-02-02'))
  await db.execute(order('third', 9, '2026-02-02T00:00:01Z'))
  await db.execute(order('first', 40, '2026-01-01'))
  const migration = readFileSync('db/migrations/0020_order_numbers.sql', 'utf8')
  for (const statement of migration.split(/;\n(?!end| {2})/)) await db.execute(sql.raw(statement))
  await db.insert(schema.idempotencyKeys).values({ key: 'k', fingerprint: 'f', response: { _id: 'third' } })
  await db.execute(sql.raw(readFileSync('db/migrations/0021_numbers_of_stored_responses.sql', 'utf8')))
  expect((await db.select().from(schema.idempotencyKeys))[0]!.response).toEqual({
    _id: 'third',
    number: 1003,
  })
  const { number: _, ...copy } = (await db.select().from(schema.orders))[0]!
  await db.insert(schema.orders).values({ ...copy, _id: 'fourth' })
  const found = await db.select().from(schema.orders).orderBy(schema.orders.number)
  expect(found.map(({ _id, number }) => [_id, number])).toEqual([
    ['first', 1001],
    ['second', 1002],
    ['third', 1003],
    ['fourth', 1004],
  ])
})

test('the migration of part numbers numbers old parts in the order in which they were added, and new ones after them', async () => {
  const { db } = await ownShop()
  await db.execute(sql`alter table parts drop column part_number cascade, drop column multiple cascade, drop column carton_size,
    drop column price_breaks`)
  await db.execute(sql`drop function next_part_number`)
  await db.execute(sql`drop sequence part_numbers`)
  await db.execute(sql`create index parts_facets on parts (brand)`)
  await db.execute(sql`drop trigger report_update on parts`)
  await db.execute(sql`drop trigger search_added_part on parts`)
  await db.execute(sql`drop trigger add_part_to_words on parts`)
  const add = (id: string, number: number, deletedAt: string | null) =>
    db.execute(sql`insert into parts (id, number, name, short_description, description, image, brand, category,
      min_quantity, available_quantity, per_unit_price, created_at, deleted_at)
      values (${id}, ${number}, ${id}, 's', 'd', 'i', 'b', 'c', 1, 1, 1, now(), ${deletedAt})`)
  await add('second', 8, '2026-01-01')
  await add('third', 9, null)
  await add('first', 3, null)
  const migration = readFileSync('db/migrations/0027_quantity_rules.sql', 'utf8')
  for (const statement of migration.split(/;\n(?!end| {2}|begin)/)) await db.execute(sql.raw(statement))
  await add('fourth', 10, null)
  const found = await db.select().from(schema.parts).orderBy(schema.parts.number)
  const rules = { multiple: 1, cartonSize: null, priceBreaks: [] }
  expect(found.map(({ _id, partNumber }) => [_id, partNumber])).toEqual([
    ['first', 'WW-1001'],
    ['second', 'WW-1002'],
    ['third', 'WW-1003'],
    ['fourth', 'WW-1004'],
  ])
  for (const part of found) expect(part).toMatchObject(rules)
})

test('the migration of event names renames stored events and tasks', async () => {
  const shop = await ownShop()
  const { db } = shop
  const client = await clientOf(shop, await createUser(shop, 'Ada'))
  const { _id: partId } = await createPart(shop)
  const { _id } = await client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  await db.execute(sql`alter table order_events drop constraint order_events_kind_check`)
  await db.execute(sql`insert into order_events (order_id, kind, at) values (${_id}, 'taken again', now())`)
  await db.execute(sql`insert into payment_tasks (id, order_id, kind, reference, detail, created_at)
    values ('t', ${_id}, 'unknown currency', 'pi', 'd', now())`)
  await db.execute(sql`alter table order_events add constraint order_events_kind_check check (kind <> '')`)
  const migration = readFileSync('db/migrations/0025_event_names.sql', 'utf8')
  for (const statement of migration.split(/;\n/).filter((part) => part.trim()))
    await db.execute(sql.raw(statement))
  expect((await db.select().from(schema.orderEvents)).map(({ kind }) => kind)).toEqual(['reserved again'])
  expect((await db.select().from(schema.paymentTasks)).map(({ kind }) => kind)).toEqual([
    'unsupported currency',
  ])
})

test('the stock of a part is in no index, so that orders leave the indexes of parts as they are', async () => {
  const { db } = await testShop()
  const found = await executeRows(
    db,
    sql`select indexname from pg_indexes where tablename = 'parts' and indexdef like '%available_quantity%'`,
  )
  expect(found).toEqual([])
})

test('no table stores money or counts in a fractional type', async () => {
  const { db } = await testShop()
  const found = await db.execute(sql`select table_name, column_name from information_schema.columns
    where table_schema in ('public', 'bank') and data_type in ('real', 'double precision', 'numeric', 'money')
      -- What parts measure.
      and table_name not in ('part_attributes', 'filter_values')`)
  expect((found as unknown as { rows: unknown[] }).rows).toEqual([])
})

test('migrate skips applied migrations and rejects a newer database', async () => {
  const { db } = await testShop()
  const run = async (script: string) => {
    const result = await db.execute(sql.raw(script.replace(/^(begin;.*|commit|rollback)$/, 'select 1')))
    return (result as unknown as { rows: Record<string, unknown>[] }).rows
  }
  await migrate(run)
  await db.execute(sql`insert into migrations (name) values ('9999_future.sql')`)
  await expect(migrate(run)).rejects.toThrow(
    'The database has a migration that this version doesn’t know: 9999_future.sql.',
  )
  await db.execute(sql`delete from migrations where name = '9999_future.sql'`)
})

test('migrate reports each migration, a new database once, and that it waits for another process', async () => {
  const names = readdirSync('db/migrations').sort()
  const today = [...currentFunctions.texts].map(([name, text]) => ({ name, checksum: computeChecksum(text) }))
  const listSteps = async (applied: string[], acquired: boolean, checksums = today) => {
    const steps: (string | undefined)[] = []
    const run = async (script: string) => {
      if (script.includes('pg_try_advisory')) return [{ acquired }]
      if (script.endsWith('from functions')) return checksums
      return script.startsWith('select name') ? applied.map((name) => ({ name })) : []
    }
    await migrate(run, (step) => steps.push(step))
    return steps
  }
  const count = names.length
  expect(await listSteps(names.slice(0, -2), true)).toEqual([
    `Applying migration ${count - 1} of ${count} …`,
    `Applying migration ${count} of ${count} …`,
  ])
  const changed = today.map((row, i) => (i === 0 ? { ...row, checksum: currentFunctions.known[1]! } : row))
  expect(new Set(await listSteps(names, true, changed))).toEqual(
    new Set(['Updating the functions of the database …', undefined]),
  )
  expect(new Set(await listSteps([], true, []))).toEqual(new Set(['Creating the database …']))
  expect(await listSteps(names, false)).toEqual(['Waiting for another process to migrate the database …'])
})
