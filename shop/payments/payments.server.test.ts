import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { paymentIntents } from '#db/embedded.ts'
import { parts } from '#db/schema.ts'
import { shopWithOrder } from '#test/bank.ts'
import {
  clientOf,
  createUser,
  payByCard,
  payOrderByCard,
  readStock,
  stopClock,
  withPayments,
} from '#test/shop.ts'

afterEach(() => vi.restoreAllMocks())

test('a successful card payment marks the order paid with its transaction id', async () => {
  const { shop, start, finish } = await shopWithOrder()
  const { clientSecret } = await start()
  const { id, status } = await payByCard(shop, clientSecret)
  expect(status).toBe(200)
  const paid = await finish(id)
  expect(paid).toMatchObject({ paid: true, transactionId: id })
  expect(paid.paidAt).toMatch(/^\d{4}-\d\d-\d\dT/)
})

test('a declined card leaves the order unpaid, and another card can pay it', async () => {
  const { shop, start, finish } = await shopWithOrder()
  const { clientSecret } = await start()
  const declined = await payByCard(shop, clientSecret, '4000000000000002')
  expect([declined.status, declined.response.error.message]).toEqual([402, 'Your card was declined.'])
  await expect(finish(declined.id)).rejects.toMatchObject({ status: 402 })
  await payByCard(shop, clientSecret)
  expect(await finish(declined.id)).toMatchObject({ paid: true })
})

