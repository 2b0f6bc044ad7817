import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { paymentIntents } from '#db/embedded.ts'
import { orders, payments } from '#db/schema.ts'
import { expireOrders, remindOrders } from '#shop/orders/close/expiry.server.ts'
import { bankSdk, emailSubjects, providerFaults, shopWithOrder, withNetwork } from '#test/bank.ts'
import {
  clientOf,
  payByCard,
  payOrderByCard,
  readStock,
  stopClock,
  type TestShop,
  withPayments,
} from '#test/shop.ts'
import { reconcile } from './reconcile.server.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const minute = 60_000
const hour = 60 * minute

async function setup(options = {}) {
  const context = await shopWithOrder(options)
  const { shop, start } = context
  return {
    ...context,
    confirm: async () => (await payByCard(shop, (await start()).clientSecret)).id,
  }
}

function countFinds(shop: TestShop) {
  let times = 0
  const counted = withPayments(shop, {
    find: (id) => {
      times += 1
      return shop.payments.find(id)
    },
  })
  return { counted, times: () => times }
}

test('reconcile marks an order paid when the browser closed after payment', async () => {
  const { shop, part, confirm, read, expectConsistent } = await setup()
  const id = await confirm()
  await reconcile(shop, Date.now() + minute)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
  expect(await readStock(shop, part)).toBe(40)
  await expectConsistent()
})

test('reconcile polls older payments less often', async () => {
  const { shop, start } = await setup()
  await start()
  const { counted, times } = countFinds(shop)
  const [payment] = await shop.db.select().from(payments)
  const opened = Date.parse(payment!.activeAt)
  const countBetween = async (from: number, to: number) => {
    const before = times()
    for (let after = from; after < to; after += minute) await reconcile(counted, opened + after)
    return times() - before
  }
  expect(await countBetween(minute, 11 * minute)).toBeGreaterThan(7)
  expect(await countBetween(10 * hour, 12 * hour)).toBeLessThan(4)
  await countBetween(48 * hour, 48 * hour + minute)
  expect(await countBetween(48 * hour, 50 * hour)).toBe(0)
})

test('reconcile polls a payment soon after it is presented again', async () => {
  const { shop, start } = await setup()
  await start()
  const longAgo = new Date(Date.now() - 60 * hour).toISOString()
  await shop.db.update(payments).set({ activeAt: longAgo })
  const { counted, times } = countFinds(shop)
  await reconcile(counted, Date.now() + minute)
  await reconcile(counted, Date.now() + 2 * minute)
  expect(times()).toBe(1)
  await start()
  await reconcile(counted, Date.now() + 3 * minute)
  expect(times()).toBe(2)
})

test('reconcile polls a settled payment ever more rarely, and not at all after 540 days or when it was cancelled', async () => {
  const { shop, ada, order, place, client } = await setup()
  await payOrderByCard(shop, ada, order)
  const cancelled = await place()
  await client.startPayment({ body: { price: 70, purchase: cancelled._id } })
  await client.cancelPurchase({ params: { id: cancelled._id } })
  const { counted, times } = countFinds(shop)
  const paidAt = Date.now()
  const polls: number[] = []
  for (let hours = 1; hours < 541 * 24; hours += Math.max(1, Math.floor(hours / 50))) {
    const before = times()
    await reconcile(counted, paidAt + hours * hour)
    if (times() > before) polls.push(hours)
  }
  expect(polls.length).toBeGreaterThan(25)
  expect(polls.length).toBeLessThan(45)
  const gaps = polls.slice(1).map((hours, i) => hours / polls[i]!)
  expect(Math.max(...gaps.slice(4))).toBeLessThan(1.4)
  await reconcile(counted, paidAt + 900 * 24 * hour)
  const last = times()
  await reconcile(counted, paidAt + 2000 * 24 * hour)
  expect(times()).toBe(last)
})

test('reconcile asks again for a settled payment that the keys of another account did not find', async () => {
  const { shop, ada, admin, order } = await setup()
  const { transactionId } = await payOrderByCard(shop, ada, order)
  await reconcile(withPayments(shop, { find: async () => null }), Date.now() + hour)
  await bankSdk(shop).refunds.create({ payment_intent: transactionId!, amount: 1000 })
  await reconcile(shop, Date.now() + 3 * hour)
  expect(await admin.readPurchase({ params: { id: order._id } })).toMatchObject({ refunded: 10 })
})

