import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { paymentIntents } from '#db/embedded.ts'
import { ledger, orderEvents, payments, refunds } from '#db/schema.ts'
import { expireOrders } from '#shop/orders/expiry.server.ts'
import {
  bankSdk,
  brokenBank,
  emailSubjects,
  expectAgreement,
  orderedShop,
  strayPayment,
  takePost,
  withWire,
} from '#test/bank.ts'
import { clientOf, createUser, pay, payByCard, purchase, readStock, type TestShop } from '#test/shop.ts'
import { handleWebhook } from './payments.server.ts'
import { reconcile } from './reconcile.server.ts'
import { settlePayment } from './settle.server.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const hour = 60 * 60 * 1000
const after = () => Date.now() + 73 * hour

async function scene() {
  const world = await orderedShop()
  const { shop, part } = world
  return {
    ...world,
    told: async (id: string) => settlePayment(shop, (await shop.payments.find(id))!),
    agree: () => expectAgreement(shop, [part._id, 50]),
    later: async () => (await emailSubjects(shop)).slice(1),
  }
}

test('a payment is settled once, even when it is told 20 times at once', async () => {
  const { shop, start, told, read, agree, later } = await scene()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  await Promise.all(Array.from({ length: 20 }, () => told(id)))
  expect(await read()).toMatchObject({ paid: true, transactionId: id, refunded: 0 })
  expect(await shop.db.select().from(ledger)).toMatchObject([{ kind: 'payment', reference: id, amount: 70 }])
  expect(await later()).toEqual(['Your receipt for 10 × Chain'])
  await agree()
})

test('of two payments of one order that both succeed, one pays it and the other goes back', async () => {
  const { shop, order, start, told, read, agree, later } = await scene()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  const other = await strayPayment(shop, order)
  await Promise.all([told(id), told(other), told(id), told(other)])
  const { paid, transactionId, refunded } = await read()
  expect([paid, refunded]).toEqual([true, 0])
  const back = transactionId === id ? other : id
  expect(await shop.db.select().from(refunds)).toMatchObject([
    { paymentId: back, amount: 70, requestedBy: null, reason: 'The order had been paid already.' },
  ])
  expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ payment_intent: back, amount: 7000 }])
  expect((await later()).toSorted()).toEqual([
    'Your payment for 10 × Chain goes back to you',
    'Your receipt for 10 × Chain',
  ])
  await agree()
})

test('the payment of an order that was paid by another cannot succeed any more once it is asked about', async () => {
  const { shop, order, start, told, agree } = await scene()
  const { clientSecret } = await start()
  await told(await strayPayment(shop, order))
  await reconcile(shop, Date.now() + hour)
  expect((await payByCard(shop, clientSecret)).answer.error.code).toBe('payment_intent_unexpected_state')
  await agree()
})

test('a payment after the time was over takes the parts again while they are there', async () => {
  const { shop, part, order, told, read, agree, later } = await scene()
  await expireOrders(shop, after())
  expect(await readStock(shop, part)).toBe(50)
  const id = await strayPayment(shop, order)
  await Promise.all([told(id), told(id)])
  expect(await read()).toMatchObject({ paid: true, expired: false, transactionId: id })
  expect(await readStock(shop, part)).toBe(40)
  expect(await shop.db.select().from(orderEvents)).toMatchObject([
    { kind: 'expired' },
    { kind: 'taken again' },
  ])
  expect(await later()).toEqual(['Yours after all: 10 × Chain'])
  await agree()
})

test('a payment after the time was over goes back when the parts are gone', async () => {
  const { shop, part, order, place, told, read, agree, later } = await scene()
  await expireOrders(shop, after())
  await place(41)
  const id = await strayPayment(shop, order)
  await told(id)
  expect(await read()).toMatchObject({ paid: false, expired: true, refunded: 70 })
  expect(await readStock(shop, part)).toBe(9)
  expect((await bankSdk(shop).refunds.list({ payment_intent: id })).data).toMatchObject([{ amount: 7000 }])
  expect((await later()).slice(1)).toEqual(['Your payment for 10 × Chain goes back to you'])
  await agree()
})

