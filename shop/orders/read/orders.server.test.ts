import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orders, parts } from '#db/schema.ts'
import { placePurchase } from '#shop/orders/place/place.server.ts'
import { shipPurchase } from '#shop/orders/ship/shipments.server.ts'
import {
  clientOf,
  copyOrder,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  readStock,
  testShop,
} from '#test/shop.ts'
import { listPurchases } from './lists.server.ts'

async function setup(part = {}, options = {}) {
  const shop = await testShop(options)
  return { shop, part: await createPart(shop, part), ada: await createUser(shop, 'Ada') }
}

test('placePurchase computes the price on the server as quantity times unit price', async () => {
  const { shop, part, ada } = await setup()
  const order = await placePurchase(shop, ada, {
    ...purchase,
    partId: part._id,
    parts: undefined,
    quantity: 10,
  })
  expect(order).toMatchObject({
    parts: 'Chain',
    quantity: 10,
    price: 70,
    paid: false,
    shipping: false,
    email: ada.email,
  })
})

test('placePurchase counts only the digits of a phone number and stores it as typed, without outer spaces', async () => {
  const { shop, part, ada } = await setup()
  const client = await clientOf(shop, ada)
  const place = (phoneNumber: string) =>
    client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10, phoneNumber } })
  expect((await place('  +49 (170) 987-654 ')).phoneNumber).toBe('+49 (170) 987-654')
  expect((await place('0170-987 65-43')).phoneNumber).toBe('0170-987 65-43')
  await expect(place('+49 170 9876543')).rejects.toMatchObject({
    status: 400,
    fields: { phoneNumber: ['Phone Number must be 11 digit.'] },
  })
})

test('placePurchase subtracts the quantity from the stock', async () => {
  const { shop, part, ada } = await setup()
  await placePurchase(shop, ada, { ...purchase, partId: part._id, parts: undefined, quantity: 10 })
  expect(await readStock(shop, part)).toBe(40)
})

test('placePurchase finds a part by its exact name when no id is sent', async () => {
  const { shop, ada } = await setup()
  const client = await clientOf(shop, ada)
  expect(await client.placePurchase({ body: { ...purchase, parts: 'Chain', quantity: 10 } })).toMatchObject({
    price: 70,
  })
  const other = client.placePurchase({ body: { ...purchase, parts: 'Chai', quantity: 10 } })
  await expect(other).rejects.toMatchObject({ status: 404, message: 'This part is no longer for sale.' })
})

test('placePurchase rejects a quantity out of bounds with the form’s message and leaves the stock unchanged', async () => {
  const { shop, part, ada } = await setup()
  const client = await clientOf(shop, ada)
  const order = (quantity: number) =>
    client.placePurchase({ body: { ...purchase, partId: part._id, quantity } })
  await expect(order(9)).rejects.toMatchObject({
    status: 400,
    fields: { quantity: ['Purchase atleast minimum 10 quantity.'] },
  })
  for (const quantity of [51, 1e9]) {
    await expect(order(quantity)).rejects.toMatchObject({
      status: 400,
      fields: { quantity: ["Purchase can't be higher than 50 available quantity."] },
    })
  }
  for (const quantity of [0, -5]) await expect(order(quantity)).rejects.toMatchObject({ status: 400 })
  expect(await readStock(shop, part)).toBe(50)
})

test('placePurchase rejects an order above $999,999', async () => {
  const { shop, part, ada } = await setup({ perUnitPrice: 100_000 })
  const order = (await clientOf(shop, ada)).placePurchase({
    body: { ...purchase, partId: part._id, quantity: 10 },
  })
  await expect(order).rejects.toMatchObject({
    status: 400,
    fields: { quantity: ['An order can total at most $999,999.'] },
  })
})

test('placePurchase rejects a stale price and reports the current one', async () => {
  const { shop, part, ada } = await setup()
  const client = await clientOf(shop, ada)
  await shop.db.update(parts).set({ perUnitPrice: 8 }).where(eq(parts._id, part._id))
  const order = client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10, price: 70 } })
  await expect(order).rejects.toMatchObject({ status: 409, message: 'The price is now $80.' })
  expect(await readStock(shop, part)).toBe(50)
})

test('a deleted part cannot be ordered, but an unpaid order of it can be paid', async () => {
  const { shop, part, ada } = await setup()
  const client = await clientOf(shop, ada)
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const body = { ...purchase, partId: part._id, quantity: 10 }
  const order = await client.placePurchase({ body })
  expect(await admin.deleteProduct({ params: { id: part._id } })).toEqual({ deletedCount: 1 })
  expect(await admin.deleteProduct({ params: { id: part._id } })).toEqual({ deletedCount: 0 })
  await expect(client.placePurchase({ body })).rejects.toMatchObject({ status: 404 })
  expect(await payOrderByCard(shop, ada, order)).toMatchObject({ paid: true, parts: 'Chain' })
})

