import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { openDispute } from '#bank/disputes.ts'
import { bankRefunds } from '#db/embedded.ts'
import { disputes, ledger, orderLines, payments, refunds } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import { readAllowance } from '#shop/orders/place/hold-limits.server.ts'
import { bankSdk, emailSubjects, shopWithOrder, unknownPayment, withNetwork } from '#test/bank.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { clientOf, payByCard, payOrderByCard, purchase, type TestShop, withPayments } from '#test/shop.ts'
import { reconcile } from './reconcile.server.ts'
import { executeRefund, settlePayment } from './settle.server.ts'

const hour = 60 * 60 * 1000
const reason = 'It was bent.'

afterEach(() => {
  vi.restoreAllMocks()
})

async function setup() {
  const context = await shopWithOrder()
  const { shop, ada, boss, admin, order } = context
  const { transactionId } = await payOrderByCard(shop, ada, order)
  const params = { id: order._id }
  return {
    ...context,
    params,
    payment: transactionId!,
    stripe: bankSdk(shop),
    adminOf: (other: TestShop) => clientOf(other, boss),
    refund: (amount: number, shipping?: boolean, user = admin) =>
      user.refundPurchase({
        params,
        body: { amount, reason, returned: 0, ...(shipping !== undefined && { shipping }) },
      }),
    subjects: async () => (await emailSubjects(shop)).slice(2),
  }
}

const nothingRefunded = { refundedCents: 0, disputedCents: 0, pendingRefundCents: 0, dispute: null }

/** What the items of an order keep, those that were cancelled, too. */
function readTotals({ db }: TestShop, { orderId }: { orderId: string }) {
  const { refundedCents, disputedCents, pendingRefundCents, dispute } = orderLines
  return db
    .select({ refundedCents, disputedCents, pendingRefundCents, dispute })
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.position)
}

const outage = () => Response.json({ error: { type: 'api_error', message: 'no' } }, { status: 503 })
const isRefund = (request: Request) => request.method === 'POST' && request.url.endsWith('/refunds')

/** Of all customers, in the list, the search, the counts and the worklist. */
async function expectToShip(admin: Awaited<ReturnType<typeof clientOf>>, items: number) {
  for (const q of [undefined, 'Ada']) {
    const [list, orders, counts] = await Promise.all([
      admin.listPurchases({ body: { status: 'pending', q } }),
      admin.listOrders({ body: { status: 'pending', q } }),
      admin.countPurchases({ body: { q } }),
    ])
    expect([list.total, orders.total, counts.pending]).toEqual([items, items, items])
  }
  expect((await admin.readWorklist()).toShip).toBe(items)
}

test('a live shop does not ship, refund or poll an order that was paid in test mode', async () => {
  const { shop, ada, params, refund, adminOf, expectConsistent } = await setup()
  const find = vi.fn(shop.payments.find)
  const live = withPayments(shop, { provider: 'stripe live', find })
  const liveAdmin = await adminOf(live)
  expect(await liveAdmin.readPurchase({ params })).toMatchObject({ paid: true, testPayment: true })
  const refused = {
    status: 409,
    message: 'This order was paid in test mode, so it can’t be shipped or refunded.',
  }
  await expect(liveAdmin.shipPurchase({ params, body: { shipping: true } })).rejects.toMatchObject(refused)
  await expectToShip(liveAdmin, 0)
  await expect(refund(70, false, liveAdmin)).rejects.toMatchObject(refused)
  await reconcile(live, Date.now() + 100 * hour)
  expect(find).not.toHaveBeenCalled()
  const havePaid = async () => {
    const levels = await Promise.all([shop, live].map((one) => readAllowance(one, shop.db, ada)))
    return levels.map(({ hasPaid }) => hasPaid)
  }
  expect(await havePaid()).toEqual([true, false])
  await shop.db.update(payments).set({ provider: 'stripe live' })
  expect(await havePaid()).toEqual([true, true])

  await shop.db.update(orderLines).set({ paymentProvider: 'stripe live' })
  await expectToShip(liveAdmin, 1)
  expect(await liveAdmin.shipPurchase({ params, body: { shipping: true } })).toEqual({ modifiedCount: 1 })
  await expectConsistent()
})

