import { readFileSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { shopWithOrder } from '#test/bank.ts'
import { payOrderByCard, purchase } from '#test/shop.ts'
import { idempotencyKeys, orderLines, refunds } from './schema.ts'

const beforeShipments = [
  'drop view purchases cascade',
  'drop table shipment_lines',
  'alter table order_events drop column shipment_id, drop column quantity',
  'drop table shipments',
  `alter table order_lines drop column shipped_quantity, drop column returned_quantity,
    add column shipping_email_due_at timestamptz`,
  'create view purchases as select id from order_lines',
]

test('the migration of shipments gives each shipped item one, and keeps orders, refunds and stored responses', async () => {
  const { shop, part, ada, boss, client, admin, place, order } = await shopWithOrder()
  const { db } = shop
  const body = { ...purchase, partId: part._id, quantity: 10 }
  const [told, waiting, returned] = [
    await place(),
    await place(),
    await client.placePurchase({ body, key: 'a' }),
  ]
  const lines = [{ partId: part._id, quantity: 10 }]
  await client.placeOrder({ body: { ...purchase, lines }, key: 'b' })
  for (const paid of [told, waiting, returned]) await payOrderByCard(shop, ada, paid)
  for (const amount of [1, 2])
    await admin.refundPurchase({
      params: { id: returned._id },
      body: { amount, reason: 'Bent', returned: amount },
    })
  await db.update(refunds).set({ finalRefusal: 'No.' }).where(eq(refunds.amountCents, 100))
  const ids = [order, told, waiting, returned].map(({ _id }) => _id)
  const stored = () =>
    db.select({ response: idempotencyKeys.response }).from(idempotencyKeys).orderBy(idempotencyKeys.key)
  const responses = await stored()

  for (const statement of beforeShipments) await db.execute(sql.raw(statement))
  const due = '2026-05-12T14:05:00.000Z'
  await db.execute(sql`update order_lines set shipped_at = ${due} where id in (${told._id}, ${waiting._id})`)
  await db.execute(sql`update order_lines set shipping_email_due_at = ${due} where id = ${waiting._id}`)
  await db.execute(sql`insert into order_events (order_id, line_id, kind, by, at)
    values (${told._id}, ${told._id}, 'shipped', ${boss._id}, ${due})`)
  await db.execute(sql`update idempotency_keys set response = response - 'shippedQuantity' - 'toShip'`)
  await db.execute(sql`update idempotency_keys
    set response = jsonb_set(response, '{lines,0}', response->'lines'->0 #- '{toShip}' #- '{shippedQuantity}') where key like 'placeOrder:%'`)
  const migration = readFileSync('db/migrations/0034_shipments.sql', 'utf8')
  for (const statement of migration.split(/;\n/).filter((text) => text.trim()))
    await db.execute(sql.raw(statement))
  // As later migrations leave it.
  const later = readFileSync('db/migrations/0072_inquiries_and_refund_shares.sql', 'utf8').split(/;\n/)
  await db.execute(sql`drop view purchases`)
  await db.execute(sql.raw(later.find((text) => text.includes('view purchases'))!))
  for (const name of ['0079_ship_by', '0081_destinations', '0084_charges', '0088_collected']) {
    const latest = readFileSync(`db/migrations/${name}.sql`, 'utf8')
    await db.execute(sql.raw(latest.slice(latest.lastIndexOf('do $$'))))
  }
  await db.execute(sql.raw(readFileSync('db/migrations/0056_lock_order.sql', 'utf8')))

  const rows = await db.select().from(orderLines)
  const counts = ids.map((id) => {
    const { shippedQuantity, returnedQuantity } = rows.find(({ _id }) => _id === id)!
    return [shippedQuantity, returnedQuantity]
  })
  expect(counts).toEqual([
    [0, 0],
    [10, 0],
    [10, 0],
    [0, 2],
  ])
  expect(
    await executeRows(
      db,
      sql`select order_id, line_id, quantity, carrier, by, created_at = ${due} as at_once, email_due_at is not null as waits,
          emailed_at is not null as emailed
        from shipments join shipment_lines on shipment_id = id order by number`,
    ),
  ).toEqual([
    { ...shipped(told), by: boss._id, waits: false, emailed: true },
    { ...shipped(waiting), by: null, waits: true, emailed: false },
  ])
  expect(await client.readPurchase({ params: { id: told._id } })).toMatchObject({ shipping: true, toShip: 0 })
  expect(await client.readPurchase({ params: { id: returned._id } })).toMatchObject({
    refunded: 3,
    toShip: 8,
  })
  expect(await stored()).toEqual(responses)
})

function shipped({ _id }: { _id: string }) {
  return { order_id: _id, line_id: _id, quantity: 10, carrier: null, at_once: true }
}