test('20 concurrent startPayment calls open one payment', async () => {
  stopClock()
  const { shop, start } = await shopWithOrder()
  const opened = await Promise.all(Array.from({ length: 20 }, start))
  expect(new Set(opened.map((payment) => payment.clientSecret)).size).toBe(1)
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('startPayment without an order id uses the oldest unpaid order of that price', async () => {
  const { client, order, shop, place } = await shopWithOrder()
  await place()
  const { clientSecret } = await client.startPayment({ body: { price: 70 } })
  const { id } = await payByCard(shop, clientSecret)
  expect(await client.payPurchase({ params: { id: order._id }, body: { transactionId: id } })).toMatchObject({
    paid: true,
  })
  await expect(client.startPayment({ body: { price: 71 } })).rejects.toMatchObject({ status: 409 })
})

test('startPayment rejects a price that differs from the order’s', async () => {
  const { client, order, shop } = await shopWithOrder()
  const cheap = client.startPayment({ body: { price: 1, purchase: order._id } })
  await expect(cheap).rejects.toMatchObject({
    status: 409,
    message: 'This order’s total is $70. Reload the page and try again.',
  })
  expect(await shop.db.$count(paymentIntents)).toBe(0)
})

test('startPayment answers another customer’s order like one that does not exist', async () => {
  const { shop, order } = await shopWithOrder()
  const eve = await clientOf(shop, await createUser(shop, 'Eve'))
  const start = (id: string) => eve.startPayment({ body: { price: 70, purchase: id } })
  await expect(start(order._id)).rejects.toMatchObject({
    status: 404,
    message: 'This order doesn’t exist or was cancelled.',
  })
  await expect(start('nothing')).rejects.toMatchObject({
    status: 404,
    message: 'This order doesn’t exist or was cancelled.',
  })
})

test('payPurchase rejects an unknown transaction id', async () => {
  const { finish } = await shopWithOrder()
  for (const id of ['pi_invented', '.', '..', '../charges', '\ud800', '?']) {
    await expect(finish(id), id).rejects.toMatchObject({
      status: 402,
      message: 'We couldn’t confirm this payment.',
    })
  }
})

test('payPurchase rejects a payment that has not succeeded', async () => {
  const { start, finish } = await shopWithOrder()
  const [id] = (await start()).clientSecret.split('_secret_')
  await expect(finish(id!)).rejects.toMatchObject({ status: 402 })
})

test('payPurchase is idempotent', async () => {
  const { shop, ada, order, finish } = await shopWithOrder()
  const paid = await payOrderByCard(shop, ada, order)
  const again = await Promise.all(Array.from({ length: 5 }, () => finish(paid.transactionId!)))
  expect(again).toEqual(Array.from({ length: 5 }, () => paid))
})

test('a paid order cannot be paid again or cancelled', async () => {
  const { shop, ada, client, order, start, part } = await shopWithOrder()
  await payOrderByCard(shop, ada, order)
  await expect(start()).rejects.toMatchObject({ status: 409, message: 'This order is already paid.' })
  await expect(client.cancelPurchase({ params: { id: order._id } })).rejects.toMatchObject({ status: 409 })
  expect(await readStock(shop, part)).toBe(40)
})

test('startPayment marks an order paid when its payment succeeded unnoticed', async () => {
  const { shop, client, order, start } = await shopWithOrder()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  await expect(start()).rejects.toMatchObject({ status: 409, message: 'This order is already paid.' })
  expect(await client.readPurchase({ params: { id: order._id } })).toMatchObject({
    paid: true,
    transactionId: id,
  })
})

test('startPayment cancels its payment when the order is cancelled meanwhile', async () => {
  const { shop, ada, order, client } = await shopWithOrder()
  const slow = withPayments(shop, {
    async open(...args) {
      await client.cancelPurchase({ params: { id: order._id } })
      return shop.payments.open(...args)
    },
  })
  const start = (await clientOf(slow, ada)).startPayment({ body: { price: 70, purchase: order._id } })
  await expect(start).rejects.toMatchObject({ status: 409 })
  expect(await shop.db.select().from(paymentIntents)).toMatchObject([{ status: 'canceled' }])
})

test('an order whose cancellation was interrupted can be paid with a new payment', async () => {
  const { shop, ada, order, start } = await shopWithOrder()
  const [id] = (await start()).clientSecret.split('_secret_')
  await shop.payments.cancel(id!)
  const paid = await payOrderByCard(shop, ada, order)
  expect(paid.paid).toBe(true)
  expect(paid.transactionId).not.toBe(id)
})

test('a later price change of the part does not change the price of the order', async () => {
  const { shop, ada, order, part } = await shopWithOrder()
  await shop.db.update(parts).set({ perUnitPrice: 9 }).where(eq(parts._id, part._id))
  expect(await payOrderByCard(shop, ada, order)).toMatchObject({ price: 70, paid: true })
})

test('payPurchase does not query the provider for a payment that is not the order’s', async () => {
  const { shop, ada, order } = await shopWithOrder()
  let calls = 0
  const counting = withPayments(shop, {
    find: (id) => {
      calls++
      return shop.payments.find(id)
    },
  })
  const client = await clientOf(counting, ada)
  const body = { transactionId: 'pi_anything' }
  await expect(client.payPurchase({ params: { id: order._id }, body })).rejects.toMatchObject({ status: 402 })
  expect(calls).toBe(0)
})

test('startPayment uses a new idempotency key after ten minutes', async () => {
  const { shop, ada, order } = await shopWithOrder()
  const keys: string[] = []
  const recording = withPayments(shop, {
    open: (_, key) => {
      keys.push(key)
      return Promise.reject(new Error('no'))
    },
  })
  const client = await clientOf(recording, ada)
  const start = () =>
    client.startPayment({ body: { price: order.price, purchase: order._id } }).catch(() => {})
  vi.useFakeTimers({ toFake: ['Date'], now: 10 * 600_000 })
  vi.spyOn(console, 'error').mockReturnValue()
  await start()
  await start()
  vi.setSystemTime(11 * 600_000)
  await start()
  vi.useRealTimers()
  expect(keys[0]).toBe(keys[1])
  expect(keys[0]).not.toBe(keys[2])
})

test('concurrent startPayment calls with different keys return one payment and cancel the other', async () => {
  const { shop, ada, order, start } = await shopWithOrder()
  let other: Awaited<ReturnType<typeof start>> | undefined
  const slow = withPayments(shop, {
    async open(order, key) {
      other = await start()
      return shop.payments.open(order, `${key} later`)
    },
  })
  const client = await clientOf(slow, ada)
  const first = await client.startPayment({ body: { price: order.price, purchase: order._id } })
  expect(first).toEqual(other)
  const intents = await shop.db.select().from(paymentIntents)
  expect(intents.map((intent) => intent.status).sort()).toEqual(['canceled', 'requires_payment_method'])
})