test('an order whose refund is pending is not shipped, and its amount cannot be refunded again', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, params, admin, refund, adminOf } = await setup()
  const silent = withNetwork(
    shop,
    (send) => async (request) => (isRefund(request) ? outage() : send(request)),
  )
  const pending = await refund(70, false, await adminOf(silent))
  expect(pending).toMatchObject({ paid: true, refunded: 0, refundPending: 70 })
  await expect(admin.shipPurchase({ params, body: { shipping: true } })).rejects.toMatchObject({
    status: 409,
  })
  await expect(refund(1)).rejects.toMatchObject({ status: 409 })
  expect((await admin.listPurchases({ body: { status: 'pending' } })).rows).toEqual([])
  expect((await admin.listPurchases({ body: { status: 'refunded' } })).rows).toHaveLength(1)
  await reconcile(shop, Date.now() + hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ refunded: 70, refundPending: 0 })
})

test('when one admin ships an order and another refunds it, one of them is told why not', async () => {
  for (let i = 0; i < 10; i += 1) {
    const { shop, params, admin, refund, expectConsistent } = await setup()
    const outcomes = await Promise.allSettled([
      admin.shipPurchase({ params, body: { shipping: true } }),
      refund(70, false),
    ])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(1)
    expect(refused[0]!.reason).toMatchObject({
      status: 409,
      message: expect.stringMatching(/^(This item was refunded, so|This item has just been shipped\.)/),
    })
    expect(await shop.db.$count(refunds)).toBe(outcomes[1].status === 'fulfilled' ? 1 : 0)
    await expectConsistent()
  }
})

test('a shipped order can be refunded by an admin who knows that it was shipped', async () => {
  const { params, admin, refund } = await setup()
  await admin.shipPurchase({ params, body: { shipping: true } })
  expect(await refund(70, true)).toMatchObject({ refunded: 70, shipping: true })
})

test('without any webhook, reconcile learns of a manual refund and of a refund that fails later', async () => {
  const { shop, admin, params, payment, stripe, refund, subjects } = await setup()
  await stripe.refunds.create({ payment_intent: payment, amount: 3000 })
  await reconcile(shop, Date.now() + hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ refunded: 30 })

  await refund(40)
  await shop.db.update(bankRefunds).set({ status: 'failed' }).where(eq(bankRefunds.amount, 4000))
  await reconcile(shop, Date.now() + 2 * hour)
  await reconcile(shop, Date.now() + 3 * hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ refunded: 30 })
  expect(await subjects()).toEqual([
    'Refund of $30 for order #1001: 10 × Chain',
    'Refund of $40 for order #1001: 10 × Chain',
    'Your refund of $40 failed: order #1001',
    'Refund failed: $40 for order #1001',
  ])
  expect(await admin.listPaymentTasks()).toMatchObject([{ kind: 'refund failed', purchase: params.id }])
})

test('a refund canceled at the provider was not given back', async () => {
  const { shop, admin, params, refund } = await setup()
  await refund(70)
  await shop.db.update(bankRefunds).set({ status: 'canceled' })
  await reconcile(shop, Date.now() + hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ refunded: 0, paid: true })
})

test('a manual refund in cents is in ledger, timeline and email, and the rest can be refunded', async () => {
  const { shop, admin, params, payment, stripe, refund, subjects, expectConsistent } = await setup()
  await stripe.refunds.create({ payment_intent: payment, amount: 1250 })
  await reconcile(shop, Date.now() + hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ refunded: 12.5 })
  expect((await admin.readTimeline({ params })).at(-1)).toMatchObject({ kind: 'refunded', amount: 12.5 })
  expect(await subjects()).toEqual(['Refund of $12.50 for order #1001: 10 × Chain'])
  await expect(refund(57.51)).rejects.toMatchObject({ fields: { amount: ['Amount must be at most $57.50'] } })
  expect(await refund(57.5)).toMatchObject({ refunded: 70 })
  await expectConsistent()
})

test('of a payment that no order can take, what is left after a manual refund in cents goes back', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, client, place, expectConsistent } = await shopWithOrder()
  const order = await place()
  await client.cancelPurchase({ params: { id: order._id } })
  const id = await unknownPayment(shop, order)
  const silent = withNetwork(
    shop,
    (send) => async (request) => (isRefund(request) ? outage() : send(request)),
  )
  await settlePayment(silent, (await shop.payments.find(id))!)
  await bankSdk(shop).refunds.create({ payment_intent: id, amount: 1250 })
  for (const hours of [1, 2, 3]) await reconcile(shop, Date.now() + hours * hour)
  expect((await bankSdk(shop).refunds.list()).data.map(({ amount }) => amount)).toEqual([5750, 1250])
  await expectConsistent()
})

