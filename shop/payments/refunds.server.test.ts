import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { bankEvents, bankRefunds, charges } from '#db/embedded.ts'
import { ledger, refunds } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { listPurchases } from '#shop/orders/read/lists.server.ts'
import {
  bankSdk,
  emailSubjects,
  expectConsistentLedger,
  providerFaults,
  shopWithOrder,
  takeWebhookEvents,
  unknownPayment,
  withNetwork,
} from '#test/bank.ts'
import { clientOf, createUser, payOrderByCard, readStock, type TestShop, withPayments } from '#test/shop.ts'
import { reconcile } from './reconcile.server.ts'
import { settlePayment } from './settle.server.ts'
import { handleWebhook } from './webhook.server.ts'

const hour = 60 * 60 * 1000
const reason = 'It was bent.'

async function setup() {
  const context = await shopWithOrder()
  const { shop, admin, ada, boss, order } = context
  const paid = await payOrderByCard(shop, ada, order)
  const params = { id: order._id }
  return {
    ...context,
    payment: paid.transactionId!,
    refund: (amount: number, options: { returned?: number; key?: string } = {}, user = admin) => {
      const { returned = 0, key } = options
      return user.refundPurchase({ params, body: { amount, reason, returned }, ...(key && { key }) })
    },
    clientFor: (brokenShop: TestShop) => clientOf(brokenShop, boss),
    refundAmounts: async () =>
      (await bankSdk(shop).refunds.list()).data.map((refund) => refund.amount / 100).toReversed(),
    subjects: async () => (await emailSubjects(shop)).slice(2),
  }
}

/** Simulates a refund rejected by the customer's bank. */
async function failRefund(shop: TestShop, id: string) {
  const [refund] = await shop.db
    .update(bankRefunds)
    .set({ status: 'failed' })
    .where(eq(bankRefunds.id, id))
    .returning()
  const { amount, charge, paymentIntent: payment_intent } = refund!
  const amountRefunded = sql`${charges.amountRefunded} - ${amount}`
  await shop.db.update(charges).set({ amountRefunded }).where(eq(charges.id, charge))
  await shop.db.insert(bankEvents).values({
    id: `evt_${id}`,
    type: 'refund.failed',
    data: { object: { id, object: 'refund', payment_intent } },
    request: { id: 'req_1', idempotency_key: null },
    created: Math.floor(Date.now() / 1000),
    nextTryAt: new Date(),
  })
}

async function receiveWebhooks(shop: TestShop) {
  for (const { body, signature } of await takeWebhookEvents(shop)) await handleWebhook(shop, body, signature)
}

test('a full refund keeps the order paid and emails the customer', async () => {
  const { refund, refundAmounts, expectConsistent, subjects, shop, payment } = await setup()
  expect(await refund(70)).toMatchObject({ paid: true, refunded: 70, transactionId: payment })
  expect(await refundAmounts()).toEqual([70])
  expect(await shop.db.select().from(ledger).orderBy(ledger.number)).toMatchObject([
    { amountCents: 7000 },
    { kind: 'refund', amountCents: -7000 },
  ])
  expect(await subjects()).toEqual(['Refund of $70 for order #1001: 10 × Chain'])
  await expectConsistent()
})

test('partial refunds are accepted until nothing is left', async () => {
  const { refund, refundAmounts, expectConsistent } = await setup()
  expect(await refund(19.99)).toMatchObject({ refunded: 19.99 })
  await expect(refund(50.02)).rejects.toMatchObject({
    status: 400,
    fields: { amount: ['Amount must be at most $50.01'] },
  })
  expect(await refund(50.01)).toMatchObject({ refunded: 70 })
  await expect(refund(1)).rejects.toMatchObject({
    status: 409,
    message: 'This item is already fully refunded.',
  })
  expect(await refundAmounts()).toEqual([19.99, 50.01])
  await expectConsistent()
})

test('refundPurchase rejects an invalid amount, reason or number of parts with a message', async () => {
  const { refund, admin, order, expectConsistent } = await setup()
  for (const amount of [0, -1, 1.555])
    await expect(refund(amount), String(amount)).rejects.toMatchObject({ status: 400 })
  await expect(refund(1, { returned: 11 })).rejects.toMatchObject({
    fields: { returned: ['You can return at most 10 to stock'] },
  })
  const noReason = admin.refundPurchase({
    params: { id: order._id },
    body: { amount: 1, reason: ' ', returned: 0 },
  })
  await expect(noReason).rejects.toMatchObject({ fields: { reason: ['Reason is required'] } })
  await expectConsistent()
})

test('refundPurchase rejects an unpaid order', async () => {
  const { admin, place } = await setup()
  const { _id: id } = await place()
  const body = { amount: 1, reason, returned: 0 }
  await expect(admin.refundPurchase({ params: { id }, body })).rejects.toMatchObject({
    status: 409,
    message: 'This order isn’t paid.',
  })
  await expect(admin.refundPurchase({ params: { id: 'none' }, body })).rejects.toMatchObject({ status: 404 })
})