test('a payment of a cancelled order goes back, and the order stays away', async () => {
  const { shop, part, order, cancel, told, read, agree, later } = await scene()
  await cancel()
  const id = await strayPayment(shop, order)
  await told(id)
  await expect(read()).rejects.toMatchObject({ status: 404 })
  expect(await readStock(shop, part)).toBe(50)
  expect(await shop.db.select().from(refunds)).toMatchObject([{ reason: 'The order had been cancelled.' }])
  expect(await later()).toEqual(['Your payment for 10 × Chain goes back to you'])
  await agree()
})

test('an amount changed between opening and paying pays nothing and goes back', async () => {
  for (const dollars of [1, 69, 71]) {
    const { shop, ada, order, start, finish, read, agree } = await scene()
    const { clientSecret } = await start()
    const [id] = clientSecret.split('_secret_') as [string]
    await bankSdk(shop).paymentIntents.update(id, { amount: dollars * 100 })
    await payByCard(shop, clientSecret)
    await expect(finish(id)).rejects.toMatchObject({ status: 402 })
    expect(await read()).toMatchObject({ paid: false, expired: false })
    expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: dollars * 100 }])
    expect(await pay(shop, ada, order)).toMatchObject({ paid: true })
    await agree()
  }
})

test('money that is not whole dollars of ours pays nothing, and is left for somebody to look at', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  for (const change of [{ amount: 7050 }, { currency: 'eur' }]) {
    const { shop, start, finish } = await scene()
    const { id } = await payByCard(shop, (await start()).clientSecret)
    await shop.db.update(paymentIntents).set(change).where(eq(paymentIntents.id, id))
    await expect(finish(id)).rejects.toMatchObject({ status: 402 })
    expect(await shop.db.$count(ledger)).toBe(0)
    expect(log.mock.lastCall?.[0]).toContain('is not whole dollars')
  }
})

test('a transaction id of another order, another customer or a smaller order pays nothing', async () => {
  const { shop, place, part, finish, read, agree } = await scene()
  const bob = await clientOf(shop, await createUser(shop, 'Bob'))
  const ada = await place(11)
  const bobs = await bob.placeOrder({ body: { ...purchase, partId: part._id, quantity: 10 } })
  for (const { _id } of [ada, bobs])
    await finish(await strayPayment(shop, { _id, price: 70 })).catch(() => {})
  for (const order of [ada, bobs]) {
    const id = await strayPayment(shop, order)
    await expect(finish(id)).rejects.toMatchObject({ status: 402, message: 'The payment was not completed.' })
  }
  await expect(finish(await strayPayment(shop, { _id: (await read())._id, price: 1 }))).rejects.toMatchObject(
    {
      status: 402,
    },
  )
  expect(await read()).toMatchObject({ paid: false })
  for (const { body, signature } of await takePost(shop)) await handleWebhook(shop, body, signature)
  await agree()
})

test('a payment of an order that is not ours is left alone', async () => {
  const { shop, told } = await scene()
  for (const _id of ['', 'an order of somebody else'])
    await told(await strayPayment(shop, { _id, price: 70 }))
  expect([await shop.db.$count(payments), await shop.db.$count(ledger)]).toEqual([0, 0])
  expect((await bankSdk(shop).refunds.list()).data).toEqual([])
})

/** A payment that has succeeded, of an order that was cancelled. */
async function unusable() {
  const { shop, order, cancel, agree } = await scene()
  await cancel()
  vi.spyOn(console, 'error').mockReturnValue()
  return { shop, agree, id: await strayPayment(shop, order) }
}

async function settleWhileAway(shop: TestShop, id: string) {
  const away = withWire(
    shop,
    brokenBank['answers 500']!((request) => request.method === 'POST'),
  )
  await settlePayment(away, (await away.payments.find(id))!)
}