test('reconcile asks again for an open payment that the keys of another account did not find', async () => {
  const { shop, admin, order, confirm } = await setup()
  const id = await confirm()
  await reconcile(withPayments(shop, { find: async () => null }), Date.now() + hour)
  expect(await admin.readPurchase({ params: { id: order._id } })).toMatchObject({ paid: false })
  await reconcile(shop, Date.now() + 3 * hour)
  expect(await admin.readPurchase({ params: { id: order._id } })).toMatchObject({
    paid: true,
    transactionId: id,
  })
})

test('reconcile goes on polling after the clock was set back', async () => {
  const { shop, start } = await setup()
  await payByCard(shop, (await start()).clientSecret)
  const { counted, times } = countFinds(shop)
  const nextYear = Date.now() + 365 * 24 * hour
  await shop.db.update(payments).set({
    checkedAt: new Date(nextYear).toISOString(),
    nextCheckAt: new Date(nextYear + hour).toISOString(),
  })
  await reconcile(counted)
  expect(times()).toBe(1)
})

test('concurrent reconcile runs poll each payment once', async () => {
  const { shop, client, place, order } = await setup()
  for (const one of [order, await place(), await place(), await place()]) {
    await client.startPayment({ body: { price: 70, purchase: one._id } })
  }
  const { counted, times } = countFinds(shop)
  const at = Date.now() + hour
  await Promise.all(Array.from({ length: 6 }, () => reconcile(counted, at)))
  expect(times()).toBe(4)
})

test('a payment that fails to reconcile does not block the others', async () => {
  const { shop, client, place, start, read } = await setup()
  const broken = (await start()).clientSecret.split('_secret_')[0]
  const other = await place()
  const { clientSecret } = await client.startPayment({ body: { price: 70, purchase: other._id } })
  await payByCard(shop, clientSecret)
  const failing = withPayments(shop, {
    find: (id) => (id === broken ? Promise.reject(new Error('no answer')) : shop.payments.find(id)),
  })
  await expect(reconcile(failing, Date.now() + hour)).rejects.toThrow(
    'Failed requests to the payment provider: 1.',
  )
  expect(await read()).toMatchObject({ paid: false })
  expect(await client.readPurchase({ params: { id: other._id } })).toMatchObject({ paid: true })
})

test('a payment unknown to the provider is closed', async () => {
  const closingActions: ((context: Awaited<ReturnType<typeof shopWithOrder>>) => Promise<unknown>)[] = [
    ({ shop }) => reconcile(shop, Date.now() + hour),
    ({ start }) => start(),
    ({ cancel }) => cancel(),
    ({ shop }) => expireOrders(shop, Date.now() + 100 * hour),
  ]
  for (const [i, run] of closingActions.entries()) {
    const context = await setup()
    const now = new Date().toISOString()
    const elsewhere = { _id: 'pi_elsewhere', orderId: context.order.orderId, activeAt: now, checkedAt: now }
    await context.shop.db.insert(payments).values(elsewhere)
    await run(context)
    const [row] = await context.shop.db.select().from(payments).where(eq(payments._id, 'pi_elsewhere'))
    expect(row?.settledAt, String(i)).not.toBe(null)
    if (i < 2)
      expect(await payOrderByCard(context.shop, context.ada, context.order)).toMatchObject({ paid: true })
    await context.expectConsistent()
  }
})