test('refundPurchase rejects a customer', async () => {
  const { client, refund, refundAmounts } = await setup()
  await expect(refund(70, {}, client)).rejects.toMatchObject({ status: 403 })
  expect(await refundAmounts()).toEqual([])
})

test('shipPurchase rejects a fully refunded order and accepts a partially refunded one', async () => {
  const { refund, admin, order } = await setup()
  const ship = (shipping: boolean) => admin.shipPurchase({ params: { id: order._id }, body: { shipping } })
  await refund(69)
  await ship(true)
  await ship(false)
  await refund(1)
  await expect(ship(true)).rejects.toMatchObject({
    status: 409,
    message: 'This item was refunded, so it can’t be shipped.',
  })
})

test('refunded orders are listed as refunded, and as pending only while partially refunded', async () => {
  const { shop, refund } = await setup()
  const total = async (status: 'refunded' | 'pending') => (await listPurchases(shop, { status })).total
  expect([await total('refunded'), await total('pending')]).toEqual([0, 1])
  await refund(20)
  expect([await total('refunded'), await total('pending')]).toEqual([1, 1])
  await refund(50)
  expect([await total('refunded'), await total('pending')]).toEqual([1, 0])
})

test('a refund restocks the requested parts once and never more than the order had', async () => {
  const { shop, part, refund, expectConsistent, payment } = await setup()
  expect(await readStock(shop, part)).toBe(40)
  await refund(20, { returned: 4 })
  await receiveWebhooks(shop)
  await settlePayment(shop, (await shop.payments.find(payment))!)
  expect(await readStock(shop, part)).toBe(44)
  await expect(refund(20, { returned: 7 })).rejects.toMatchObject({
    status: 409,
    fields: { returned: ['You can return at most 6 more to stock.'] },
  })
  await refund(20, { returned: 6 })
  expect(await readStock(shop, part)).toBe(50)
  await expectConsistent()
})

test('repeated refund requests with the same key refund once', async () => {
  const { ada, admin, place, refund, refundAmounts, expectConsistent, shop } = await setup()
  const requests = await Promise.all(
    Array.from({ length: 10 }, () => refund(20, { key: 'one', returned: 1 })),
  )
  expect(new Set(requests.map((order) => order.refunded))).toEqual(new Set([20]))
  expect(await refundAmounts()).toEqual([20])
  await expect(refund(30, { key: 'one' })).rejects.toMatchObject({ status: 409 })
  const other = await payOrderByCard(shop, ada, await place())
  const ofOther = { params: { id: other._id }, body: { amount: 20, reason, returned: 1 }, key: 'one' }
  await expect(admin.refundPurchase(ofOther)).rejects.toMatchObject({ status: 409 })
  expect(await shop.db.$count(refunds)).toBe(1)
  await expectConsistent()
})

test('concurrent refunds by two admins never exceed the amount paid or the parts of the order', async () => {
  for (const [amount, returned] of [
    [35.01, 0],
    [10, 6],
  ] as const) {
    const { shop, part, admin, refund, refundAmounts, expectConsistent } = await setup()
    const other = await clientOf(shop, await createUser(shop, 'Other', 'admin'))
    const requests = [admin, other, admin, other].map((by) => refund(amount, { returned }, by))
    const outcomes = await Promise.allSettled(requests)
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
    expect([await readStock(shop, part), await refundAmounts()]).toEqual([40 + returned, [amount]])
    await expectConsistent()
  }
})

for (const [fault, transport] of Object.entries(providerFaults)) {
  test(`a refund is completed later, once, when the provider ${fault}`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { shop, part, clientFor, refund, refundAmounts, read, expectConsistent, subjects } = await setup()
    const unavailable = withNetwork(
      shop,
      transport((request) => request.method === 'POST' && request.url.endsWith('/refunds')),
    )
    expect(await refund(20, { key: 'one', returned: 2 }, await clientFor(unavailable))).toMatchObject({
      refunded: 0,
    })
    expect([await readStock(shop, part), await subjects()]).toEqual([40, []])
    await expect(refund(51)).rejects.toMatchObject({
      fields: { amount: ['Another refund is pending. You can refund at most $50.'] },
    })

    await Promise.all([reconcile(shop, Date.now() + hour), reconcile(shop, Date.now() + hour)])
    await refund(20, { key: 'one', returned: 2 })
    expect(await read()).toMatchObject({ refunded: 20 })
    expect([await readStock(shop, part), await subjects()]).toEqual([
      42,
      ['Refund of $20 for order #1001: 10 × Chain'],
    ])
    expect(await refundAmounts()).toEqual([20])
    await expectConsistent()
    vi.restoreAllMocks()
  })
}

