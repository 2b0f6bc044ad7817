import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { paymentIntents } from '#db/embedded.ts'
import { orders, payments } from '#db/schema.ts'
import { expireOrders, remindOrders } from '#shop/orders/expiry.server.ts'
import { brokenBank, emailSubjects, expectAgreement, orderedShop, withWire } from '#test/bank.ts'
import { clientOf, pay, payByCard, readStock, type TestShop, withPayments } from '#test/shop.ts'
import { reconcile } from './reconcile.server.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const minute = 60_000
const hour = 60 * minute

async function scene(options = {}) {
  const world = await orderedShop(options)
  const { shop, part, start } = world
  return {
    ...world,
    confirm: async () => (await payByCard(shop, (await start()).clientSecret)).id,
    agree: () => expectAgreement(shop, [part._id, 50]),
  }
}

/** The shop, and how often it asked the card provider how a payment stands. */
function counting(shop: TestShop) {
  let times = 0
  const counted = withPayments(shop, {
    find: (id) => {
      times += 1
      return shop.payments.find(id)
    },
  })
  return { counted, times: () => times }
}

test('an order whose browser was closed after the card had paid is found paid by asking', async () => {
  const { shop, part, confirm, read, agree } = await scene()
  const id = await confirm()
  await reconcile(shop, Date.now() + minute)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
  expect(await readStock(shop, part)).toBe(40)
  await agree()
})

test('the older a payment, the more rarely it is asked about', async () => {
  const { shop, start } = await scene()
  await start()
  const { counted, times } = counting(shop)
  const [payment] = await shop.db.select().from(payments)
  const opened = Date.parse(payment!.presentedAt)
  const asked = async (from: number, to: number) => {
    const before = times()
    for (let after = from; after < to; after += minute) await reconcile(counted, opened + after)
    return times() - before
  }
  expect(await asked(minute, 11 * minute)).toBeGreaterThan(7)
  expect(await asked(10 * hour, 12 * hour)).toBeLessThan(4)
  await asked(48 * hour, 48 * hour + minute)
  expect(await asked(48 * hour, 50 * hour)).toBe(0)
})

test('a payment that is shown again is asked about soon again', async () => {
  const { shop, start } = await scene()
  await start()
  const long = new Date(Date.now() - 60 * hour).toISOString()
  const justNow = new Date(Date.now() - minute).toISOString()
  await shop.db.update(payments).set({ presentedAt: long, checkedAt: justNow })
  const { counted, times } = counting(shop)
  await reconcile(counted)
  expect(times()).toBe(0)
  await start()
  await reconcile(counted)
  expect(times()).toBe(1)
})

test('a payment that has ended is asked about no more', async () => {
  const { shop, ada, order } = await scene()
  await pay(shop, ada, order)
  const { counted, times } = counting(shop)
  await reconcile(counted, Date.now() + 100 * hour)
  expect(times()).toBe(0)
})

test('two processes ask about each payment once', async () => {
  const { shop, client, place, order } = await scene()
  for (const one of [order, await place(), await place(), await place()]) {
    await client.startPayment({ body: { price: 70, purchase: one._id } })
  }
  const { counted, times } = counting(shop)
  const at = Date.now() + hour
  await Promise.all(Array.from({ length: 6 }, () => reconcile(counted, at)))
  expect(times()).toBe(4)
})

test('one payment that cannot be asked about stops none of the others', async () => {
  const { shop, client, place, start, read } = await scene()
  const broken = (await start()).clientSecret.split('_secret_')[0]
  const other = await place()
  const { clientSecret } = await client.startPayment({ body: { price: 70, purchase: other._id } })
  await payByCard(shop, clientSecret)
  const half = withPayments(shop, {
    find: (id) => (id === broken ? Promise.reject(new Error('no answer')) : shop.payments.find(id)),
  })
  await expect(reconcile(half, Date.now() + hour)).rejects.toThrow('Could not ask the card provider 1 times')
  expect(await read()).toMatchObject({ paid: false })
  expect(await client.readOrder({ params: { id: other._id } })).toMatchObject({ paid: true })
})

test('a payment that the provider does not know, for it was opened at another, is forgotten', async () => {
  const forgetting: ((scene: Awaited<ReturnType<typeof orderedShop>>) => Promise<unknown>)[] = [
    ({ shop }) => reconcile(shop, Date.now() + hour),
    ({ start }) => start(),
    ({ cancel }) => cancel(),
    ({ shop }) => expireOrders(shop, Date.now() + 100 * hour),
  ]
  for (const [i, forget] of forgetting.entries()) {
    const world = await scene()
    const now = new Date().toISOString()
    const elsewhere = { _id: 'pi_elsewhere', orderId: world.order._id, presentedAt: now, checkedAt: now }
    await world.shop.db.insert(payments).values(elsewhere)
    await forget(world)
    const [row] = await world.shop.db.select().from(payments).where(eq(payments._id, 'pi_elsewhere'))
    expect(row?.settledAt, String(i)).not.toBe(null)
    if (i < 2) expect(await pay(world.shop, world.ada, world.order)).toMatchObject({ paid: true })
    await world.agree()
  }
})

