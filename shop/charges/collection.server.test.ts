import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { orders, users } from '#db/schema.ts'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { euRates, withRates } from '#test/charges.ts'
import { clientOf, createPart, createUser, payByCard, purchase, testShop } from '#test/shop.ts'
import type { DeliveryAndTax } from './rates.ts'

const collection = {
  isOffered: true,
  address: '1 Works Road\nMonday to Friday, 8 to 16',
  country: 'DE',
  region: '',
  postcode: '28195',
}
const [germany, austria] = euRates.zones
const offered: DeliveryAndTax = {
  ...euRates,
  zones: [{ ...germany!, days: { from: 2, to: 4 } }, austria!],
  collection,
}

async function setup(rates = offered) {
  const shop = withRates(await testShop(), rates, 'DE')
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  await shop.db
    .update(users)
    .set({ emailConfirmedAt: new Date().toISOString() })
    .where(eq(users._id, ada._id))
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const part = await createPart(shop, { minQuantity: 1, perUnitPrice: 119 })
  const lines = [{ partId: part._id, quantity: 1 }]
  const to = { ...purchase, country: 'AT', postcode: '1010', town: 'Wien' }
  const place = (change: object = {}) => client.placeOrder({ body: { ...to, lines, ...change } })
  return { shop, client, admin, lines, place }
}

test('an order that is collected is placed as estimated, without delivery and with the tax of the factory', async () => {
  const { client, lines, place } = await setup()
  // Nobody delivers to France, and anybody can collect.
  const body = { lines, country: 'FR', collect: true }
  const { charges, problem, missingForFreeDelivery } = await client.estimateCharges({ body })
  expect({ problem, missingForFreeDelivery }).toEqual({ problem: null, missingForFreeDelivery: null })
  expect(charges).toMatchObject({ delivery: 0, tax: 1_900, total: 11_900, collected: true })
  const order = await place({ country: 'FR', postcode: '75001', collect: true, total: 11_900 })
  expect(order).toMatchObject({ collected: true, charges, deliveryCharge: { charged: 0 } })
})

test('delivery days are told with the estimate, and stay with the order', async () => {
  const { client, lines, place } = await setup()
  const { charges } = await client.estimateCharges({ body: { lines, country: 'DE' } })
  expect(charges).toMatchObject({ deliveryDays: { from: 2, to: 4 }, collected: false })
  const german = await place({ country: 'DE', postcode: '28195' })
  expect(german).toMatchObject({ collected: false, charges: { deliveryDays: { from: 2, to: 4 } } })
  expect((await place()).charges.deliveryDays).toBeNull()
})

test('collecting is refused where it is not offered, and orders before stay collected', async () => {
  const { client, admin, lines, place } = await setup()
  const order = await place({ collect: true })
  const { zones, tax } = offered
  const closed = { zones, tax, note: '', collection: { ...collection, isOffered: false } }
  await admin.updateSettings({ body: { section: 'deliveryAndTax', version: 0, ...closed } })
  await expect(place({ collect: true })).rejects.toMatchObject({
    status: 400,
    fields: { collect: ['We no longer offer to collect orders at the factory. Choose delivery.'] },
  })
  const { problem } = await client.estimateCharges({ body: { lines, collect: true } })
  expect(problem).toBe('We no longer offer to collect orders at the factory. Choose delivery.')
  const params = { id: order._id }
  await client.changeDelivery({ params, body: { ...purchase, country: 'FR', postcode: '75001' } })
  expect(await client.readOrder({ params })).toMatchObject({ collected: true, charges: order.charges })
})

test('an item of an unpaid order that is collected goes, and the rest is still without delivery', async () => {
  const { client, shop, lines, place } = await setup()
  const tyre = await createPart(shop, {
    name: 'Tyre',
    minQuantity: 1,
    perUnitPrice: 107,
    taxClass: 'reduced',
  })
  const order = await place({ collect: true, lines: [...lines, { partId: tyre._id, quantity: 1 }] })
  await client.cancelPurchase({ params: { id: order.lines[0]!._id } })
  const rest = await client.readOrder({ params: { id: order._id } })
  expect(rest.charges).toMatchObject({ goods: 10_000, delivery: 0, tax: 700, collected: true })
})

test('with nothing else set, collecting costs what the goods cost, and delivered orders are as before', async () => {
  const nothing = { zones: [], tax: { mode: 'none' as const, rates: [] }, note: '', collection }
  const { shop, place } = await setup(nothing)
  expect((await place({ collect: true })).charges).toMatchObject({ total: 11_900, collected: true })
  await place()
  const stored = await shop.db.select({ charges: orders.charges }).from(orders).orderBy(orders.number)
  expect(stored.map(({ charges }) => charges === null)).toEqual([false, true])
})

test('the packing slip and the emails of an order that is collected say where', async () => {
  const { shop, client, admin, place } = await setup()
  const { _id, price, charges } = await place({ collect: true })
  const params = { id: _id }
  const body = { price, total: charges.total, purchase: _id }
  const { id: transactionId } = await payByCard(shop, (await client.startPayment({ body })).clientSecret)
  await client.payPurchase({ params, body: { transactionId } })
  expect(await admin.readPackingSlip({ params })).toMatchObject({ collectAt: collection.address })
  await admin.shipOrder({ params, body: {} })
  await sendShippingEmails(shop, Date.now() + 3_600_000)
  const emails = await shop.db.select().from(outbox).orderBy(outbox.createdAt)
  const ready = emails.find(({ subject }) => subject.includes('is ready to collect'))
  expect(ready!.body).toContain(collection.address)
  expect(emails.map(({ body }) => body).join('\n')).not.toMatch(/on its way|delivery address/)
})

test('an order that is collected is marked in exports, and its address stays once it is ready', async () => {
  const { shop, client, admin, place } = await setup()
  const [collected, delivered] = [await place({ collect: true }), await place()]
  const csv = await (await admin.exportOrders({ body: { format: 'csv' } })).text()
  const [head, ...rows] = csv.trim().split(/\r?\n/)
  const column = head!.split(',').indexOf('Collected at the factory')
  const cells = rows.map((row) => [row.split(',')[0], row.split(',')[column]])
  expect(Object.fromEntries(cells)).toEqual({ [collected.number]: 'yes', [delivered.number]: '' })
  const { _id, price, charges } = collected
  const params = { id: _id }
  const body = { price, total: charges.total, purchase: _id }
  const { id: transactionId } = await payByCard(shop, (await client.startPayment({ body })).clientSecret)
  await client.payPurchase({ params, body: { transactionId } })
  await admin.shipOrder({ params, body: {} })
  const address = { ...purchase, country: 'AT', postcode: '1010', town: 'Wien', address: '2 Ring' }
  await expect(client.changeDelivery({ params, body: address })).rejects.toThrow(
    'This order is ready to collect, so its address can’t be changed any more.',
  )
})