test('a payment that no order can take and that was given back in full by hand is owed nothing', async () => {
  const { shop, client, place, expectConsistent } = await shopWithOrder()
  const order = await place()
  await client.cancelPurchase({ params: { id: order._id } })
  const id = await unknownPayment(shop, order)
  await bankSdk(shop).refunds.create({ payment_intent: id })
  await reconcile(shop, Date.now() + hour)
  await settlePayment(shop, (await shop.payments.find(id))!)
  expect(await shop.db.$count(refunds)).toBe(0)
  await expectConsistent()
})

test('an owed refund that the provider refuses is a task for admins until it is made', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, client, admin, place } = await shopWithOrder()
  const order = await place()
  await client.cancelPurchase({ params: { id: order._id } })
  const refusal = { type: 'invalid_request_error', code: 'charge_disputed', message: 'It is disputed.' }
  const refusing = withNetwork(
    shop,
    (send) => async (request) =>
      isRefund(request) ? Response.json({ error: refusal }, { status: 400 }) : send(request),
  )
  const id = await unknownPayment(shop, order)
  for (let i = 0; i < 2; i += 1) await settlePayment(refusing, (await shop.payments.find(id))!)
  await reconcile(refusing, Date.now() + hour)
  expect(await admin.listPaymentTasks()).toMatchObject([
    { kind: 'refund rejected', detail: expect.stringContaining('It is disputed.'), purchase: order._id },
  ])
  await reconcile(shop, Date.now() + 3 * hour)
  expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 7000 }])
  expect(await admin.listPaymentTasks()).toEqual([])
})

test('an owed refund that an admin makes another way, or whose payment the provider does not know, is not made or dropped', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, ada, client, admin, place, order: first } = await shopWithOrder()
  const refusing = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('conflict', 'No such payment.')),
    find: async () => null,
  })
  for (const isMadeByHand of [false, true]) {
    const order = await place()
    const params = { id: order._id }
    await client.cancelPurchase({ params })
    const id = await unknownPayment(shop, order)
    const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
    await settlePayment(silent, (await shop.payments.find(id))!)
    await reconcile(refusing, Date.now() + hour)
    const [task] = await admin.listPaymentTasks()
    expect(task).toMatchObject({ kind: 'refund rejected', detail: 'No such payment.' })
    if (isMadeByHand) await admin.completePaymentTask({ params: { id: task!._id } })
    await reconcile(shop, Date.now() + 3 * hour)
    const made = (await bankSdk(shop).refunds.list({ payment_intent: id })).data
    expect(made).toHaveLength(isMadeByHand ? 0 : 1)
    expect(await admin.listPaymentTasks()).toEqual([])
    const end = isMadeByHand ? { kind: 'refunded another way', by: 'Boss' } : { kind: 'refunded', by: null }
    expect((await admin.readTimeline({ params })).at(-1)).toMatchObject({ ...end, amount: 70 })
  }
  for (const order of [first, await place()]) {
    const surplus = await unknownPayment(shop, order, 60)
    await settlePayment(refusing, (await shop.payments.find(surplus))!)
    const [task] = await admin.listPaymentTasks()
    expect(task).toMatchObject({ purchase: order._id, parts: 'Chain', number: order.number })
    for (const modifiedCount of [1, 0])
      expect(await admin.completePaymentTask({ params: { id: task!._id } })).toEqual({ modifiedCount })
    const emails = (await emailSubjects(shop)).filter((subject) => subject.includes('$60'))
    expect(emails.at(-1)).toBe(`Refund of $60 for order #${order.number}: 10 × Chain`)
    expect(await payOrderByCard(shop, ada, order)).toMatchObject({
      paid: true,
      refunded: 0,
      orderRefunded: 0,
    })
  }
})