test('startPayment returns a processing payment and opens no other', async () => {
  const { shop, ada, order, start } = await setup()
  const { clientSecret, processing } = await start()
  expect(processing).toBe(false)
  const processingShop = withPayments(shop, {
    find: async (id) => ({ ...(await shop.payments.find(id))!, status: 'processing' }),
  })
  const again = (await clientOf(processingShop, ada)).startPayment({
    body: { price: 70, purchase: order._id },
  })
  expect(await again).toEqual({ clientSecret, processing: true })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

const steps = {
  open: (request: Request) => request.method === 'POST' && request.url.endsWith('/payment_intents'),
  find: (request: Request) => request.method === 'GET' && /payment_intents\/pi_\w+(\?|$)/.test(request.url),
  cancel: (request: Request) => request.url.endsWith('/cancel'),
}

for (const [fault, transport] of Object.entries(providerFaults)) {
  test(`payment calls fail with 503 when the provider ${fault}, and recover`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    stopClock()
    const { shop, ada, order, read, expectConsistent } = await setup()
    const shopOver = (step: keyof typeof steps) => clientOf(withNetwork(shop, transport(steps[step])), ada)
    const body = { price: 70, purchase: order._id }
    const unavailable = {
      status: 503,
      message: expect.stringContaining('The payment provider isn’t responding.'),
    }

    await expect((await shopOver('open')).startPayment({ body })).rejects.toMatchObject(unavailable)
    const { clientSecret } = await (await clientOf(shop, ada)).startPayment({ body })
    expect(await shop.db.$count(paymentIntents)).toBe(1)

    await expect((await shopOver('find')).startPayment({ body })).rejects.toMatchObject(unavailable)
    const { id } = await payByCard(shop, clientSecret)
    const params = { id: order._id }
    const payment = (await shopOver('find')).payPurchase({ params, body: { transactionId: id } })
    await expect(payment).rejects.toMatchObject(unavailable)
    expect(await read()).toMatchObject({ paid: false })
    await reconcile(shop, Date.now() + hour)
    expect(await read()).toMatchObject({ paid: true, transactionId: id })
    await expectConsistent()
  })

  test(`cancelPurchase fails when the provider ${fault}, and succeeds after recovery`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { shop, part, ada, order, start, cancel, expectConsistent } = await setup()
    await start()
    const shopOver = await clientOf(withNetwork(shop, transport(steps.cancel)), ada)
    await expect(shopOver.cancelPurchase({ params: { id: order._id } })).rejects.toMatchObject({
      status: 503,
    })
    expect(await readStock(shop, part)).toBe(40)
    await cancel()
    expect(await readStock(shop, part)).toBe(50)
    await expectConsistent()
  })

  test(`expireOrders fails when the provider ${fault}, and succeeds after recovery`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { shop, part, start, expectConsistent } = await setup()
    await start()
    const expire = (shopOver: TestShop) => expireOrders(shopOver, Date.now() + 100 * hour)
    await expect(expire(withNetwork(shop, transport(steps.cancel)))).rejects.toThrow(
      'could not be expired: 1',
    )
    expect(await readStock(shop, part)).toBe(40)
    await expire(shop)
    expect(await readStock(shop, part)).toBe(50)
    await expectConsistent()
  })
}

test('a lost provider response is retried automatically', async () => {
  const { shop, ada, order } = await setup()
  const seen = new Set<string>()
  const first = (request: Request) => !seen.has(request.url) && seen.add(request.url).size > 0
  const flaky = withNetwork(shop, providerFaults['responds with 500']!(first), {
    timeout: 10_000,
    maxNetworkRetries: 2,
  })
  const client = await clientOf(flaky, ada)
  const { clientSecret } = await client.startPayment({ body: { price: 70, purchase: order._id } })
  const { id } = await payByCard(shop, clientSecret)
  expect(await client.payPurchase({ params: { id: order._id }, body: { transactionId: id } })).toMatchObject({
    paid: true,
  })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('remindOrders sends one reminder after three quarters of the payment period', async () => {
  const { shop, order } = await setup()
  const reminders = async () =>
    (await emailSubjects(shop)).filter((subject) => subject.includes('is awaiting payment'))
  const placed = Date.parse(order.createdAt)
  for (const wait of [54, 72]) await remindOrders(shop, placed + wait * hour)
  expect(await reminders()).toEqual([])
  const at = placed + 54 * hour + 1
  await Promise.all(Array.from({ length: 5 }, () => remindOrders(shop, at)))
  await remindOrders(shop, at + hour)
  expect(await reminders()).toEqual(['Order #1001 is awaiting payment: 10 × Chain'])
})

test('remindOrders skips orders that are paid, cancelled, expired, held briefly or never expire', async () => {
  const { shop, ada, order, place, client } = await setup()
  await payOrderByCard(shop, ada, order)
  await client.cancelPurchase({ params: { id: (await place())._id } })
  const { _id } = await place()
  await shop.db.update(orders).set({ createdAt: sql`now() - interval '80 hours'` }).where(eq(orders._id, _id))
  await remindOrders(shop)
  await place()
  await remindOrders({ ...shop, holdHours: 0 }, Date.now() + 55 * hour)
  await shop.db.update(orders).set({ shortHoldUntil: new Date(Date.now() + hour).toISOString() })
  await remindOrders(shop, Date.now() + 55 * hour)
  expect((await emailSubjects(shop)).filter((subject) => subject.includes('is awaiting payment'))).toEqual([])
})
