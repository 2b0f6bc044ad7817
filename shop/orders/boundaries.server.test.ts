import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orders } from '#db/schema.ts'
import { expireOrders, remindOrders } from '#shop/orders/close/expiry.server.ts'
import { checkHeldValue, readAllowance } from '#shop/orders/place/hold-limits.server.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  readStock,
  testShop,
} from '#test/shop.ts'

const hour = 60 * 60 * 1000

async function setup(part: Parameters<typeof createPart>[1] = {}, options = {}) {
  const shop = await testShop(options)
  const row = await createPart(shop, part)
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const place = (quantity: number, price?: number) =>
    client.placePurchase({
      body: { ...purchase, partId: row._id, quantity, ...(price !== undefined && { price }) },
    })
  return { shop, part: row, ada, client, place }
}

test('placePurchase sells exactly the minimum quantity and exactly the last units', async () => {
  const { shop, part, place } = await setup({ minQuantity: 10, availableQuantity: 35 })
  const atLeast = { fields: { quantity: ['Purchase atleast minimum 10 quantity.'] } }
  await expect(place(9)).rejects.toMatchObject(atLeast)
  await place(10)
  await expect(place(26)).rejects.toMatchObject({
    fields: { quantity: ["Purchase can't be higher than 25 available quantity."] },
  })
  await place(25)
  expect(await readStock(shop, part)).toBe(0)
})

test('placePurchase sells the last units when they are exactly the minimum', async () => {
  const { shop, part, place } = await setup({ minQuantity: 10, availableQuantity: 10 })
  expect(await place(10)).toMatchObject({ quantity: 10 })
  expect(await readStock(shop, part)).toBe(0)
})

test('placePurchase accepts an order of exactly $999,999 and none of $1,000,000', async () => {
  const { place } = await setup({ minQuantity: 1, perUnitPrice: 333_333 })
  expect(await place(3)).toMatchObject({ price: 999_999 })
  const { place: placeDearer } = await setup({ minQuantity: 1, perUnitPrice: 500_000 })
  await expect(placeDearer(2)).rejects.toMatchObject({
    status: 400,
    fields: { quantity: ['An order can total at most $999,999.'] },
  })
})

test('placePurchase reports any other price than the one shown, lower or higher, and accepts the same or none', async () => {
  const { shop, part, place } = await setup()
  for (const shown of [69, 71, 0, 140])
    await expect(place(10, shown), String(shown)).rejects.toMatchObject({
      status: 409,
      message: 'The price is now $70.',
    })
  expect(await readStock(shop, part)).toBe(50)
  for (const shown of [70, undefined]) expect(await place(10, shown)).toMatchObject({ price: 70 })
})

test('startPayment reports any other price than the order’s, lower or higher, and accepts the same', async () => {
  const { client, place } = await setup()
  const order = await place(10)
  const start = (price: number) => client.startPayment({ body: { price, purchase: order._id } })
  for (const price of [69, 71, 0, 140])
    await expect(start(price), String(price)).rejects.toMatchObject({
      status: 409,
      message: 'This order’s total is $70. Reload the page and try again.',
    })
  expect(await start(70)).toMatchObject({ processing: false })
})

test('unpaid orders may come to exactly the value, and only a first order of a minimum quantity to more', () => {
  const allows = (held: number, price: number, isLowest: boolean) => {
    try {
      checkHeldValue({ held, value: 5_000, valueToPayNow: 0, isConfirmed: true, hasPaid: false }, price, {
        isLowest,
        payNow: true,
      })
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'rate-limited', retryAfter: 60 })
      return false
    }
  }
  expect([allows(0, 5_000, false), allows(0, 5_001, false)]).toEqual([true, false])
  expect([allows(4_000, 1_000, false), allows(4_000, 1_001, false)]).toEqual([true, false])
  expect([allows(0, 9_000, true), allows(1, 9_000, true)]).toEqual([true, false])
})

test('a customer may hold ten times what was paid, at least ten times the value of a confirmed one', async () => {
  const { shop, ada, place } = await setup({ perUnitPrice: 600 }, { rateLimits: true })
  const allowance = () => shop.db.transaction((tx) => readAllowance(shop, tx, ada))
  expect(await allowance()).toEqual({
    isConfirmed: true,
    hasPaid: false,
    count: 0,
    held: 0,
    trusted: 0,
    share: 50,
    value: 50_000,
    valueToPayNow: 0,
  })
  await payOrderByCard(shop, ada, await place(10))
  expect(await allowance()).toEqual({
    isConfirmed: true,
    hasPaid: true,
    count: 0,
    held: 0,
    trusted: 60_000,
    share: 50,
    value: 60_000,
    valueToPayNow: 0,
  })
  const another = await createUser(shop, 'Bob')
  const small = await createPart(shop, { name: 'Bell', perUnitPrice: 1 })
  const bob = await clientOf(shop, another)
  const order = await bob.placePurchase({ body: { ...purchase, partId: small._id, quantity: 10 } })
  await payOrderByCard(shop, another, order)
  expect(await shop.db.transaction((tx) => readAllowance(shop, tx, another))).toMatchObject({ value: 50_000 })
})

test('an order expires only after exactly its hold time, and a short hold after its end', async () => {
  const { shop, client, place } = await setup()
  const [full, short] = [await place(10), await place(11)]
  const placedAt = Date.parse(full.createdAt)
  const shortEnd = placedAt + hour
  await shop.db
    .update(orders)
    .set({ shortHoldUntil: new Date(shortEnd).toISOString() })
    .where(eq(orders._id, short._id))
  await shop.db.update(orders).set({ createdAt: new Date(placedAt).toISOString() })
  const expiredAt = async (now: number) => {
    await expireOrders(shop, now)
    const read = [full, short].map(({ _id }) => client.readPurchase({ params: { id: _id } }))
    return (await Promise.all(read)).map(({ expired }) => expired)
  }
  expect(await expiredAt(shortEnd)).toEqual([false, false])
  expect(await expiredAt(shortEnd + 1)).toEqual([false, true])
  expect(await expiredAt(placedAt + 72 * hour)).toEqual([false, true])
  expect(await expiredAt(placedAt + 72 * hour + 1)).toEqual([true, true])
})

test('a reminder is sent only after exactly three quarters of the hold time, and not at its end', async () => {
  const { shop, place } = await setup()
  const order = await place(10)
  const placedAt = Date.parse(order.createdAt)
  const remindedAt = async (now: number) => {
    await shop.db.update(orders).set({ remindedAt: null })
    await remindOrders(shop, now)
    return (await shop.db.select().from(orders))[0]!.remindedAt !== null
  }
  expect(await remindedAt(placedAt + 54 * hour)).toBe(false)
  expect(await remindedAt(placedAt + 54 * hour + 1)).toBe(true)
  expect(await remindedAt(placedAt + 72 * hour - 1)).toBe(true)
  expect(await remindedAt(placedAt + 72 * hour)).toBe(false)
})