test('a refund of a payment that no order took counts until another pays what is left', async () => {
  const { shop, ada, client, part, bell, expectConsistent } = await shopWithOrder()
  for (const dollars of [20, 60]) {
    const lines = [bell, part].map(({ _id: partId }) => ({ partId, quantity: 10 }))
    const [cancelled, kept] = (await client.placeOrder({ body: { ...purchase, lines } })).lines
    const surplus = await unknownPayment(shop, kept!, dollars)
    await settlePayment(shop, (await shop.payments.find(surplus))!)
    expect(await client.readPurchase({ params: { id: kept!._id } })).toMatchObject({ orderRefunded: dollars })
    await client.cancelPurchase({ params: { id: cancelled!._id } })
    await payOrderByCard(shop, ada, kept!)
    expect(await readTotals(shop, kept!)).toEqual([nothingRefunded, nothingRefunded])
    expect(await client.readPurchase({ params: { id: kept!._id } })).toMatchObject({ orderRefunded: 0 })
    await expectConsistent()
  }
})

test('what is owed of a payment that no order took counts for an item that is not cancelled', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, ada, client, part, bell } = await shopWithOrder()
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  const lines = [bell, part].map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const [cancelled, kept] = (await client.placeOrder({ body: { ...purchase, lines } })).lines
  const surplus = await unknownPayment(shop, kept!, 60)
  await settlePayment(silent, (await shop.payments.find(surplus))!)
  const owed = { ...nothingRefunded, pendingRefundCents: 6000 }
  expect(await readTotals(shop, kept!)).toEqual([owed, nothingRefunded])
  await client.cancelPurchase({ params: { id: cancelled!._id } })
  expect(await readTotals(shop, kept!)).toEqual([nothingRefunded, owed])
  await openDispute(shop.db, surplus)
  await settlePayment(silent, (await shop.payments.find(surplus))!)
  expect(await readTotals(shop, kept!)).toMatchObject([{ dispute: 'open' }, { dispute: 'open' }])
  await payOrderByCard(shop, ada, kept!)
  expect(await readTotals(shop, kept!)).toEqual([nothingRefunded, nothingRefunded])
  expect(await findLedgerErrors(shop.db, { stocked: [], settled: false })).toEqual([])
})

test('a dispute of an order that is paid counts for its item that was cancelled, too', async () => {
  const { shop, ada, order } = await shopWithOrder()
  const { transactionId } = await payOrderByCard(shop, ada, order)
  await openDispute(shop.db, transactionId!)
  await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  expect(await readTotals(shop, order)).toMatchObject([{ dispute: 'open' }, { dispute: 'open' }])
})

test('a refund by an admin whose payment the provider does not know is a task, and is made with the right keys', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, admin, refund, adminOf, stripe } = await setup()
  const unknown = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('conflict', 'No such payment.')),
    find: async () => null,
  })
  expect(await refund(40, undefined, await adminOf(unknown))).toMatchObject({
    refunded: 0,
    refundPending: 40,
  })
  expect(await admin.listPaymentTasks()).toMatchObject([
    { kind: 'refund rejected', detail: 'No such payment.' },
  ])
  await reconcile(shop, Date.now() + hour)
  expect((await stripe.refunds.list()).data).toMatchObject([{ amount: 4000 }])
  expect(await admin.listPaymentTasks()).toEqual([])
})

test('a refund that an admin makes another way is not made again, counts for the item and returns its parts to stock', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, admin, adminOf, params, part, stock, stripe, expectConsistent } = await setup()
  const unknown = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('conflict', 'No such payment.')),
    find: async () => null,
  })
  const body = { amount: 70, reason, returned: 4 }
  await (await adminOf(unknown)).refundPurchase({ params, body })
  const [claimed] = await shop.db.select().from(refunds)
  const [task] = await admin.listPaymentTasks()
  await admin.completePaymentTask({ params: { id: task!._id } })
  await executeRefund(shop, claimed!)
  expect((await stripe.refunds.list()).data).toEqual([])
  expect(await admin.readPurchase({ params })).toMatchObject({
    refunded: 70,
    refundPending: 0,
    returnedQuantity: 4,
  })
  await expectToShip(admin, 0)
  expect(await stock(part)).toBe(44)
  await expectConsistent()

  // It was under way all the same.
  await shop.payments.refund(claimed!.paymentId, { amountCents: 7000, key: claimed!._id, failures: 0 })
  await settlePayment(shop, (await shop.payments.find(claimed!.paymentId))!)
  expect(await admin.readPurchase({ params })).toMatchObject({ refunded: 70, returnedQuantity: 4 })
  expect(await stock(part)).toBe(44)
  expect(await admin.listPaymentTasks()).toMatchObject([{ kind: 'refunded twice' }])
  await expectConsistent()
})

