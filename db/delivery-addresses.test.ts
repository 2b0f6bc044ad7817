import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { idempotencyKeys } from './schema.ts'

const beforeAddresses = [
  'drop view purchases cascade',
  'alter table order_lines add column shipping_email_due_at timestamptz',
  'alter table users drop column default_address_id',
  'drop table delivery_addresses',
  'drop trigger copy_to_lines on orders',
  'alter table orders drop column search_text, drop column recipient, drop column company',
  `alter table orders add column search_text text generated always as (fold(name || ' ' || email || ' ' || address)) stored`,
  'create view purchases as select 1 as one',
]

test('the migration to delivery addresses names the customer as recipient of earlier orders, also in stored responses', async () => {
  const shop = await testShop()
  const client = await clientOf(shop, await createUser(shop, 'Ada'))
  const [chain, tyre] = [await createPart(shop), await createPart(shop, { name: 'Tyre' })]
  const lines = [chain, tyre].map(({ _id: partId }) => ({ partId, quantity: 10 }))
  await client.placeOrder({ body: { ...purchase, lines }, key: 'k' })
  await client.placePurchase({ body: { ...purchase, ...lines[0]! }, key: 'k' })
  const readResponses = () => shop.db.select().from(idempotencyKeys).orderBy(idempotencyKeys.key)
  const responses = await readResponses()
  const withoutRecipient = sql`${idempotencyKeys.response} - 'recipient' - 'company'`
  await shop.db.update(idempotencyKeys).set({ response: withoutRecipient })
  await shop.db.execute(sql`update idempotency_keys set response = jsonb_set(response, '{lines}',
    (select jsonb_agg(line - 'recipient' - 'company') from jsonb_array_elements(response->'lines') line))
    where response ? 'lines'`)
  for (const statement of beforeAddresses) await shop.db.execute(sql.raw(statement))

  const migration = readFileSync('db/migrations/0032_delivery_addresses.sql', 'utf8')
  for (const statement of migration.split(/;\n/).filter((part) => part.trim()))
    await shop.db.execute(sql.raw(statement))

  expect(await readResponses()).toEqual(responses)
  expect(await executeRows(shop.db, sql`select distinct recipient, company from purchases`)).toEqual([
    { recipient: 'Ada', company: '' },
  ])
})
