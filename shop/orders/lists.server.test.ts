import { expect, test } from 'vitest'
import { orders } from '#db/schema.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'
import { expireOrders } from './expiry.server.ts'
import { listMyOrders, listOrders } from './lists.server.ts'
import type { OrderQuery } from './order.ts'
import { placeOrder, shipOrder } from './orders.server.ts'

async function setup() {
  const shop = await testShop()
  const part = await createPart(shop)
  const ada = await createUser(shop, 'Ada')
  const place = (quantity: number, orderedPart = part, buyer = ada) =>
    placeOrder(shop, buyer, { ...purchase, partId: orderedPart._id, parts: undefined, quantity })
  // Each order of a test has a different quantity, which identifies it.
  const findQuantities = async (query: Partial<OrderQuery> = {}) =>
    (await listOrders(shop, query)).rows.map((order) => order.quantity)
  return { shop, part, ada, place, findQuantities }
}

test('listOrders returns pages of orders, newest first', async () => {
  const { shop, place, findQuantities } = await setup()
  for (const quantity of [10, 11, 12]) await place(quantity)
  expect(await findQuantities()).toEqual([12, 11, 10])
  expect(await listOrders(shop, { limit: 1, page: 2 })).toMatchObject({ total: 3, rows: [{ quantity: 11 }] })
})

test('the status filter returns only orders of that status', async () => {
  const { shop, ada, place, findQuantities } = await setup()
  await place(10)
  await expireOrders(shop, Date.now() + 100 * 60 * 60 * 1000)
  const [, pending, shipped] = [await place(11), await place(12), await place(13)]
  await payOrderByCard(shop, ada, pending)
  await payOrderByCard(shop, ada, shipped)
  await shipOrder(shop, ada, shipped._id)
  expect(await findQuantities({ status: 'expired' })).toEqual([10])
  expect(await findQuantities({ status: 'unpaid' })).toEqual([11])
  expect(await findQuantities({ status: 'pending' })).toEqual([12])
  expect(await findQuantities({ status: 'shipped' })).toEqual([13])
  expect(await findQuantities()).toEqual([13, 12, 11, 10])
})

test('listOrders sorts by each column in both directions, with creation order as the tie-breaker', async () => {
  const { shop, place, findQuantities } = await setup()
  const expensivePart = await createPart(shop, { name: 'axle', perUnitPrice: 9 })
  const aaron = await createUser(shop, 'aaron')
  await place(13)
  await place(10, expensivePart, aaron)
  await place(11)
  await place(12, expensivePart, aaron)
  const sorted: Record<string, number[]> = {
    added: [13, 10, 11, 12],
    name: [10, 12, 13, 11],
    parts: [10, 12, 13, 11],
    quantity: [10, 11, 12, 13],
    price: [11, 10, 13, 12],
  }
  for (const [key, quantities] of Object.entries(sorted)) {
    const sort = key as NonNullable<OrderQuery['sort']>
    expect(await findQuantities({ sort }), key).toEqual(quantities)
    expect(await findQuantities({ sort: `-${key}` as typeof sort }), `-${key}`).toEqual(
      quantities.toReversed(),
    )
  }
})

test('listOrders searches name, email and part by substring, and order id and transaction id exactly', async () => {
  const { shop, ada, place, findQuantities } = await setup()
  const order = await place(10)
  const { transactionId } = await payOrderByCard(shop, ada, order)
  await place(11, await createPart(shop, { name: '100% Axle' }), await createUser(shop, 'Bob'))
  for (const q of ['aDa', 'ADA@', 'hai', order._id, transactionId!])
    expect(await findQuantities({ q }), q).toEqual([10])
  for (const q of ['Axle', '%']) expect(await findQuantities({ q }), q).toEqual([11])
  for (const q of ['_', order._id.slice(1), transactionId!.slice(0, -1)])
    expect(await findQuantities({ q }), q).toEqual([])
  expect(await findQuantities({ q: 'example', status: 'unpaid' })).toEqual([11])
})

test('listMyOrders supports search, filter, sort and paging', async () => {
  const { shop, part, ada, place } = await setup()
  const bob = await createUser(shop, 'Bob')
  for (const quantity of [12, 10, 11]) await place(quantity)
  const otherOrder = await place(13, part, bob)
  const client = await clientOf(shop, ada)
  const findMine = async (query = {}) => {
    const { rows, total } = await client.listMyOrders({ body: { email: ada.email, ...query } })
    return { quantities: rows.map((order) => order.quantity), total }
  }
  expect(await findMine()).toEqual({ quantities: [11, 10, 12], total: 3 })
  expect(await findMine({ sort: 'quantity', limit: 2 })).toEqual({ quantities: [10, 11], total: 3 })
  expect(await findMine({ sort: 'quantity', limit: 2, page: 2 })).toEqual({ quantities: [12], total: 3 })
  expect(await findMine({ q: 'chain', status: 'unpaid' })).toMatchObject({ total: 3 })
  expect(await findMine({ status: 'pending' })).toMatchObject({ total: 0 })
  for (const q of ['bob', otherOrder._id]) expect(await findMine({ q })).toMatchObject({ total: 0 })
  await expect(findMine({ sort: 'address' })).rejects.toMatchObject({ status: 400 })
})

test('cancelled orders are excluded from every list', async () => {
  const { shop, ada, place, findQuantities } = await setup()
  await place(10)
  await shop.db.update(orders).set({ cancelledAt: new Date().toISOString() })
  for (const query of [{}, { status: 'unpaid' }, { q: 'Ada' }] as const)
    expect(await findQuantities(query)).toEqual([])
  expect(await listMyOrders(shop, ada.email)).toEqual({ rows: [], total: 0 })
})

test('listMyOrders does not return another customer’s orders', async () => {
  const { shop, place } = await setup()
  await place(10)
  const bob = await createUser(shop, 'Bob')
  const client = await clientOf(shop, bob)
  expect(await client.listMyOrders({ body: { email: ' BOB@example.com ' } })).toEqual({ rows: [], total: 0 })
})