test('a saved refund that is refused later is a task', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, admin, adminOf, refund } = await setup()
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  await refund(40, undefined, await adminOf(silent))
  const refusing = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('conflict', 'It is disputed.')),
  })
  await reconcile(refusing, Date.now() + hour)
  expect(await admin.listPaymentTasks()).toMatchObject([
    {
      kind: 'refund failed',
      detail:
        'The refund of $40 that was saved can’t be made: It is disputed. Check what the customer is still owed.',
    },
  ])
  await expect(refund(30, undefined, await adminOf(refusing))).rejects.toMatchObject({ status: 409 })
  expect(await admin.listPaymentTasks()).toHaveLength(1)
})

test('emails say of a surplus payment that it is refunded, and that its dispute stops no shipping', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, order, payment, stripe } = await setup()
  const surplus = await unknownPayment(shop, order)
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  const settle = async (id: string) => settlePayment(silent, (await shop.payments.find(id))!)
  await settle(surplus)
  const newest = async () => (await shop.mail.read({ page: 1, limit: 1 })).rows[0]!.text
  const another = await unknownPayment(shop, order)
  await settle(another)
  await openDispute(shop.db, another)
  await settle(another)
  expect(await newest()).toContain('disputed $70')
  expect(await newest()).not.toContain('Don’t ship')
  await openDispute(shop.db, payment)
  await settle(payment)
  expect(await newest()).toContain('Don’t ship')
  await stripe.refunds.create({ payment_intent: surplus })
  await settle(surplus)
  expect(await newest()).toContain(
    'We refunded $70 of a payment that we couldn’t apply to your order of 10 × Chain.',
  )
})

test('an admin resolves a task once, and a customer neither sees nor resolves tasks', async () => {
  const { shop, admin, client, params, refund } = await setup()
  await refund(40)
  await shop.db.update(bankRefunds).set({ status: 'failed' })
  await reconcile(shop, Date.now() + hour)
  const [task] = await admin.listPaymentTasks()
  const resolve = { params: { id: task!._id } }
  await expect(client.listPaymentTasks()).rejects.toMatchObject({ status: 403 })
  await expect(client.completePaymentTask(resolve)).rejects.toMatchObject({ status: 403 })
  expect(await admin.completePaymentTask(resolve)).toEqual({ modifiedCount: 1 })
  expect(await admin.completePaymentTask(resolve)).toEqual({ modifiedCount: 0 })
  expect(await admin.listPaymentTasks()).toEqual([])
  await reconcile(shop, Date.now() + 2 * hour)
  expect(await admin.listPaymentTasks()).toEqual([])
  await expect(admin.completePaymentTask({ params })).rejects.toMatchObject({ status: 404 })
})

test('after an error of the provider a refund uses a new key, and is made once although the error is replayed', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  for (const tookEffect of [false, true]) {
    const { shop, admin, params, refund, adminOf, expectConsistent } = await setup()
    const failedKeys = new Set<string>()
    const replaying = withNetwork(shop, (send) => async (request) => {
      const key = request.headers.get('idempotency-key')!
      if (!isRefund(request) || (failedKeys.size > 0 && !failedKeys.has(key))) return send(request)
      if (tookEffect && failedKeys.size === 0) await send(request)
      failedKeys.add(key)
      return Response.json({ error: { type: 'api_error', message: 'no' } }, { status: 500 })
    })
    await refund(70, false, await adminOf(replaying))
    expect(await admin.readPurchase({ params })).toMatchObject({ refunded: 0, refundPending: 70 })
    await reconcile(replaying, Date.now() + hour)
    expect(await admin.readPurchase({ params }), `took effect: ${tookEffect}`).toMatchObject({ refunded: 70 })
    expect((await bankSdk(shop).refunds.list()).data).toMatchObject([{ amount: 7000 }])
    await expectConsistent()
  }
})

