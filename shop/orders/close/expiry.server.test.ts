import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { paymentIntents } from '#db/embedded.ts'
import { orderLines, orders, payments } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { emailSubjects } from '#test/bank.ts'
import {
  clientOf,
  copyOrder,
  createPart,
  createUser,
  payByCard,
  payOrderByCard,
  purchase,
  readStock,
  testShop,
  withPayments,
} from '#test/shop.ts'
import { expireOrders } from './expiry.server.ts'

const hour = 60 * 60 * 1000
const after = () => Date.now() + 72.1 * hour

async function setup(options = {}) {
  const shop = await testShop(options)
  const part = await createPart(shop)
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const order = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  const start = () => client.startPayment({ body: { price: order.price, purchase: order._id } })
  const finish = (transactionId: string) =>
    client.payPurchase({ params: { id: order._id }, body: { transactionId } })
  const read = () => client.readPurchase({ params: { id: order._id } })
  const cancel = () => client.cancelPurchase({ params: { id: order._id } })
  return { shop, part, ada, client, order, start, finish, read, cancel }
}

test('20 concurrent cancellations restock an order once', async () => {
  const { shop, part, client, order } = await setup()
  const cancel = () => client.cancelPurchase({ params: { id: order._id } })
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, cancel))
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  expect(await readStock(shop, part)).toBe(50)
  await expect(client.readPurchase({ params: { id: order._id } })).rejects.toMatchObject({ status: 404 })
})

test('the payment of a cancelled or expired order cannot succeed', async () => {
  for (const isExpired of [false, true]) {
    const { shop, cancel, start } = await setup()
    const { clientSecret } = await start()
    await (isExpired ? expireOrders(shop, after()) : cancel())
    const attempt = await payByCard(shop, clientSecret)
    expect([attempt.status, attempt.response.error.code]).toEqual([400, 'payment_intent_unexpected_state'])
  }
})

test('cancelPurchase rejects and marks the order paid when its payment has already succeeded', async () => {
  const { shop, part, client, order, start } = await setup()
  await payByCard(shop, (await start()).clientSecret)
  await expect(client.cancelPurchase({ params: { id: order._id } })).rejects.toMatchObject({ status: 409 })
  expect(await client.readPurchase({ params: { id: order._id } })).toMatchObject({ paid: true })
  expect(await readStock(shop, part)).toBe(40)
})

test('cancelPurchase also cancels a payment that is opened during the cancellation', async () => {
  const { shop, part, ada, order, start } = await setup()
  await start()
  let tabs = 1
  const slow = withPayments(shop, {
    async cancel(id) {
      const cancelled = await shop.payments.cancel(id)
      if (tabs-- > 0) await start()
      return cancelled
    },
  })
  await (await clientOf(slow, ada)).cancelPurchase({ params: { id: order._id } })
  const intents = await shop.db.select().from(paymentIntents)
  expect(intents.map((intent) => intent.status)).toEqual(['canceled', 'canceled'])
  expect(await readStock(shop, part)).toBe(50)
})

test('concurrent payment and cancellation or expiry end in one of the two states with consistent stock', async () => {
  for (let round = 0; round < 40; round++) {
    const isExpiry = round % 2 === 1
    const { shop, part, client, start, finish, cancel } = await setup()
    const { clientSecret } = await start()
    await Promise.allSettled([
      payByCard(shop, clientSecret).then(({ id }) => finish(id)),
      isExpiry ? expireOrders(shop, after()) : cancel(),
    ])
    const [intent] = await shop.db.select().from(paymentIntents)
    const { rows } = await client.listMyPurchases({ body: { email: 'ada@example.com' } })
    const states = rows.map(({ paid, expired }) => ({ paid, expired }))
    const stock = await readStock(shop, part)
    if (intent!.status === 'succeeded')
      expect([states, stock]).toEqual([[{ paid: true, expired: false }], 40])
    else
      expect([intent!.status, states, stock]).toEqual([
        'canceled',
        isExpiry ? [{ paid: false, expired: true }] : [],
        50,
      ])
  }
})

test('an unpaid order reserves its stock for 72 hours, then expires and stays listed', async () => {
  const { shop, part, client, order, read } = await setup()
  expect(order.expired).toBe(false)
  expect(Date.parse(order.heldUntil!) - Date.parse(order.createdAt)).toBe(72 * hour)
  const end = Date.parse(order.heldUntil!)
  await expireOrders(shop, end)
  expect([await read(), await readStock(shop, part)]).toEqual([order, 40])

  await expireOrders(shop, end + 1)
  expect(await read()).toEqual({
    ...order,
    expired: true,
    heldUntil: null,
    shipBy: null,
    shipByUntil: null,
  })
  expect(await readStock(shop, part)).toBe(50)
  const { rows } = await client.listMyPurchases({ body: { email: 'ada@example.com' } })
  expect(rows).toEqual([{ ...(await read()), trackingUrl: null }])
})

test('orders never expire and have no heldUntil when holdHours is 0', async () => {
  const { shop, part, order, read } = await setup({ holdHours: 0 })
  expect(order.heldUntil).toBe(null)
  await expireOrders(shop, Date.now() + 100 * 365 * 24 * hour)
  expect([await read(), await readStock(shop, part)]).toEqual([order, 40])
})