test('placePurchase accepts 10 of 60 concurrent orders when the stock is enough for 10, and leaves a stock of 0', async () => {
  const { shop, part } = await setup({ availableQuantity: 100 })
  const buyers = await Promise.all(Array.from({ length: 60 }, (_, i) => createUser(shop, `Buyer${i}`)))
  const clients = await Promise.all(buyers.map((buyer) => clientOf(shop, buyer)))
  const outcomes = await Promise.allSettled(
    clients.map((client) => client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })),
  )
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(outcomes.length - rejected.length).toBe(10)
  for (const { reason } of rejected) {
    expect([400, 409]).toContain(reason.status)
    expect(reason.fields.quantity[0]).toMatch(/^Purchase can't be higher than \d+ available quantity\.$/)
  }
  expect(await readStock(shop, part)).toBe(0)
  expect(await shop.db.$count(orders)).toBe(10)
})

test('20 concurrent requests with the same Idempotency-Key create one order', async () => {
  const { shop, part, ada } = await setup()
  const client = await clientOf(shop, ada)
  const body = { ...purchase, partId: part._id, quantity: 10 }
  const placed = await Promise.all(
    Array.from({ length: 20 }, () => client.placePurchase({ body, key: 'once' })),
  )
  expect(new Set(placed.map((order) => order._id)).size).toBe(1)
  expect(await readStock(shop, part)).toBe(40)
})

test('the same Idempotency-Key with a different body is a conflict', async () => {
  const { shop, part, ada } = await setup()
  const client = await clientOf(shop, ada)
  const body = { ...purchase, partId: part._id, quantity: 10 }
  await client.placePurchase({ body, key: 'once' })
  await expect(client.placePurchase({ body: { ...body, quantity: 11 }, key: 'once' })).rejects.toMatchObject({
    status: 409,
  })
})

test('the Idempotency-Key of a rejected order can be reused', async () => {
  const { shop, part, ada } = await setup()
  const client = await clientOf(shop, ada)
  const body = { ...purchase, partId: part._id, quantity: 9 }
  await expect(client.placePurchase({ body, key: 'once' })).rejects.toMatchObject({ status: 400 })
  expect(await client.placePurchase({ body: { ...body, quantity: 10 }, key: 'once' })).toMatchObject({
    quantity: 10,
  })
})

test('two customers can use the same Idempotency-Key', async () => {
  const { shop, part, ada } = await setup()
  const bob = await createUser(shop, 'Bob')
  const body = { ...purchase, partId: part._id, quantity: 10 }
  const one = await (await clientOf(shop, ada)).placePurchase({ body, key: 'once' })
  const two = await (await clientOf(shop, bob)).placePurchase({ body, key: 'once' })
  expect(one._id).not.toBe(two._id)
})

test('a customer cannot have more than 100 unpaid orders, even with concurrent requests', async () => {
  const { shop, part, ada } = await setup({ availableQuantity: 100_000 }, { rateLimits: true })
  const client = await clientOf(shop, ada)
  const order = () => client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  await order()
  await copyOrder(shop, 89)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, order))
  const placed = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(placed).toHaveLength(10)
  expect(await readStock(shop, part)).toBe(99_890)
  await expect(order()).rejects.toMatchObject({ status: 429 })
  await client.cancelPurchase({ params: { id: placed[0]!.value._id } })
  expect(await order()).toMatchObject({ paid: false })
})

test('shipPurchase ships a paid order and rejects an unpaid one', async () => {
  const { shop, part, ada } = await setup()
  const admin = await createUser(shop, 'Boss', 'admin')
  const order = await placePurchase(shop, ada, {
    ...purchase,
    partId: part._id,
    parts: undefined,
    quantity: 10,
  })
  await expect(shipPurchase(shop, admin, order._id)).rejects.toThrow(
    'This order isn’t paid yet, so it can’t be shipped.',
  )
  await payOrderByCard(shop, ada, order)
  expect(await shipPurchase(shop, admin, order._id)).toEqual({ modifiedCount: 1 })
  expect(await shipPurchase(shop, admin, order._id)).toEqual({ modifiedCount: 0 })
  expect((await listPurchases(shop)).rows[0]).toMatchObject({ paid: true, shipping: true })
  expect(await shipPurchase(shop, admin, order._id, false)).toEqual({ modifiedCount: 1 })
  expect((await listPurchases(shop)).rows[0]).toMatchObject({ shipping: false, shippedAt: null })
})