test('a refund refused by the provider is reported, changes nothing and can be requested again', async () => {
  const { shop, part, payment, refund, refundAmounts, read, expectConsistent, subjects } = await setup()
  await bankSdk(shop).refunds.create({ payment_intent: payment, amount: 6000 })
  await expect(refund(20, { returned: 2 })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('The payment provider rejected'),
  })
  expect(await readStock(shop, part)).toBe(40)
  await refund(10, { returned: 10 })
  expect(await readStock(shop, part)).toBe(50)
  expect(await read()).toMatchObject({ refunded: 70 })
  expect(await refundAmounts()).toEqual([60, 10])
  expect(await subjects()).toHaveLength(2)
  await expectConsistent()
})

test('a manual refund at the provider is recorded when its event arrives', async () => {
  const { shop, payment, read, expectConsistent, subjects } = await setup()
  await bankSdk(shop).refunds.create({ payment_intent: payment, amount: 3000 })
  await receiveWebhooks(shop)
  await receiveWebhooks(shop)
  expect(await read()).toMatchObject({ paid: true, refunded: 30 })
  expect(await subjects()).toEqual(['Refund of $30 for order #1001: 10 × Chain'])
  await expectConsistent()
})

test('a refund that fails later is reversed and can be requested again', async () => {
  const { shop, part, admin, order, refund, read, expectConsistent, subjects } = await setup()
  await refund(70, { returned: 3 })
  const [bankRefund] = await shop.db.select().from(bankRefunds)
  await failRefund(shop, bankRefund!.id)
  await receiveWebhooks(shop)
  await receiveWebhooks(shop)
  expect(await read()).toMatchObject({ paid: true, refunded: 0 })
  const events = await admin.readTimeline({ params: { id: order._id } })
  expect(events.map(({ kind }) => kind)).toEqual(['placed', 'paid', 'refunded', 'refund failed'])
  expect(await shop.db.select().from(ledger).orderBy(ledger.number)).toMatchObject([
    { amountCents: 7000 },
    { amountCents: -7000 },
    { kind: 'failed refund', amountCents: 7000 },
  ])
  expect((await subjects()).slice(1)).toEqual([
    'Your refund of $70 failed: order #1001',
    'Refund failed: $70 for order #1001',
  ])
  expect(await refund(70, { returned: 7 })).toMatchObject({ refunded: 70 })
  expect(await readStock(shop, part)).toBe(50)
  await expectConsistent()
})

test('a failed refund of an unusable payment stays in the ledger until a manual refund', async () => {
  const { shop, part, admin, order, read } = await shopWithOrder()
  const payment = await unknownPayment(shop, order, 60)
  await receiveWebhooks(shop)
  const [bankRefund] = await shop.db.select().from(bankRefunds)
  await failRefund(shop, bankRefund!.id)
  await receiveWebhooks(shop)
  expect(await read()).toMatchObject({ paid: false })
  const written = await shop.db.select().from(ledger).orderBy(ledger.number)
  expect(written.map(({ amountCents }) => amountCents)).toEqual([6000, -6000, 6000])
  expect((await emailSubjects(shop)).at(-1)).toBe('Refund failed: $60 for order #1001')
  const { rows } = await shop.mail.read({ q: 'failed' })
  expect(rows.filter(({ text }) => text.includes('10 × Chain'))).toHaveLength(2)
  await expectConsistentLedger(shop, [part._id, 50])
  await bankSdk(shop).refunds.create({ payment_intent: payment, amount: 6000 })
  await receiveWebhooks(shop)
  expect((await shop.db.select().from(ledger).orderBy(ledger.number)).at(-1)).toMatchObject({
    kind: 'refund',
    amountCents: -6000,
  })
  await expectConsistentLedger(shop, [part._id, 50])
  const [task] = await admin.listPaymentTasks()
  const completion = admin.completePaymentTask({ params: { id: task!._id }, body: { refunded: true } })
  await expect(completion).rejects.toMatchObject({ status: 409 })
  expect(await shop.db.$count(refunds, eq(refunds.madeAnotherWay, true))).toBe(0)
})

test('a stale provider response after a failed refund changes nothing', async () => {
  const { shop, part, payment, refund, clientFor, read, expectConsistent } = await setup()
  const unavailable = withPayments(shop, {
    find: () => Promise.reject(new ShopError('unavailable', 'No answer.')),
  })
  await refund(20, { returned: 2 }, await clientFor(unavailable))
  const staleResponse = (await shop.payments.find(payment))!
  await failRefund(shop, staleResponse.refunds[0]!.id)
  await settlePayment(shop, (await shop.payments.find(payment))!)
  await settlePayment(shop, staleResponse)
  expect(await read()).toMatchObject({ refunded: 0 })
  expect(await readStock(shop, part)).toBe(40)
  await expectConsistent()
})
