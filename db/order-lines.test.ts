import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createDatabase, onServer } from '#test/postgres.ts'
import { openDatabase } from './database.ts'
import type { Database } from './schema.ts'

const sold = `id, number, user_id, part_id, name, email, parts, unit_price, quantity, price, address, phone_number,
  transaction_id, payment_provider, created_at, paid_at, shipped_at, expired_at, cancelled_at`

/** As they were counted before orders had lines. */
const money = `select o.id,
  (select coalesce(-sum(amount_cents), 0)::integer from ledger l where l.order_id = o.id and l.kind in ('refund', 'failed refund')
    and l.payment_id = coalesce(o.transaction_id, l.payment_id)) as refunded,
  (select coalesce(-sum(amount_cents), 0)::integer from ledger l where l.order_id = o.id and l.kind in ('dispute', 'dispute reversal')
    and l.payment_id = coalesce(o.transaction_id, l.payment_id)) as disputed,
  (select coalesce(sum(amount_cents), 0)::integer from refunds r where r.order_id = o.id and r.completed_at is null
    and r.payment_id = coalesce(o.transaction_id, r.payment_id)) as pending
  from orders o`

/** Adds orders in every state; the surplus payment of `paid twice` goes back, and so does a part of `refunded`. */
async function addOrders(db: Pick<Database, 'execute'>, partId: string, userId: string) {
  const states: Record<string, string> = {
    unpaid: 'null, null, null, null, null, null, null',
    expired: 'null, null, null, null, now(), null, null',
    cancelled: 'null, null, null, null, null, now(), null',
    late: 'null, null, null, null, now(), null, null',
    paid: `'pi_paid', 'test bank', now(), null, null, null, null`,
    shipped: `'pi_shipped', 'test bank', now(), now(), null, null, now()`,
    refunded: `'pi_refunded', null, now(), now(), null, null, null`,
    disputed: `'pi_disputed', 'stripe live', now(), null, null, null, null`,
    'paid twice': `'pi_paid twice', 'test bank', now(), null, null, null, null`,
  }
  for (const [id, columns] of Object.entries(states)) {
    await db.execute(
      sql.raw(`insert into orders (id, user_id, part_id, name, email, parts, unit_price, quantity, price, address, phone_number, created_at,
        transaction_id, payment_provider, paid_at, shipped_at, expired_at, cancelled_at, shipping_email_due_at)
        values ('${id}', '${userId}', '${partId}', 'Ada', 'ada@example.com', 'Chain', 7, 10, 70, '1 Hub Road', '5550100', now(), ${columns})`),
    )
  }
  for (const [id, of] of ['paid', 'shipped', 'refunded', 'disputed', 'paid twice', 'late'].map((id) => [
    `pi_${id}`,
    id,
  ]))
    await addPayment(db, id!, of!)
  await addPayment(db, 'pi_surplus', 'paid twice')
  const refund = (
    id: string,
    of: string,
    payment: string,
    { cents, by, done }: { cents: number; by: string; done: string },
  ) =>
    db.execute(
      sql.raw(`insert into refunds (id, order_id, payment_id, amount_cents, reason, restocked, requested_by, created_at, attempted_at, completed_at)
        values ('${id}', '${of}', '${payment}', ${cents}, 'Bent', 0, ${by}, now(), now(), ${done})`),
    )
  await refund('r1', 'refunded', 'pi_refunded', { cents: 2_500, by: `'${userId}'`, done: 'now()' })
  await refund('r2', 'refunded', 'pi_refunded', { cents: 1_000, by: `'${userId}'`, done: 'null' })
  await refund('r3', 'paid twice', 'pi_surplus', { cents: 7_000, by: 'null', done: 'now()' })
  await refund('r4', 'late', 'pi_late', { cents: 7_000, by: 'null', done: 'null' })
  const entries = [
    `'refunded', 'pi_refunded', 're_1', 'refund', -2500, 'r1'`,
    `'refunded', 'pi_refunded', 're_2', 'refund', -50, null`,
    `'refunded', 'pi_refunded', 're_2 failed', 'failed refund', 50, null`,
    `'paid twice', 'pi_surplus', 're_3', 'refund', -7000, 'r3'`,
    `'disputed', 'pi_disputed', 'dp_1', 'dispute', -7000, null`,
  ]
  for (const entry of entries)
    await db.execute(
      sql.raw(
        `insert into ledger (order_id, payment_id, reference, kind, amount_cents, refund_id, at) values (${entry}, now())`,
      ),
    )
  await db.execute(
    sql`insert into order_events (order_id, kind, at) values ('shipped', 'shipped', now()), ('cancelled', 'cancelled', now()), ('expired', 'expired', now())`,
  )
  await db.execute(
    sql`insert into disputes (id, order_id, payment_id, amount_cents, status, reason, created_at) values ('dp_1', 'disputed', 'pi_disputed', 7000, 'open', 'fraudulent', now())`,
  )
}

