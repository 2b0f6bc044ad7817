import { eq, type SQL, sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { openDispute } from '#bank/disputes.ts'
import { bankRefunds, charges, paymentIntents } from '#db/embedded.ts'
import { ledger, orderEvents, payments, refunds } from '#db/schema.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import type { Dispute, Refund } from '#shop/ports.ts'
import {
  bankSdk,
  emailSubjects,
  providerFaults,
  shopWithOrder,
  takeWebhookEvents,
  unknownPayment,
  withNetwork,
} from '#test/bank.ts'
import {
  clientOf,
  createUser,
  payByCard,
  payOrderByCard,
  purchase,
  readStock,
  type TestShop,
} from '#test/shop.ts'
import { unrefundedCents } from './incoming.server.ts'
import { reconcile } from './reconcile.server.ts'
import { settlePayment } from './settle.server.ts'
import { handleWebhook } from './webhook.server.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const hour = 60 * 60 * 1000
const after = () => Date.now() + 73 * hour

async function setup() {
  const context = await shopWithOrder()
  const { shop } = context
  return {
    ...context,
    settle: async (id: string) => settlePayment(shop, (await shop.payments.find(id))!),
    laterSubjects: async () => (await emailSubjects(shop)).slice(1),
  }
}

type Context = Awaited<ReturnType<typeof setup>>

test('20 concurrent settlePayment calls settle a payment once', async () => {
  const { shop, start, settle, read, expectConsistent, laterSubjects } = await setup()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  await Promise.all(Array.from({ length: 20 }, () => settle(id)))
  expect(await read()).toMatchObject({ paid: true, transactionId: id, refunded: 0 })
  expect(await shop.db.select().from(ledger).orderBy(ledger.number)).toMatchObject([
    { kind: 'payment', reference: id, amountCents: 7000 },
  ])
  expect(await laterSubjects()).toEqual(['Invoice for order #1001: 10 × Chain'])
  await expectConsistent()
})

test('when two payments of one order succeed, one pays it and the other is refunded', async () => {
  const { shop, order, start, settle, read, expectConsistent, laterSubjects } = await setup()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  const other = await unknownPayment(shop, order)
  await Promise.all([settle(id), settle(other), settle(id), settle(other)])
  const { paid, transactionId, refunded } = await read()
  expect([paid, refunded]).toEqual([true, 0])
  const refundedId = transactionId === id ? other : id
  expect(await shop.db.select().from(refunds)).toMatchObject([
    {
      paymentId: refundedId,
      amountCents: 7000,
      requestedBy: null,
      reason: 'The order was already paid with another payment, which isn’t affected.',
    },
  ])
  expect((await bankSdk(shop).refunds.list()).data).toMatchObject([
    { payment_intent: refundedId, amount: 7000 },
  ])
  expect((await laterSubjects()).toSorted()).toEqual([
    'Invoice for order #1001: 10 × Chain',
    'We’re refunding your payment for order #1001: 10 × Chain',
  ])
  await expectConsistent()
})

test('reconcile cancels the open payment of an order that another payment has paid', async () => {
  const { shop, order, start, settle, expectConsistent } = await setup()
  const { clientSecret } = await start()
  await settle(await unknownPayment(shop, order))
  await reconcile(shop, Date.now() + hour)
  expect((await payByCard(shop, clientSecret)).response.error.code).toBe('payment_intent_unexpected_state')
  await expectConsistent()
})

test('a late payment reinstates an expired order when the stock suffices', async () => {
  const { shop, part, order, place, settle, read, expectConsistent, laterSubjects } = await setup()
  await expireOrders(shop, after())
  expect(await readStock(shop, part)).toBe(50)
  await place(40)
  const id = await unknownPayment(shop, order)
  await Promise.all([settle(id), settle(id)])
  expect(await read()).toMatchObject({ paid: true, expired: false, transactionId: id })
  expect(await readStock(shop, part)).toBe(0)
  expect(await shop.db.select().from(orderEvents).orderBy(orderEvents.number)).toMatchObject([
    { kind: 'cancelled' },
    { kind: 'expired' },
    { kind: 'reserved again' },
  ])
  expect((await laterSubjects()).slice(1)).toEqual(['Order #1001 is confirmed: 10 × Chain'])
  await expectConsistent()
})

test('a late payment is refunded when the parts are sold out', async () => {
  const { shop, part, order, place, settle, read, expectConsistent, laterSubjects } = await setup()
  await expireOrders(shop, after())
  await place(41)
  const id = await unknownPayment(shop, order)
  await settle(id)
  expect(await read()).toMatchObject({ paid: false, expired: true, refunded: 70, orderRefunded: 70 })
  expect(await readStock(shop, part)).toBe(9)
  expect((await bankSdk(shop).refunds.list({ payment_intent: id })).data).toMatchObject([{ amount: 7000 }])
  expect((await laterSubjects()).slice(1)).toEqual([
    'We’re refunding your payment for order #1001: 10 × Chain',
  ])
  await expectConsistent()
})

test('a payment of a cancelled order is refunded, and the order stays cancelled', async () => {
  const { shop, part, order, cancel, settle, read, expectConsistent, laterSubjects } = await setup()
  await cancel()
  const id = await unknownPayment(shop, order)
  await settle(id)
  await expect(read()).rejects.toMatchObject({ status: 404 })
  expect(await readStock(shop, part)).toBe(50)
  expect(await shop.db.select().from(refunds)).toMatchObject([{ reason: 'The order was cancelled.' }])
  expect(await laterSubjects()).toEqual([
    'We’re refunding your payment for order #1001: 10 × Bell and 1 more item',
  ])
  await expectConsistent()
})

test('a payment of an order that is cancelled, expires or is paid after it was read does not pay it', async () => {
  const changes = {
    'The order was cancelled.': ({ cancel }: Context) => cancel(),
    // Its stock is taken again.
    '': ({ shop }: Context) => expireOrders(shop, after()),
    'The order was already paid with another payment, which isn’t affected.': async (context: Context) =>
      context.settle(await unknownPayment(context.shop, context.order)),
  }
  for (const [reason, change] of Object.entries(changes)) {
    const context = await setup()
    const { shop, order, part, expectConsistent } = context
    const payment = (await shop.payments.find(await unknownPayment(shop, order)))!
    const execute = async (statement: SQL) => {
      await change(context)
      return shop.db.execute(statement)
    }
    const db = Object.assign(Object.create(shop.db), { execute })
    await settlePayment({ ...shop, db }, payment)
    expect((await shop.db.select().from(refunds)).map((refund) => refund.reason)).toEqual(
      reason ? [reason] : [],
    )
    expect(await readStock(shop, part)).toBe(reason === 'The order was cancelled.' ? 50 : 40)
    await expectConsistent()
  }
})

test('a payment with a changed amount is refunded and does not pay the order', async () => {
  for (const dollars of [1, 69.99, 70.01, 101]) {
    const { shop, ada, order, start, finish, read, expectConsistent } = await setup()
    const { clientSecret } = await start()
    const [id] = clientSecret.split('_secret_') as [string]
    await shop.db
      .update(paymentIntents)
      .set({ amount: Math.round(dollars * 100) })
      .where(eq(paymentIntents.id, id))
    await payByCard(shop, clientSecret)
    await expect(finish(id)).rejects.toMatchObject({ status: 402 })
    expect(await read()).toMatchObject({ paid: false, expired: false })
    expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: Math.round(dollars * 100) }])
    expect(await payOrderByCard(shop, ada, order)).toMatchObject({ paid: true })
    await expectConsistent()
  }
})