test('concurrent expiry runs restock an order once', async () => {
  const { shop, part, client } = await setup()
  for (let i = 0; i < 3; i++) {
    const placed = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
    await client.startPayment({ body: { price: 70, purchase: placed._id } })
  }
  expect(await readStock(shop, part)).toBe(10)
  await Promise.all(Array.from({ length: 8 }, () => expireOrders(shop, after())))
  expect(await readStock(shop, part)).toBe(50)
  await expireOrders(shop, after())
  expect(await readStock(shop, part)).toBe(50)
})

test('an expired order can be neither paid nor shipped', async () => {
  const { shop, order, client, start, finish } = await setup()
  const [id] = (await start()).clientSecret.split('_secret_')
  await expireOrders(shop, after())
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const refusal = { status: 409, message: 'This order has expired.' }
  await expect(start()).rejects.toMatchObject(refusal)
  await expect(finish(id!)).rejects.toMatchObject(refusal)
  await expect(admin.shipPurchase({ params: { id: order._id } })).rejects.toMatchObject(refusal)
  await expect(client.startPayment({ body: { price: 70 } })).rejects.toMatchObject({
    message: 'You don’t have an unpaid order for $70.',
  })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('a paid order never expires', async () => {
  const { shop, part, ada, order, read } = await setup()
  const paid = await payOrderByCard(shop, ada, order)
  expect(paid.heldUntil).toBe(null)
  await expireOrders(shop, after())
  expect([await read(), await readStock(shop, part)]).toEqual([paid, 40])
})

test('expireOrders marks an order paid when its payment succeeded unnoticed', async () => {
  const { shop, part, start, read } = await setup()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  await expireOrders(shop, after())
  expect(await read()).toMatchObject({ paid: true, expired: false, transactionId: id })
  expect(await readStock(shop, part)).toBe(40)
})

test('expireOrders skips an order whose payment is processing', async () => {
  const { shop, part, order, start, read } = await setup()
  await start()
  const processing = withPayments(shop, {
    cancel: async (id) => ({ ...(await shop.payments.find(id))!, status: 'processing' }),
  })
  await expireOrders(processing, after())
  expect([await read(), await readStock(shop, part)]).toEqual([order, 40])
  await expireOrders(shop, after())
  expect([(await read()).expired, await readStock(shop, part)]).toEqual([true, 50])
})

test('100 orders that fail to expire do not block the others', async () => {
  const { shop, part, order } = await setup()
  const ids = await copyOrder(shop, 100)
  // The last one to be expired.
  await shop.db.update(orders).set({ number: 2000 }).where(eq(orders._id, order._id))
  const at = { activeAt: order.createdAt, checkedAt: order.createdAt }
  const open = ids.map((orderId, i) => ({ _id: `pi_${i}`, orderId, ...at }))
  await shop.db.insert(payments).values(open)
  const unavailable = withPayments(shop, {
    cancel: async () => {
      throw new ShopError('unavailable', 'The payment provider isn’t responding.')
    },
  })
  await expect(expireOrders(unavailable, after())).rejects.toThrow('Orders that could not be expired: 100.')
  const expired = await shop.db.select().from(orderLines).where(eq(orderLines._id, order._id))
  expect(expired[0]?.expiredAt).not.toBe(null)
  expect(await readStock(shop, part)).toBe(50)
})

test('a customer is told of an unpaid order that an admin deleted, and not of one that the customer cancelled', async () => {
  const { shop, part, client, cancel } = await setup()
  const boss = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  await cancel()
  const { _id: id } = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  await boss.cancelPurchase({ params: { id } })
  expect((await emailSubjects(shop)).filter((subject) => subject.includes('cancelled'))).toEqual([
    'Order #1002 was cancelled: 10 × Chain',
  ])
})

test('cancelling an expired order removes it from lists and does not restock again', async () => {
  const { shop, part, client, cancel, read } = await setup()
  await expireOrders(shop, after())
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, cancel))
  const done = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(done.map((outcome) => outcome.value)).toEqual([{ deletedCount: 1 }])
  expect(await readStock(shop, part)).toBe(50)
  await expect(read()).rejects.toMatchObject({ status: 404 })
  expect(await client.listMyPurchases({ body: { email: 'ada@example.com' } })).toEqual({ rows: [], total: 0 })
})

test('concurrent expiry and cancellation restock an order once', async () => {
  for (let round = 0; round < 20; round++) {
    const { shop, part, cancel } = await setup()
    await Promise.allSettled([expireOrders(shop, after()), cancel(), expireOrders(shop, after()), cancel()])
    expect(await readStock(shop, part)).toBe(50)
  }
})

test('expired orders do not count towards the limit of 100 unpaid orders', async () => {
  const { shop, part, client } = await setup({ rateLimits: true })
  const place = () => client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  await shop.db.update(orderLines).set({ expiredAt: new Date().toISOString() })
  await copyOrder(shop, 99)
  expect(await place()).toMatchObject({ expired: false })

  await shop.db.update(orderLines).set({ expiredAt: null })
  await expect(place()).rejects.toMatchObject({ status: 429 })
})
