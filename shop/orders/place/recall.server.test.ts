import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { deliveryAddresses, orders, parts, users } from '#db/schema.ts'
import { clientOf, createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'

/** A shop that has read a customer and a part for an order of 10, so that the next order need not read them. */
async function setup(options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  const [part, ada] = [await createPart(shop), await createUser(shop, 'Ada')]
  const client = await clientOf(shop, ada)
  const place = (values: { quantity?: number; price?: number } = {}) =>
    client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10, ...values } })
  const placeOrder = (quantity = 10) =>
    client.placeOrder({ body: { ...purchase, lines: [{ partId: part._id, quantity }] } })
  // As another process would.
  const changePart = (values: Partial<typeof parts.$inferInsert>) =>
    shop.db.update(parts).set(values).where(eq(parts._id, part._id))
  const changeUser = (values: Partial<typeof users.$inferInsert>) =>
    shop.db.update(users).set(values).where(eq(users._id, ada._id))
  await place()
  return { shop, part, ada, place, placeOrder, changePart, changeUser }
}

test('an order is made from what its part is now, whatever it was in the last order', async () => {
  const { place, placeOrder, changePart } = await setup()
  await changePart({ name: 'Chain, 11-speed' })
  expect(await place()).toMatchObject({ parts: 'Chain, 11-speed', price: 70 })
  await changePart({ perUnitPrice: 8 })
  expect(await placeOrder()).toMatchObject({ price: 80 })
  await changePart({ perUnitPrice: 9 })
  await expect(place({ price: 80 })).rejects.toMatchObject({ status: 409, message: 'The price is now $90.' })
  expect(await place({ price: 90 })).toMatchObject({ price: 90 })
  await changePart({ minQuantity: 5 })
  expect(await place({ quantity: 5 })).toMatchObject({ price: 45 })
  await changePart({ multiple: 3, minQuantity: 3 })
  await expect(placeOrder(5)).rejects.toMatchObject({ status: 400 })
})

test('an order is accepted or refused by the stock of now', async () => {
  const { shop, part, place, placeOrder, changePart } = await setup()
  await changePart({ availableQuantity: 5 })
  for (const order of [place, () => placeOrder(), place])
    await expect(order()).rejects.toMatchObject({ status: 400 })
  await changePart({ availableQuantity: 20 })
  await place()
  await placeOrder()
  expect(await readStock(shop, part)).toBe(0)
  await changePart({ availableQuantity: 50, deletedAt: new Date().toISOString() })
  for (const order of [place, () => placeOrder()])
    await expect(order()).rejects.toThrow('This part is no longer for sale.')
  await changePart({ deletedAt: null })
  expect(await place()).toMatchObject({ quantity: 10 })
})

test('a repeated order is not answered after signing out', async () => {
  const { shop, part, ada, changePart } = await setup()
  const client = await clientOf(shop, ada)
  const body = { ...purchase, partId: part._id, quantity: 10 }
  const place = () => client.placePurchase({ body, key: 'once' })
  const { _id } = await place()
  expect(await place()).toMatchObject({ _id })
  await shop.db.update(users).set({ tokenVersion: 7 }).where(eq(users._id, ada._id))
  await expect(place()).rejects.toMatchObject({ status: 401 })
  await changePart({ availableQuantity: 0 })
  await expect(place()).rejects.toMatchObject({ status: 401 })
})

test('an order of a session that has ended is refused and writes nothing', async () => {
  const { shop, part, place, placeOrder, changeUser } = await setup()
  await changeUser({ tokenVersion: 7 })
  for (const order of [place, () => placeOrder(), () => place({ price: 1 }), () => place({ quantity: 9 })])
    await expect(order()).rejects.toMatchObject({ status: 401, message: 'Please sign in.' })
  expect([await shop.db.$count(orders), await shop.db.$count(outbox)]).toEqual([1, 1])
  expect(await readStock(shop, part)).toBe(40)
})

test('an order has the name and email that its customer has now, and their default address', async () => {
  const { shop, ada, place, changeUser } = await setup()
  await changeUser({ name: 'Ada King', email: 'king@example.com' })
  expect(await place()).toMatchObject({ name: 'Ada King', email: 'king@example.com', recipient: 'Ada King' })
  const emails = await shop.db.select().from(outbox).orderBy(outbox.number)
  expect(emails.map(({ recipient }) => recipient)).toEqual(['ada@example.com', 'king@example.com'])

  await changeUser({ defaultAddressId: null })
  await shop.db.delete(deliveryAddresses)
  await place()
  const [user] = await shop.db.select().from(users).where(eq(users._id, ada._id))
  expect(await shop.db.select().from(deliveryAddresses)).toMatchObject([{ _id: user!.defaultAddressId }])
})

test('limits of unpaid orders apply to the prices of now', async () => {
  const { place, changePart } = await setup({ rateLimits: true })
  expect(await place()).toMatchObject({ price: 70 })
  await changePart({ perUnitPrice: 70_000 })
  await expect(place()).rejects.toMatchObject({ status: 429, message: /unpaid orders can total at most/ })
  await changePart({ perUnitPrice: 7, availableQuantity: 500 })
  expect(await place()).toMatchObject({ price: 70 })
})
