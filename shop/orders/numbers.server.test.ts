import { expect, test } from 'vitest'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { listPurchases } from './lists.server.ts'
import { placePurchase } from './place.server.ts'

async function setup() {
  const shop = await testShop()
  const part = await createPart(shop, { availableQuantity: 200 })
  const ada = await createUser(shop, 'Ada')
  const body = { ...purchase, partId: part._id, parts: undefined, quantity: 10 }
  return { shop, ada, body }
}

test('orders are numbered from 1001 without gaps, also when an order is rolled back or others are placed at the same time', async () => {
  const { shop, ada, body } = await setup()
  const place = () => placePurchase(shop, ada, body)
  expect((await place()).number).toBe(1001)
  const send = () => Promise.reject(new Error('no mail'))
  await expect(placePurchase({ ...shop, mail: { ...shop.mail, send } }, ada, body)).rejects.toThrow('no mail')
  const placed = await Promise.all(Array.from({ length: 5 }, place))
  expect(placed.map(({ number }) => number).sort()).toEqual([1002, 1003, 1004, 1005, 1006])
})

test('a customer can read and find an order by its number, and nobody else’s', async () => {
  const { shop, ada, body } = await setup()
  const order = await placePurchase(shop, ada, body)
  const client = await clientOf(shop, ada)
  const params = { id: String(order.number) }
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