test('after no answer of the provider a refund keeps its key', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, refund, adminOf } = await setup()
  const keys: (string | null)[] = []
  const silent = withNetwork(shop, (send) => (request) => {
    if (!isRefund(request)) return send(request)
    keys.push(request.headers.get('idempotency-key'))
    return Promise.reject(new Error('no answer'))
  })
  await refund(70, false, await adminOf(silent))
  await reconcile(silent, Date.now() + hour).catch(() => {})
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
})

test('a payment is opened although the provider failed once and replays its failure', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, ada, order } = await shopWithOrder()
  let failedKey: string | null = null
  const replaying = withNetwork(shop, (send) => async (request) => {
    if (request.method !== 'POST') return send(request)
    const key = request.headers.get('idempotency-key')
    failedKey ??= key
    return key === failedKey ? outage() : send(request)
  })
  const client = await clientOf(replaying, ada)
  const { clientSecret } = await client.startPayment({ body: { price: 70, purchase: order._id } })
  await payByCard(shop, clientSecret)
})

test('tabs that open the payment of one order at the same time all get it', async () => {
  const { start } = await shopWithOrder()
  const secrets = await Promise.all(Array.from({ length: 8 }, start))
  expect(new Set(secrets.map(({ clientSecret }) => clientSecret)).size).toBe(1)
})

test('startPayment without an order never opens the payment of another member', async () => {
  const { shop, client, admin, order } = await shopWithOrder()
  const body = { price: order.price }
  await expect(admin.startPayment({ body })).rejects.toMatchObject({
    status: 409,
    message: 'You don’t have an unpaid order for $70.',
  })
  const { clientSecret } = await client.startPayment({ body })
  const payment = await shop.payments.find(clientSecret.split('_secret_')[0]!)
  expect(payment).toMatchObject({ orderId: order.orderId, amountCents: 7000 })
})

test('the provider is told the order number, description, receipt email and customer name', async () => {
  const { shop, start, order } = await shopWithOrder()
  const { clientSecret } = await start()
  const intent = await bankSdk(shop).paymentIntents.retrieve(clientSecret.split('_secret_')[0]!)
  expect(intent).toMatchObject({
    description: expect.stringMatching(/^Order \d+: 10 × Chain$/),
    receipt_email: order.email,
    metadata: { orderId: order.orderId, orderNumber: expect.stringMatching(/^\d+$/), customerName: 'Ada' },
  })
})

test('a lost dispute of a payment that no order took leaves the order as it was paid', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { shop, ada, admin, place } = await setup()
  const order = await payOrderByCard(shop, ada, await place())
  const params = { id: order._id }
  const surplus = await unknownPayment(shop, order)
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  await settlePayment(silent, (await shop.payments.find(surplus))!)
  expect((await admin.listPurchases({ body: { status: 'refund pending' } })).total).toBe(1)
  const { id } = await openDispute(shop.db, surplus)
  await bankSdk(shop).disputes.close(id)
  await settlePayment(silent, (await shop.payments.find(surplus))!)
  expect(await admin.readPurchase({ params })).toMatchObject({
    dispute: null,
    disputed: 0,
    refundPending: 0,
  })
  expect(await shop.db.select().from(disputes)).toMatchObject([{ _id: id, status: 'lost' }])
  await admin.shipPurchase({ params, body: { shipping: true } })
})