async function addPayment(db: Pick<Database, 'execute'>, id: string, orderId: string) {
  await db.execute(
    sql`insert into payments (id, order_id, active_at, checked_at, settled_at) values (${id}, ${orderId}, now(), now(), now())`,
  )
  await db.execute(
    sql`insert into ledger (order_id, payment_id, reference, kind, amount_cents, at) values (${orderId}, ${id}, ${id}, 'payment', 7000, now())`,
  )
}

test('a database from before order lines keeps every order, payment and ledger row, and what was refunded', async () => {
  const url = await createDatabase(inject('postgresUrl')!, 'before_lines', 'template1')
  const [partId, userId] = ['part', 'user']
  const stored = { key: 'placePurchase:u:k', fingerprint: 'f', response: { _id: 'paid', price: 70 } }
  const before = await onDatabase(url, async (client) => {
    await migrateUntil(client, '0029')
    await client.query(`insert into parts (id, name, short_description, description, image, brand, category, min_quantity,
      available_quantity, per_unit_price, created_at) values ('${partId}', 'Chain', 's', 'd', 'i', 'b', 'c', 10, 100, 7, now())`)
    await client.query(`insert into users (id, issuer, subject, email, name, role, token_version, created_at)
      values ('${userId}', 'test', 'Ada', 'ada@example.com', 'Ada', 'customer', 0, now())`)
    await addOrders(drizzle(client), partId, userId)
    await client.query(
      `insert into idempotency_keys (key, fingerprint, response, created_at) values ('${stored.key}', 'f', '${JSON.stringify(stored.response)}', now())`,
    )
    return [
      await readRows(client, `select ${sold} from orders`),
      await readUntouched(client),
      await readRows(client, money),
    ]
  })
  expect(before[0]).toHaveLength(9)

  const { close } = await openDatabase({ kind: 'server', url })
  await close()

  await onDatabase(url, async (client) => {
    const read = (query: string) => readRows(client, query)
    const totals = `select id, refunded_cents as refunded, disputed_cents as disputed, pending_refund_cents as pending from purchases`
    expect([
      await read(`select ${sold} from purchases`),
      await readUntouched(client),
      await read(totals),
    ]).toEqual(before)
    expect(await read(`select id from purchases where order_id <> id or position <> 1`)).toEqual([])
    expect(await read(`select id, dispute from purchases where dispute is not null`)).toEqual([
      { id: 'disputed', dispute: 'open' },
    ])
    expect(
      await read(`select id, shipped_quantity as shipped from purchases where shipped_quantity > 0`),
    ).toEqual([
      { id: 'refunded', shipped: 10 },
      { id: 'shipped', shipped: 10 },
    ])
    expect(await read('select response from idempotency_keys')).toMatchObject([
      { response: { ...stored.response, orderId: 'paid', orderPrice: 70, lineCount: 1 } },
    ])
    expect(await read('select kind, order_id as of, line_id from order_events')).toEqual([
      { kind: 'cancelled', of: 'cancelled', line_id: 'cancelled' },
      { kind: 'expired', of: 'expired', line_id: null },
      { kind: 'shipped', of: 'shipped', line_id: 'shipped' },
    ])
    expect(await read(`select id, line_id from refunds`)).toEqual([
      { id: 'r1', line_id: 'refunded' },
      { id: 'r2', line_id: 'refunded' },
      { id: 'r3', line_id: null },
      { id: 'r4', line_id: null },
    ])
  })
  await onServer(inject('postgresUrl')!, 'drop database before_lines')
})

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** As an older version did it. */
async function migrateUntil(client: pg.Client, next: string) {
  await client.query('create table migrations (name text primary key, applied_at timestamptz default now())')
  const older = readdirSync('db/migrations').filter((name) => name < next)
  for (const name of older.sort()) {
    await client.query(readFileSync(`db/migrations/${name}`, 'utf8'))
    await client.query('insert into migrations (name) values ($1)', [name])
  }
}

/** In the order of their first column. */
async function readRows(client: pg.Client, query: string): Promise<Record<string, unknown>[]> {
  return (await client.query(`${query} order by 1`)).rows
}

async function readUntouched(client: pg.Client) {
  const parts = 'id, name, min_quantity, available_quantity, per_unit_price'
  return [
    await readRows(client, 'select * from payments'),
    await readRows(
      client,
      'select id, order_id, payment_id, amount_cents, status, reason, respond_by, created_at, closed_at from disputes',
    ),
    await readRows(client, `select ${parts} from parts`),
    await readRows(
      client,
      'select number, order_id, payment_id, reference, kind, amount_cents, refund_id, at from ledger',
    ),
    await readRows(client, 'select id, amount_cents, completed_at from refunds'),
  ]
}
