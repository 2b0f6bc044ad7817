import { expect, test } from 'vitest'
import { orders } from '#db/schema.ts'
import { clientOf, createUser, pay, purchase, somePart, testShop } from '#test/shop.ts'
import { expireOrders } from './expiry.server.ts'
import { listMyOrders, listOrders } from './lists.server.ts'
import type { OrderQuery } from './order.ts'
import { placeOrder, shipOrder } from './orders.server.ts'

async function scene() {
  const shop = await testShop()
  const part = await somePart(shop)
  const ada = await createUser(shop, 'Ada')
  const place = (quantity: number, which = part, buyer = ada) =>
    placeOrder(shop, buyer, { ...purchase, partId: which._id, parts: undefined, quantity })
  /** The quantities of the orders that are found: each order of a test has its own. */
  const found = async (query: Partial<OrderQuery> = {}) =>
    (await listOrders(shop, query)).rows.map((order) => order.quantity)
  return { shop, part, ada, place, found }
}

test('orders are listed newest first and by page', async () => {
  const { shop, place, found } = await scene()
  for (const quantity of [10, 11, 12]) await place(quantity)
  expect(await found()).toEqual([12, 11, 10])
  expect(await listOrders(shop, { limit: 1, page: 2 })).toMatchObject({ total: 3, rows: [{ quantity: 11 }] })
})

test('an order is in the list of its state alone', async () => {
  const { shop, ada, place, found } = await scene()
  await place(10)
  await expireOrders(shop, Date.now() + 100 * 60 * 60 * 1000)
  const [, pending, shipped] = [await place(11), await place(12), await place(13)]
  await pay(shop, ada, pending)
  await pay(shop, ada, shipped)
  await shipOrder(shop, ada, shipped._id)
  expect(await found({ status: 'expired' })).toEqual([10])
  expect(await found({ status: 'unpaid' })).toEqual([11])
  expect(await found({ status: 'pending' })).toEqual([12])
  expect(await found({ status: 'shipped' })).toEqual([13])
  expect(await found()).toEqual([13, 12, 11, 10])
})

test('orders are sorted by each column, both ways, and those that are alike by when they were added', async () => {
  const { shop, place, found } = await scene()
  const dear = await somePart(shop, { name: 'axle', perUnitPrice: 9 })
  const aaron = await createUser(shop, 'aaron')
  await place(13)
  await place(10, dear, aaron)
  await place(11)
  await place(12, dear, aaron)
  const sorted: Record<string, number[]> = {
    added: [13, 10, 11, 12],
    name: [10, 12, 13, 11],
    parts: [10, 12, 13, 11],
    quantity: [10, 11, 12, 13],
    price: [11, 10, 13, 12],
  }
  for (const [key, quantities] of Object.entries(sorted)) {
    const sort = key as NonNullable<OrderQuery['sort']>
    expect(await found({ sort }), key).toEqual(quantities)
    expect(await found({ sort: `-${key}` as typeof sort }), `-${key}`).toEqual(quantities.toReversed())
  }
})

test('an order is found by a piece of its name, email or part, and by its whole id or transaction id', async () => {
  const { shop, ada, place, found } = await scene()
  const order = await place(10)
  const { transactionId } = await pay(shop, ada, order)
  await place(11, await somePart(shop, { name: '100% Axle' }), await createUser(shop, 'Bob'))
  for (const q of ['aDa', 'ADA@', 'hai', order._id, transactionId!])
    expect(await found({ q }), q).toEqual([10])
  for (const q of ['Axle', '%']) expect(await found({ q }), q).toEqual([11])
  for (const q of ['_', order._id.slice(1), transactionId!.slice(0, -1)])
    expect(await found({ q }), q).toEqual([])
  expect(await found({ q: 'example', status: 'unpaid' })).toEqual([11])
})

test('somebody’s own orders are searched, filtered, sorted and paged in the same way', async () => {
  const { shop, part, ada, place } = await scene()
  const bob = await createUser(shop, 'Bob')
  for (const quantity of [12, 10, 11]) await place(quantity)
  const strange = await place(13, part, bob)
  const client = await clientOf(shop, ada)
  const mine = async (query = {}) => {
    const { rows, total } = await client.listMyOrders({ body: { email: ada.email, ...query } })
    return { quantities: rows.map((order) => order.quantity), total }
  }
  expect(await mine()).toEqual({ quantities: [11, 10, 12], total: 3 })
  expect(await mine({ sort: 'quantity', limit: 2 })).toEqual({ quantities: [10, 11], total: 3 })
  expect(await mine({ sort: 'quantity', limit: 2, page: 2 })).toEqual({ quantities: [12], total: 3 })
  expect(await mine({ q: 'chain', status: 'unpaid' })).toMatchObject({ total: 3 })
  expect(await mine({ status: 'pending' })).toMatchObject({ total: 0 })
  for (const q of ['bob', strange._id]) expect(await mine({ q })).toMatchObject({ total: 0 })
  await expect(mine({ sort: 'address' })).rejects.toMatchObject({ status: 400 })
})

test('a cancelled order is in no list', async () => {
  const { shop, ada, place, found } = await scene()
  await place(10)
  await shop.db.update(orders).set({ cancelledAt: new Date().toISOString() })
  for (const query of [{}, { status: 'unpaid' }, { q: 'Ada' }] as const)
    expect(await found(query)).toEqual([])
  expect(await listMyOrders(shop, ada.email)).toEqual({ rows: [], total: 0 })
})

test('nobody sees somebody else’s orders among their own', async () => {
  const { shop, place } = await scene()
  await place(10)
  const bob = await createUser(shop, 'Bob')
  const client = await clientOf(shop, bob)
  expect(await client.listMyOrders({ body: { email: ' BOB@example.com ' } })).toEqual({ rows: [], total: 0 })
})