test('a dispute is in books, timeline and tasks, stops shipping and refunds, and is learned without webhooks', async () => {
  const { shop, ada, admin, client, params, payment, refund, subjects, expectConsistent } = await setup()
  await admin.shipOrder({ params, body: { lines: [{ lineId: params.id, quantity: 4 }] } })
  await expectToShip(admin, 1)
  const dispute = await openDispute(shop.db, payment)
  await reconcile(shop, Date.now() + hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ dispute: 'open', disputed: 70, refunded: 0 })
  const refused = {
    status: 409,
    message: 'The payment for this order is disputed, so it can’t be shipped unless you win the dispute.',
  }
  await expect(admin.shipPurchase({ params, body: { shipping: true } })).rejects.toMatchObject(refused)
  await expect(admin.readPackingSlip({ params })).rejects.toMatchObject(refused)
  await expectToShip(admin, 0)
  const waiting = { status: 'pending', email: ada.email } as const
  expect((await client.listMyPurchases({ body: waiting })).total).toBe(1)
  await expect(refund(70)).rejects.toMatchObject({
    status: 409,
    message:
      'This payment is disputed, and the customer’s bank has taken the money back. You can refund it only if you win the dispute.',
  })
  expect(await admin.listPaymentTasks()).toMatchObject([{ kind: 'dispute', reference: dispute.id }])
  expect(await subjects()).toEqual(['Payment disputed: $70 for order #1001'])
  expect((await admin.readTimeline({ params })).at(-1)).toMatchObject({ kind: 'dispute opened', amount: 70 })
  expect((await client.readTimeline({ params })).at(-1)).toMatchObject({ kind: 'shipped' })
  await expectConsistent()

  await bankSdk(shop).disputes.update(dispute.id, { evidence: { uncategorized_text: 'winning_evidence' } })
  for (const hours of [2, 3]) await reconcile(shop, Date.now() + hours * hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ dispute: 'won', disputed: 0 })
  expect(await admin.listPaymentTasks()).toEqual([])
  const entries = await shop.db.select().from(ledger).orderBy(ledger.number)
  expect(entries.map(({ amountCents }) => amountCents)).toEqual([7000, -7000, 7000])
  expect((await admin.readTimeline({ params })).at(-1)).toMatchObject({ kind: 'dispute won', amount: 70 })
  await expectToShip(admin, 1)
  await admin.shipPurchase({ params, body: { shipping: true } })
  await expectConsistent()
})

test('an order whose dispute is lost is not shipped, and its money stays out of the books', async () => {
  const { shop, ada, admin, place, params, payment, expectConsistent } = await setup()
  const other = await payOrderByCard(shop, ada, await place())
  await admin.shipOrder({ params: { id: other._id }, body: { lines: [{ lineId: other._id, quantity: 4 }] } })
  const body = { amount: 0.01, reason, returned: 6 }
  await admin.refundPurchase({ params: { id: other._id }, body })
  const { id: otherId } = await openDispute(shop.db, other.transactionId!)
  const { id } = await openDispute(shop.db, payment)
  for (const one of [other.transactionId!, payment]) {
    const { disputes, ...found } = (await shop.payments.find(one))!
    const because = disputes.map((dispute) => ({ ...dispute, reason: 'product_not_received' }))
    await settlePayment(shop, { ...found, disputes: because })
  }
  const { rows } = await shop.mail.read({ q: 'product not received' })
  expect(rows.map(({ text }) => [text.includes('10 × Chain\n'), text.includes('Don’t ship')])).toEqual([
    [true, true],
    [true, false],
  ])
  const [task] = await admin.listPaymentTasks()
  expect(task!.detail).toContain('disputed $69.99 (product not received).')
  await bankSdk(shop).disputes.close(id)
  await settlePayment(shop, (await shop.payments.find(payment))!)
  expect(await admin.readPurchase({ params })).toMatchObject({ dispute: 'lost', disputed: 70, paid: true })
  await expect(admin.shipPurchase({ params, body: { shipping: true } })).rejects.toMatchObject({
    status: 409,
    message: 'The payment for this order is disputed, so it can’t be shipped unless you win the dispute.',
  })
  expect(await admin.listPaymentTasks()).toMatchObject([{ kind: 'dispute', reference: otherId }])
  const kinds = (await admin.readTimeline({ params })).map(({ kind }) => kind)
  expect(kinds).toEqual(['placed', 'paid', 'dispute opened', 'dispute lost'])
  const closedAt = '2026-02-28T23:59:59.999Z'
  await shop.db.update(disputes).set({ closedAt }).where(eq(disputes._id, id))
  const found = (await shop.payments.find(payment))!
  const won = { ...found.disputes[0]!, id: 'du_won', status: 'won', withdrawnCents: 0 } as const
  await settlePayment(shop, { ...found, disputes: [...found.disputes, won] })
  expect(await admin.readPurchase({ params })).toMatchObject({ dispute: 'lost' })
  expect(await shop.db.select().from(disputes).where(eq(disputes._id, id))).toMatchObject([{ closedAt }])
  await expectConsistent()
})