test('money that must go back while the provider is away goes back later, once', async () => {
  for (const wire of Object.values(brokenBank)) {
    const { shop, id, agree } = await unusable()
    const away = withWire(
      shop,
      wire((request) => request.method === 'POST'),
    )
    await settlePayment(away, (await away.payments.find(id))!)
    expect(await shop.db.select().from(refunds)).toMatchObject([{ amount: 70, completedAt: null }])
    await reconcile(away, Date.now() + hour).catch(() => {})
    await reconcile(shop, Date.now() + 2 * hour)
    await reconcile(shop, Date.now() + 3 * hour)
    expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 7000 }])
    await agree()
  }
})

test('money that must go back goes back though the provider refuses for a while', async () => {
  const { shop, id, agree } = await unusable()
  const message = 'Insufficient funds in your Stripe balance to refund this amount.'
  const poor = withWire(shop, (send) => async (request) => {
    const refunding = request.method === 'POST' && request.url.endsWith('/refunds')
    return refunding
      ? Response.json({ error: { type: 'invalid_request_error', message } }, { status: 400 })
      : send(request)
  })
  await settlePayment(poor, (await poor.payments.find(id))!)
  await expect(reconcile(poor, Date.now() + hour)).rejects.toThrow()
  expect(await shop.db.select().from(refunds)).toMatchObject([
    { amount: 70, completedAt: null, failure: null },
  ])
  await reconcile(shop, Date.now() + 2 * hour)
  expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 7000 }])
  await agree()
})

test('of money that somebody gave back in part by hand, the rest goes back', async () => {
  const { shop, id, agree } = await unusable()
  await bankSdk(shop).refunds.create({ payment_intent: id, amount: 3000 })
  await settlePayment(shop, (await shop.payments.find(id))!)
  expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 4000 }, { amount: 3000 }])
  await agree()
})

test('money that was given back by hand meanwhile is owed no more', async () => {
  const { shop, id, agree } = await unusable()
  await settleWhileAway(shop, id)
  await bankSdk(shop).refunds.create({ payment_intent: id })
  await reconcile(shop, Date.now() + hour)
  expect(await shop.db.select().from(refunds)).toMatchObject([
    { failure: 'All of this payment was given back before.' },
  ])
  expect((await bankSdk(shop).refunds.list()).data).toHaveLength(1)
  await agree()
})

test('when a part was given back by hand meanwhile, the rest goes back', async () => {
  const { shop, id, agree } = await unusable()
  await settleWhileAway(shop, id)
  await bankSdk(shop).refunds.create({ payment_intent: id, amount: 3000 })
  await reconcile(shop, Date.now() + hour)
  await reconcile(shop, Date.now() + 2 * hour)
  expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 4000 }, { amount: 3000 }])
  await agree()
})

test('cents that somebody gave back by hand are left for somebody to look at', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  const { shop, ada, order, read } = await scene()
  const { transactionId } = await pay(shop, ada, order)
  await bankSdk(shop).refunds.create({ payment_intent: transactionId!, amount: 150 })
  await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  expect(await read()).toMatchObject({ paid: true, refunded: 0 })
  expect(log.mock.lastCall?.[0]).toContain('is not whole dollars')
})

test('ledger and events are never changed or deleted, not even by hand', async () => {
  const { shop, ada, admin, order } = await scene()
  await pay(shop, ada, order)
  await admin.shipOrder({ params: { id: order._id } })
  for (const table of ['ledger', 'order_events']) {
    for (const statement of [`update ${table} set at = now()`, `delete from ${table}`]) {
      const change = shop.db.execute(sql.raw(statement))
      await expect(change, statement).rejects.toMatchObject({
        cause: { message: `${table} is only added to` },
      })
    }
  }
})

test('no movement is written twice, and none with the wrong sign', async () => {
  const { shop, ada, order } = await scene()
  const { transactionId } = await pay(shop, ada, order)
  const row = { orderId: order._id, paymentId: transactionId! }
  const wrong = [
    { ...row, reference: transactionId!, kind: 'payment', amount: 70 },
    { ...row, reference: 're_1', kind: 'refund', amount: 70 },
    { ...row, reference: 're_2', kind: 'failed refund', amount: -70 },
    { ...row, reference: 're_3', kind: 'payment', amount: 0 },
  ] as const
  for (const values of wrong) await expect(shop.db.insert(ledger).values(values)).rejects.toThrow()
})
