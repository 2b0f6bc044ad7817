import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { listPurchases } from '#shop/orders/read/lists.server.ts'
import type { Email } from '#shop/ports.ts'
import { createSettingsMemory } from '#shop/settings/settings-memory.server.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { startOrderNumbersAt } from './order-counter.server.ts'
import { placePurchase } from './place.server.ts'

async function setup({ prefix = '' } = {}) {
  const shop = await testShop()
  const { defaults } = shop.settings
  const numbers = { ...defaults.numbers, order: prefix }
  shop.settings = createSettingsMemory(shop.db, { ...defaults, numbers })
  const part = await createPart(shop, { availableQuantity: 2000 })
  const ada = await createUser(shop, 'Ada')
  const body = { ...purchase, partId: part._id, parts: undefined, quantity: 10 }
  return { shop, ada, body }
}

test('orders placed at the same time are numbered from 1001 without gaps, also when some of them are rolled back', async () => {
  const { shop, ada, body } = await setup()
  // The database refuses the email when the order has its number.
  const toRow = (email: Email) => ({ ...shop.mail.toRow(email), recipient: null as unknown as string })
  const failing = { ...shop, mail: { ...shop.mail, toRow } }
  const attempts = Array.from({ length: 200 }, (_, i) =>
    placePurchase(i % 4 === 0 ? failing : shop, ada, body),
  )
  const placed = (await Promise.allSettled(attempts)).filter((attempt) => attempt.status === 'fulfilled')
  const numbers = placed.map(({ value }) => Number(value.number)).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 150 }, (_, i) => 1001 + i))
})

test('order numbers continue with the first number of the brand, unless an order has a higher one', async () => {
  const { shop, ada, body } = await setup()
  const place = async () => (await placePurchase(shop, ada, body)).number
  await startOrderNumbersAt(shop.db, 5001)
  expect(await place()).toBe('5001')
  await startOrderNumbersAt(shop.db, 5001)
  await startOrderNumbersAt(shop.db, 1001)
  expect(await place()).toBe('5002')
  await startOrderNumbersAt(shop.db, 7001)
  expect(await place()).toBe('7001')
})

test('an order number has the prefix of the brand in the API, lists, emails and documents, and is found with and without it', async () => {
  const { shop, ada, body } = await setup({ prefix: 'WW-' })
  const { _id } = await placePurchase(shop, ada, body)
  const client = await clientOf(shop, ada)
  for (const id of ['WW-1001', 'ww-1001', '1001', _id]) {
    expect(await client.readOrder({ params: { id } }), id).toMatchObject({ _id, number: 'WW-1001' })
  }
  for (const q of ['WW-1001', '#ww-1001', '#1001', '1001', 'WW-10'])
    expect((await listPurchases(shop, { q })).total, q).toBe(1)
  expect((await listPurchases(shop, { q: 'WX-1001' })).total).toBe(0)
  expect(await client.listDocuments({ params: { id: _id } })).toMatchObject([
    { order: 'WW-1001', number: 'WW-1001' },
  ])
  const [email] = await shop.db.select().from(outbox)
  expect(email!.subject).toContain('#WW-1001')
})

test('a customer can read and find an order by its number, and nobody else’s', async () => {
  const { shop, ada, body } = await setup()
  const order = await placePurchase(shop, ada, body)
  const client = await clientOf(shop, ada)
  const params = { id: order.number }
  expect((await client.readPurchase({ params }))._id).toBe(order._id)
  expect(await client.readTimeline({ params })).toMatchObject([{ kind: 'placed' }])
  for (const q of ['1001', '#1001']) expect((await listPurchases(shop, { q })).total, q).toBe(1)
  expect((await listPurchases(shop, { q: '101' })).total).toBe(0)

  const stranger = await clientOf(shop, await createUser(shop, 'Bela'))
  await expect(stranger.readPurchase({ params })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.readTimeline({ params })).rejects.toMatchObject({ status: 404 })
  // Only reading accepts a number.
  await expect(client.cancelPurchase({ params })).rejects.toMatchObject({ status: 404 })
})