test('a payment that is under way at the provider is said to be, and no other is opened', async () => {
  const { shop, ada, order, start } = await scene()
  const { clientSecret, processing } = await start()
  expect(processing).toBe(false)
  const underWay = withPayments(shop, {
    find: async (id) => ({ ...(await shop.payments.find(id))!, status: 'processing' }),
  })
  const again = (await clientOf(underWay, ada)).startPayment({ body: { price: 70, purchase: order._id } })
  expect(await again).toEqual({ clientSecret, processing: true })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

// What the shop asks of the provider, by the request that it makes.
const steps = {
  open: (request: Request) => request.method === 'POST' && request.url.endsWith('/payment_intents'),
  find: (request: Request) => request.method === 'GET' && /payment_intents\/pi_\w+$/.test(request.url),
  cancel: (request: Request) => request.url.endsWith('/cancel'),
}

for (const [fault, wire] of Object.entries(brokenBank)) {
  test(`when the provider ${fault}, people are told to try again, and then it works`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { shop, ada, order, read, agree } = await scene()
    const over = (step: keyof typeof steps) => clientOf(withWire(shop, wire(steps[step])), ada)
    const body = { price: 70, purchase: order._id }
    const away = { status: 503, message: expect.stringContaining('The card provider does not answer.') }

    await expect((await over('open')).startPayment({ body })).rejects.toMatchObject(away)
    const { clientSecret } = await (await clientOf(shop, ada)).startPayment({ body })
    expect(await shop.db.$count(paymentIntents)).toBe(1)

    await expect((await over('find')).startPayment({ body })).rejects.toMatchObject(away)
    const { id } = await payByCard(shop, clientSecret)
    const params = { id: order._id }
    const tell = (await over('find')).payOrder({ params, body: { transactionId: id } })
    await expect(tell).rejects.toMatchObject(away)
    expect(await read()).toMatchObject({ paid: false })
    await reconcile(shop, Date.now() + hour)
    expect(await read()).toMatchObject({ paid: true, transactionId: id })
    await agree()
  })

  test(`an order is not cancelled while the provider ${fault}, and once it does answer it is`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { shop, part, ada, order, start, cancel, agree } = await scene()
    await start()
    const over = await clientOf(withWire(shop, wire(steps.cancel)), ada)
    await expect(over.cancelOrder({ params: { id: order._id } })).rejects.toMatchObject({ status: 503 })
    expect(await readStock(shop, part)).toBe(40)
    await cancel()
    expect(await readStock(shop, part)).toBe(50)
    await agree()
  })

  test(`an order does not expire while the provider ${fault}, and once it does answer it does`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { shop, part, start, agree } = await scene()
    await start()
    const expire = (over: TestShop) => expireOrders(over, Date.now() + 100 * hour)
    await expect(expire(withWire(shop, wire(steps.cancel)))).rejects.toThrow('could not be expired: 1')
    expect(await readStock(shop, part)).toBe(40)
    await expire(shop)
    expect(await readStock(shop, part)).toBe(50)
    await agree()
  })
}

test('one answer that is lost is asked for again by itself', async () => {
  const { shop, ada, order } = await scene()
  const seen = new Set<string>()
  const first = (request: Request) => !seen.has(request.url) && seen.add(request.url).size > 0
  const shaky = withWire(shop, brokenBank['answers 500']!(first), { timeout: 10_000, maxNetworkRetries: 2 })
  const client = await clientOf(shaky, ada)
  const { clientSecret } = await client.startPayment({ body: { price: 70, purchase: order._id } })
  const { id } = await payByCard(shop, clientSecret)
  expect(await client.payOrder({ params: { id: order._id }, body: { transactionId: id } })).toMatchObject({
    paid: true,
  })
  expect(await shop.db.$count(paymentIntents)).toBe(1)
})

test('whoever has not paid is told once when three quarters of the time have gone', async () => {
  const { shop } = await scene()
  const told = async () =>
    (await emailSubjects(shop)).filter((subject) => subject.startsWith('Still waiting'))
  await remindOrders(shop, Date.now() + 53 * hour)
  expect(await told()).toEqual([])
  const at = Date.now() + 55 * hour
  await Promise.all(Array.from({ length: 5 }, () => remindOrders(shop, at)))
  await remindOrders(shop, at + hour)
  expect(await told()).toEqual(['Still waiting for you: 10 × Chain'])
})

test('nobody is told of an order that is paid, cancelled, expired or held for ever', async () => {
  const { shop, ada, order, place, client } = await scene()
  await pay(shop, ada, order)
  await client.cancelOrder({ params: { id: (await place())._id } })
  const { _id } = await place()
  await shop.db.update(orders).set({ createdAt: sql`now() - interval '80 hours'` }).where(eq(orders._id, _id))
  await remindOrders(shop)
  await place()
  await remindOrders({ ...shop, holdHours: 0 }, Date.now() + 55 * hour)
  expect((await emailSubjects(shop)).filter((subject) => subject.startsWith('Still waiting'))).toEqual([])
})