test('an inquiry is told as one, withdraws nothing, and stops neither shipping nor a refund', async () => {
  const { shop, admin, params, payment, refund, expectConsistent } = await setup()
  await openDispute(shop.db, payment, { inquiry: true })
  await reconcile(shop, Date.now() + hour)
  const asked = { dispute: null, disputed: 0, inquiry: true }
  expect(await admin.readPurchase({ params })).toMatchObject(asked)
  expect(await admin.listPurchases({ body: { status: 'pending' } })).toMatchObject({ total: 1 })
  const { subject, text } = (await shop.mail.read({ page: 1, limit: 1 })).rows[0]!
  expect(subject).toBe('The bank asks about $70 for order #1001')
  expect(text).toContain('no money was withdrawn, and you can ship the order')
  expect(text).toMatch(/To end it, answer in the payment provider’s dashboard by .*, or refund the customer/)
  expect(await admin.listPaymentTasks()).toMatchObject([
    { kind: 'inquiry', detail: expect.stringContaining('or refund the customer: either ends it') },
  ])
  expect(await admin.shipPurchase({ params, body: { shipping: true } })).toEqual({ modifiedCount: 1 })
  expect(await refund(70)).toMatchObject({ refunded: 70, ...asked })
  const kinds = (await admin.readTimeline({ params })).map(({ kind }) => kind)
  expect(kinds).toEqual(['placed', 'paid', 'inquiry opened', 'shipped', 'refunded'])
  await expectConsistent()
})

test('an inquiry that becomes a dispute is a task again, and emails staff a second time', async () => {
  const { shop, admin, params, payment, expectConsistent } = await setup()
  const alerts = async () =>
    (await emailSubjects(shop)).filter((subject) => /disputed|bank asks/.test(subject))
  const { id } = await openDispute(shop.db, payment, { inquiry: true })
  await reconcile(shop, Date.now() + hour)
  const [task] = await admin.listPaymentTasks()
  await admin.completePaymentTask({ params: { id: task!._id } })
  const inquiry = 'The bank asks about $70 for order #1001'
  expect([await admin.listPaymentTasks(), await alerts()]).toEqual([[], [inquiry]])
  await bankSdk(shop).disputes.update(id, { evidence: { uncategorized_text: 'escalate_inquiry_evidence' } })
  for (const hours of [2, 3]) await reconcile(shop, Date.now() + hours * hour)
  expect(await admin.readPurchase({ params })).toMatchObject({ dispute: 'open', disputed: 70 })
  expect(await admin.listPaymentTasks()).toMatchObject([{ kind: 'dispute', reference: id }])
  expect(await alerts()).toEqual([inquiry, 'Payment disputed: $70 for order #1001'])
  await expectConsistent()
})

test('a payment of which less was received than asked does not pay the order and goes back', async () => {
  const { shop, admin, order, expectConsistent } = await shopWithOrder()
  const stripe = bankSdk(shop)
  const { id } = await stripe.paymentIntents.create({
    amount: 7000,
    currency: 'usd',
    capture_method: 'manual',
    metadata: { orderId: order.orderId },
  })
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })
  await stripe.paymentIntents.capture(id, { amount_to_capture: 6999 })
  await settlePayment(shop, (await shop.payments.find(id))!)
  expect(await admin.readPurchase({ params: { id: order._id } })).toMatchObject({ paid: false })
  expect((await stripe.refunds.list({ payment_intent: id })).data).toMatchObject([{ amount: 6999 }])
  await expectConsistent()
})

test('an order whose payment is processing is not cancelled or expired, and paid once it succeeds', async () => {
  const { shop, client, order, start, cancel, expectConsistent } = await shopWithOrder()
  const { clientSecret } = await start()
  const [id] = clientSecret.split('_secret_')
  await bankSdk(shop).paymentIntents.confirm(id!, { payment_method: 'pm_card_processing' })
  await expect(cancel()).rejects.toMatchObject({
    status: 409,
    message:
      'A payment for this order is in progress or complete, so the order can’t be changed. Reload the page to see its status.',
  })
  await expireOrders(shop, Date.now() + 100 * hour)
  const params = { id: order._id }
  expect(await client.readPurchase({ params })).toMatchObject({ paid: false, expired: false })
  await shop.payments.deliver(() => new Response())
  await reconcile(shop, Date.now() + 101 * hour)
  expect(await client.readPurchase({ params })).toMatchObject({ paid: true, transactionId: id })
  await expectConsistent()
})