test('a payment that was refunded in part or disputed before the shop learned of it pays its order, with that', async () => {
  const cases = [
    [
      (shop: TestShop, id: string) => bankSdk(shop).refunds.create({ payment_intent: id, amount: 1999 }),
      19.99,
      0,
    ],
    [(shop: TestShop, id: string) => openDispute(shop.db, id), 0, 70],
  ] as const
  for (const [change, refunded, disputed] of cases) {
    const { shop, order, settle, read, expectConsistent } = await setup()
    const id = await unknownPayment(shop, order)
    await change(shop, id)
    await settle(id)
    expect(await read()).toMatchObject({ paid: true, transactionId: id, refunded, disputed })
    await expectConsistent()
  }
})

test('a payment in another currency does not pay the order and becomes a task for admins', async () => {
  const { shop, start, finish, admin } = await setup()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  await shop.db.update(paymentIntents).set({ currency: 'eur' }).where(eq(paymentIntents.id, id))
  for (let i = 0; i < 2; i += 1) await expect(finish(id)).rejects.toMatchObject({ status: 402 })
  expect(await shop.db.$count(ledger)).toBe(0)
  expect(await admin.listPaymentTasks()).toMatchObject([{ kind: 'unsupported currency', reference: id }])
})

test('payPurchase rejects the transaction id of another order, another customer or a lower amount', async () => {
  const { shop, place, part, finish, read, expectConsistent } = await setup()
  const bob = await clientOf(shop, await createUser(shop, 'Bob'))
  const ada = await place(11)
  const bobs = await bob.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  for (const { orderId } of [ada, bobs])
    await finish(await unknownPayment(shop, { orderId, charged: 70 })).catch(() => {})
  for (const order of [ada, bobs]) {
    const id = await unknownPayment(shop, order)
    await expect(finish(id)).rejects.toMatchObject({
      status: 402,
      message: 'We couldn’t confirm this payment.',
    })
  }
  await expect(finish(await unknownPayment(shop, { ...(await read()), charged: 1 }))).rejects.toMatchObject({
    status: 402,
  })
  expect(await read()).toMatchObject({ paid: false })
  for (const { body, signature } of await takeWebhookEvents(shop)) await handleWebhook(shop, body, signature)
  await expectConsistent()
})

