import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { embeddedPayments } from '#providers/payments/embedded.ts'
import type { DeliveryAndTax } from '#shop/charges/rates.ts'
import { handleWebhook } from '#shop/payments/webhook.server.ts'
import { homeRates, withRates } from '#test/charges.ts'
import { clientOf, createPart, createUser, payByCard, purchase, testShop } from '#test/shop.ts'

const query = vi.spyOn(pg.Client.prototype, 'query')

/** Of the database, with those that begin and end transactions. */
async function countStatements<T>(work: () => Promise<T>): Promise<[T, number]> {
  query.mockClear()
  const result = await work()
  // Each new connection begins with its settings.
  const statements = query.mock.calls.filter(([text]) => !String(text).startsWith('set '))
  return [result, statements.length]
}

async function setup(count: number, rates?: DeliveryAndTax) {
  const shop = rates ? withRates(await testShop(), rates, 'US') : await testShop()
  const ada = await createUser(shop, 'Ada')
  const parts = []
  for (let i = 0; i < count; i++) parts.push(await createPart(shop, { name: `Part ${i}` }))
  return { shop, parts, client: await clientOf(shop, ada) }
}

test('an order takes 3 statements, and 1 when its parts and its customer were read within the last minute', async () => {
  const { parts, client } = await setup(100)
  const { address, phoneNumber } = purchase
  const lines = parts.map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const counts = []
  for (const ordered of [lines, lines.slice(0, 1), lines]) {
    const body = { address, phoneNumber, lines: ordered }
    counts.push((await countStatements(() => client.placeOrder({ body })))[1])
  }
  expect(counts).toEqual([3, 1, 1])
})

test('an order with delivery and tax takes no statement more, and new rates count at once', async () => {
  const { shop, parts, client } = await setup(2, homeRates)
  const body = { ...purchase, lines: parts.map(({ _id: partId }) => ({ partId, quantity: 10 })) }
  const place = () => countStatements(() => client.placeOrder({ body }))
  const [first, count] = await place()
  expect(count).toBe(3)
  const [second, again] = await place()
  expect(again).toBe(1)
  for (const order of [first, second])
    expect(order.charges).toMatchObject({ delivery: 1_550, tax: Math.round((14_000 + 1_550) * 0.08875) })
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const changed = { ...homeRates, zones: [] }
  await admin.updateSettings({ body: { section: 'deliveryAndTax', version: 0, ...changed } })
  expect((await place())[0].charges.delivery).toBe(0)
})

test('an order is placed and paid with at most 18 statements', async () => {
  const { shop, parts, client } = await setup(1)
  const paid = Promise.withResolvers<void>()
  const payments = embeddedPayments(shop.db, { secret: 'bank', webhook: receive })
  Object.assign(shop, { payments })

  async function receive(request: Request) {
    await handleWebhook(shop, await request.text(), request.headers.get('stripe-signature')!)
    paid.resolve()
    return new Response()
  }

  const [, count] = await countStatements(async () => {
    const order = await client.placePurchase({ body: { ...purchase, partId: parts[0]!._id, quantity: 10 } })
    const { _id: id, price } = order
    const { clientSecret } = await client.startPayment({ body: { price, purchase: id } })
    await payByCard(shop, clientSecret)
    await paid.promise
    await payments.close()
    const [transactionId = ''] = clientSecret.split('_secret_')
    expect(await client.payPurchase({ params: { id }, body: { transactionId } })).toMatchObject({
      paid: true,
    })
  })
  expect(count).toBeLessThanOrEqual(18)
  expect(count).toBeGreaterThan(10)
})
