import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/rows.ts'
import { createPart, createUser, testShop } from '#test/shop.ts'
import { type Database, idempotencyKeys } from './schema.ts'

const beforeLines = [
  'drop view purchases',
  'drop table refund_lines',
  'alter table refunds drop column line_id',
  'alter table order_events drop column line_id, drop column shipment_id, drop column quantity',
  'drop table shipment_lines',
  'drop table shipments',
  'drop table order_lines',
  `alter table orders drop column line_count, drop constraint orders_price_check, add column part_id text, add column parts text,
    add column unit_price integer, add column quantity integer, add column transaction_id text, add column payment_provider text, add column paid_at timestamptz,
    add column expired_at timestamptz, add column cancelled_at timestamptz, add column shipped_at timestamptz,
    add column shipping_email_due_at timestamptz`,
]

const sold = `id, number, user_id, part_id, name, email, parts, unit_price, quantity, price, address, phone_number,
  transaction_id, payment_provider, created_at, paid_at, shipped_at, expired_at, cancelled_at, shipping_email_due_at`

/** As they were counted before orders had lines. */
const money = `select o.id,
  (select coalesce(-sum(amount_cents), 0)::integer from ledger l where l.order_id = o.id and l.kind in ('refund', 'failed refund')
    and l.payment_id = coalesce(o.transaction_id, l.payment_id)) as refunded,
  (select coalesce(-sum(amount_cents), 0)::integer from ledger l where l.order_id = o.id and l.kind in ('dispute', 'dispute reversal')
    and l.payment_id = coalesce(o.transaction_id, l.payment_id)) as disputed,
  (select coalesce(sum(amount_cents), 0)::integer from refunds r where r.order_id = o.id and r.completed_at is null
    and r.payment_id = coalesce(o.transaction_id, r.payment_id)) as pending
  from orders o order by o.number`

/** Adds orders in every state; the surplus payment of `paid twice` goes back, and so does a part of `refunded`. */
async function addOrders(db: Database, partId: string, userId: string) {
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

async function addPayment(db: Database, id: string, orderId: string) {
  await db.execute(
    sql`insert into payments (id, order_id, active_at, checked_at, settled_at) values (${id}, ${orderId}, now(), now(), now())`,
  )
  await db.execute(
    sql`insert into ledger (order_id, payment_id, reference, kind, amount_cents, at) values (${orderId}, ${id}, ${id}, 'payment', 7000, now())`,
  )
}

test('the migration to order lines keeps every order, payment and ledger row, and what was refunded', async () => {
  const shop = await testShop()
  const { db } = shop
  const [{ _id: partId }, { _id: userId }] = [await createPart(shop), await createUser(shop, 'Ada')]
  for (const statement of beforeLines) await db.execute(sql.raw(statement))
  await addOrders(db, partId, userId)
  const read = (query: string) => executeRows<Record<string, unknown>>(db, sql.raw(query))
  const untouched = () =>
    Promise.all(
      ['payments', 'disputes', 'parts']
        .map((table) => read(`select * from ${table} order by id`))
        .concat([
          read('select * from ledger order by number'),
          read('select id, amount_cents, completed_at from refunds order by number'),
        ]),
    )
  const before = [
    await read(`select ${sold} from orders order by number`),
    await untouched(),
    await read(money),
  ]
  expect(before[0]).toHaveLength(9)

  const stored = { key: 'placePurchase:u:k', fingerprint: 'f', response: { _id: 'paid', price: 70 } }
  await db.insert(idempotencyKeys).values(stored)

  const migration = readFileSync('db/migrations/0029_order_lines.sql', 'utf8')
  for (const statement of migration.split(/;\n/).filter((part) => part.trim()))
    await db.execute(sql.raw(statement))

  const after = `select id, refunded_cents as refunded, disputed_cents as disputed, pending_refund_cents as pending from purchases order by number`
  expect([
    await read(`select ${sold} from purchases order by number`),
    await untouched(),
    await read(after),
  ]).toEqual(before)
  expect(await db.select({ response: idempotencyKeys.response }).from(idempotencyKeys)).toEqual([
    { response: { ...stored.response, orderId: 'paid', orderPrice: 70, lineCount: 1 } },
  ])
  expect(await read(`select id from purchases where order_id <> id or position <> 1`)).toEqual([])
  expect(await read('select kind, line_id from order_events order by number')).toEqual([
    { kind: 'shipped', line_id: 'shipped' },
    { kind: 'cancelled', line_id: 'cancelled' },
    { kind: 'expired', line_id: null },
  ])
  expect(await read(`select id, line_id from refunds order by id`)).toEqual([
    { id: 'r1', line_id: 'refunded' },
    { id: 'r2', line_id: 'refunded' },
    { id: 'r3', line_id: null },
    { id: 'r4', line_id: null },
  ])
})