test('settlePayment ignores a payment of an unknown order', async () => {
  const { shop, settle } = await setup()
  for (const orderId of ['', 'an order of somebody else'])
    await settle(await unknownPayment(shop, { orderId, charged: 70 }))
  expect([await shop.db.$count(payments), await shop.db.$count(ledger)]).toEqual([0, 0])
  expect((await bankSdk(shop).refunds.list()).data).toEqual([])
})

async function setupUnusablePayment() {
  const { shop, order, cancel, expectConsistent } = await setup()
  await cancel()
  vi.spyOn(console, 'error').mockReturnValue()
  return { shop, expectConsistent, id: await unknownPayment(shop, order) }
}

async function settleWhileUnavailable(shop: TestShop, id: string) {
  const unavailable = withNetwork(
    shop,
    providerFaults['responds with 500']!((request) => request.method === 'POST'),
  )
  await settlePayment(unavailable, (await unavailable.payments.find(id))!)
}

test('a refund is executed once after the provider recovers', async () => {
  for (const transport of Object.values(providerFaults)) {
    const { shop, id, expectConsistent } = await setupUnusablePayment()
    const unavailable = withNetwork(
      shop,
      transport((request) => request.method === 'POST'),
    )
    await settlePayment(unavailable, (await unavailable.payments.find(id))!)
    expect(await shop.db.select().from(refunds)).toMatchObject([{ amountCents: 7000, endedAt: null }])
    await reconcile(unavailable, Date.now() + hour).catch(() => {})
    await reconcile(shop, Date.now() + 2 * hour)
    await reconcile(shop, Date.now() + 3 * hour)
    expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 7000 }])
    await expectConsistent()
  }
})

test('a required refund is retried after the provider refuses it', async () => {
  const { shop, id, expectConsistent } = await setupUnusablePayment()
  const message = 'Insufficient funds in your Stripe balance to refund this amount.'
  const refusing = withNetwork(shop, (send) => async (request) => {
    const isRefund = request.method === 'POST' && request.url.endsWith('/refunds')
    return isRefund
      ? Response.json({ error: { type: 'invalid_request_error', message } }, { status: 400 })
      : send(request)
  })
  await settlePayment(refusing, (await refusing.payments.find(id))!)
  await expect(reconcile(refusing, Date.now() + hour)).rejects.toThrow()
  expect(await shop.db.select().from(refunds)).toMatchObject([
    { amountCents: 7000, endedAt: null, finalRefusal: null },
  ])
  await reconcile(shop, Date.now() + 2 * hour)
  expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 7000 }])
  await expectConsistent()
})

test('settlePayment refunds the rest of a payment that was partly refunded manually', async () => {
  const { shop, id, expectConsistent } = await setupUnusablePayment()
  for (const amount of [3000, 1000]) await bankSdk(shop).refunds.create({ payment_intent: id, amount })
  // One of them has failed.
  await shop.db.update(bankRefunds).set({ status: 'failed' }).where(eq(bankRefunds.amount, 1000))
  await shop.db.update(charges).set({ amountRefunded: 3000 })
  await settlePayment(shop, (await shop.payments.find(id))!)
  const { data } = await bankSdk(shop).refunds.list()
  expect(data.map(({ amount }) => amount)).toEqual([4000, 1000, 3000])
  await expectConsistent()
})

test('a pending refund ends as failed when the payment was refunded manually', async () => {
  const { shop, id, expectConsistent } = await setupUnusablePayment()
  await settleWhileUnavailable(shop, id)
  await bankSdk(shop).refunds.create({ payment_intent: id })
  await reconcile(shop, Date.now() + hour)
  expect(await shop.db.select().from(refunds)).toMatchObject([
    { finalRefusal: 'This payment was already refunded in full.' },
  ])
  expect((await bankSdk(shop).refunds.list()).data).toHaveLength(1)
  await expectConsistent()
})

test('what is left of a payment leaves out refunds that succeeded and disputes that were lost', async () => {
  const { shop, id } = await setupUnusablePayment()
  const payment = (await shop.payments.find(id))!
  const refund = (status: Refund['status']) => ({ id: 're_1', amountCents: 999, status, key: null })
  const dispute = (status: Dispute['status'], returnedCents: number) => ({
    id: 'du_1',
    amountCents: 2_500,
    status,
    withdrawnCents: 2_500,
    returnedCents,
    reason: 'fraudulent',
    respondBy: null,
    isInquiry: false,
  })
  const refunds = [refund('accepted'), refund('failed')]
  const disputes = [dispute('open', 0), dispute('won', 2_500), dispute('lost', 499)]
  expect(unrefundedCents({ ...payment, refunds, disputes })).toBe(4_000)
})

test('the database rejects updates and deletes on ledger and order_events', async () => {
  const { shop, ada, admin, order } = await setup()
  await payOrderByCard(shop, ada, order)
  await admin.shipPurchase({ params: { id: order._id } })
  for (const table of ['ledger', 'order_events']) {
    for (const statement of [`update ${table} set at = now()`, `delete from ${table}`]) {
      const change = shop.db.execute(sql.raw(statement))
      await expect(change, statement).rejects.toMatchObject({
        cause: { message: `${table} is only added to` },
      })
    }
  }
})

test('the ledger rejects duplicate entries and wrong signs', async () => {
  const { shop, ada, order } = await setup()
  const { transactionId } = await payOrderByCard(shop, ada, order)
  const row = { orderId: order._id, paymentId: transactionId! }
  const wrong = [
    { ...row, reference: transactionId!, kind: 'payment', amountCents: 7000 },
    { ...row, reference: 're_1', kind: 'refund', amountCents: 7000 },
    { ...row, reference: 're_2', kind: 'failed refund', amountCents: -7000 },
    { ...row, reference: 're_3', kind: 'payment', amountCents: 0 },
  ] as const
  for (const values of wrong) await expect(shop.db.insert(ledger).values(values)).rejects.toThrow()
})
