import { eq, sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { bankEvents, bankRefunds, charges } from '#db/embedded.ts'
import { ledger, refunds } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { listOrders } from '#shop/orders/lists.server.ts'
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
import { clientOf, createUser, pay, readStock, type TestShop, withPayments } from '#test/shop.ts'
import { handleWebhook } from './payments.server.ts'
import { reconcile } from './reconcile.server.ts'
import { settlePayment } from './settle.server.ts'

const hour = 60 * 60 * 1000
const reason = 'It was bent.'

async function scene() {
  const world = await orderedShop()
  const { shop, part, admin, ada, boss, order } = world
  const paid = await pay(shop, ada, order)
  const params = { id: order._id }
  return {
    ...world,
    payment: paid.transactionId!,
    give: (amount: number, more: { returned?: number; key?: string } = {}, by = admin) => {
      const { returned = 0, key } = more
      return by.refundOrder({ params, body: { amount, reason, returned }, ...(key && { key }) })
    },
    /** The admin's calls while something is wrong with the wire. */
    over: (broken: TestShop) => clientOf(broken, boss),
    back: async () =>
      (await bankSdk(shop).refunds.list()).data.map((refund) => refund.amount / 100).toReversed(),
    agree: () => expectAgreement(shop, [part._id, 50]),
    mails: async () => (await emailSubjects(shop)).slice(2),
  }
}

/** The card's own bank sends back what it was given. */
async function fail(shop: TestShop, id: string) {
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

async function receivePost(shop: TestShop) {
  for (const { body, signature } of await takePost(shop)) await handleWebhook(shop, body, signature)
}

test('an order is refunded in whole: it stays paid, and its customer is told', async () => {
  const { give, back, agree, mails, shop, payment } = await scene()
  expect(await give(70)).toMatchObject({ paid: true, refunded: 70, transactionId: payment })
  expect(await back()).toEqual([70])
  expect(await shop.db.select().from(ledger)).toMatchObject([{ amount: 70 }, { kind: 'refund', amount: -70 }])
  expect(await mails()).toEqual(['$70 back for your order of 10 × Chain'])
  await agree()
})

test('an order is refunded in parts until nothing is left', async () => {
  const { give, back, agree } = await scene()
  expect(await give(20)).toMatchObject({ refunded: 20 })
  await expect(give(51)).rejects.toMatchObject({
    status: 400,
    fields: { amount: ['Amount must be at most $50'] },
  })
  expect(await give(50)).toMatchObject({ refunded: 70 })
  await expect(give(1)).rejects.toMatchObject({
    status: 409,
    message: 'All of this order was refunded before.',
  })
  expect(await back()).toEqual([20, 50])
  await agree()
})

test('an amount, a reason and a number of parts that cannot be are refused in words', async () => {
  const { give, admin, order, agree } = await scene()
  for (const amount of [0, -1, 1.5])
    await expect(give(amount), String(amount)).rejects.toMatchObject({ status: 400 })
  await expect(give(1, { returned: 11 })).rejects.toMatchObject({
    fields: { returned: ['Parts back on sale must be at most 10'] },
  })
  const silent = admin.refundOrder({
    params: { id: order._id },
    body: { amount: 1, reason: ' ', returned: 0 },
  })
  await expect(silent).rejects.toMatchObject({ fields: { reason: ['Reason is required'] } })
  await agree()
})

test('an order that is not paid is not refunded', async () => {
  const { admin, place } = await scene()
  const { _id: id } = await place()
  const body = { amount: 1, reason, returned: 0 }
  await expect(admin.refundOrder({ params: { id }, body })).rejects.toMatchObject({
    status: 409,
    message: 'This order is not paid.',
  })
  await expect(admin.refundOrder({ params: { id: 'none' }, body })).rejects.toMatchObject({ status: 404 })
})

test('nobody but an admin refunds', async () => {
  const { client, give, back } = await scene()
  await expect(give(70, {}, client)).rejects.toMatchObject({ status: 403 })
  expect(await back()).toEqual([])
})

test('an order that was refunded in whole is not shipped any more, and one in part is', async () => {
  const { give, admin, order } = await scene()
  const ship = (shipping: boolean) => admin.shipOrder({ params: { id: order._id }, body: { shipping } })
  await give(69)
  await ship(true)
  await ship(false)
  await give(1)
  await expect(ship(true)).rejects.toMatchObject({ status: 409, message: 'This order was refunded.' })
})

test('refunded orders are listed as such, and wait for no shipping once all was given back', async () => {
  const { shop, give } = await scene()
  const total = async (status: 'refunded' | 'pending') => (await listOrders(shop, { status })).total
  expect([await total('refunded'), await total('pending')]).toEqual([0, 1])
  await give(20)
  expect([await total('refunded'), await total('pending')]).toEqual([1, 1])
  await give(50)
  expect([await total('refunded'), await total('pending')]).toEqual([1, 0])
})

test('parts go back on sale as many as said, once, and never more than the order had', async () => {
  const { shop, part, give, agree, payment } = await scene()
  expect(await readStock(shop, part)).toBe(40)
  await give(20, { returned: 4 })
  await receivePost(shop)
  await settlePayment(shop, (await shop.payments.find(payment))!)
  expect(await readStock(shop, part)).toBe(44)
  await expect(give(20, { returned: 7 })).rejects.toMatchObject({
    status: 409,
    fields: { returned: ['Only 6 of its parts are not back on sale.'] },
  })
  await give(20, { returned: 6 })
  expect(await readStock(shop, part)).toBe(50)
  await agree()
})

test('asked again with the same key, it is given back once', async () => {
  const { give, back, agree, shop } = await scene()
  const asked = await Promise.all(Array.from({ length: 10 }, () => give(20, { key: 'one', returned: 1 })))
  expect(new Set(asked.map((order) => order.refunded))).toEqual(new Set([20]))
  expect(await back()).toEqual([20])
  await expect(give(30, { key: 'one' })).rejects.toMatchObject({ status: 409 })
  expect(await shop.db.$count(refunds)).toBe(1)
  await agree()
})

test('two admins at once give back no more than was paid', async () => {
  const { shop, give, back, agree } = await scene()
  const other = await clientOf(shop, await createUser(shop, 'Other', 'admin'))
  const outcomes = await Promise.allSettled([give(50), give(50, {}, other), give(50), give(50, {}, other)])
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  expect(await back()).toEqual([50])
  await agree()
})

test('two admins at once put no more parts back on sale than the order had', async () => {
  const { shop, part, give, back, agree } = await scene()
  const other = await clientOf(shop, await createUser(shop, 'Other', 'admin'))
  const asked = [give(10, { returned: 6 }), give(10, { returned: 6 }, other), give(10, { returned: 6 })]
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  expect([await readStock(shop, part), await back()]).toEqual([46, [10]])
  await agree()
})

for (const [fault, wire] of Object.entries(brokenBank)) {
  test(`a refund that the provider ${fault} is done later, once`, async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const { shop, part, over, give, back, read, agree, mails } = await scene()
    const away = withWire(
      shop,
      wire((request) => request.method === 'POST' && request.url.endsWith('/refunds')),
    )
    expect(await give(20, { key: 'one', returned: 2 }, await over(away))).toMatchObject({ refunded: 0 })
    expect([await readStock(shop, part), await mails()]).toEqual([40, []])
    await expect(give(51)).rejects.toMatchObject({
      fields: { amount: ['A refund is under way: only $50 are left.'] },
    })

    await Promise.all([reconcile(shop, Date.now() + hour), reconcile(shop, Date.now() + hour)])
    await give(20, { key: 'one', returned: 2 })
    expect(await read()).toMatchObject({ refunded: 20 })
    expect([await readStock(shop, part), await mails()]).toEqual([
      42,
      ['$20 back for your order of 10 × Chain'],
    ])
    expect(await back()).toEqual([20])
    await agree()
    vi.restoreAllMocks()
  })
}

test('a refund that the provider refuses is told, moves nothing, and may be asked again', async () => {
  const { shop, part, payment, give, back, read, agree, mails } = await scene()
  await bankSdk(shop).refunds.create({ payment_intent: payment, amount: 6000 })
  await expect(give(20, { returned: 2 })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('The card provider refused to give the money back'),
  })
  expect(await readStock(shop, part)).toBe(40)
  await give(10)
  expect(await read()).toMatchObject({ refunded: 70 })
  expect(await back()).toEqual([60, 10])
  expect(await mails()).toHaveLength(2)
  await agree()
})

test('a refund made by hand at the provider is in the books as soon as it is told', async () => {
  const { shop, payment, read, agree, mails } = await scene()
  await bankSdk(shop).refunds.create({ payment_intent: payment, amount: 3000 })
  await receivePost(shop)
  await receivePost(shop)
  expect(await read()).toMatchObject({ paid: true, refunded: 30 })
  expect(await mails()).toEqual(['$30 back for your order of 10 × Chain'])
  await agree()
})

test('a refund that fails later counts as given back no more, and may be asked again', async () => {
  const { shop, part, give, read, agree, mails } = await scene()
  await give(70, { returned: 3 })
  const [refund] = await shop.db.select().from(bankRefunds)
  await fail(shop, refund!.id)
  await receivePost(shop)
  await receivePost(shop)
  expect(await read()).toMatchObject({ paid: true, refunded: 0 })
  expect(await shop.db.select().from(ledger)).toMatchObject([
    { amount: 70 },
    { amount: -70 },
    { kind: 'failed refund', amount: 70 },
  ])
  expect((await mails()).slice(1)).toEqual([
    '$70 for 10 × Chain could not be given back',
    'A refund failed: $70 for 10 × Chain',
  ])
  expect(await give(70, { returned: 7 })).toMatchObject({ refunded: 70 })
  expect(await readStock(shop, part)).toBe(50)
  await agree()
})

test('what no order could take and the card’s bank sends back is in the books until somebody gives it back by hand', async () => {
  const { shop, part, order, read } = await orderedShop()
  const payment = await strayPayment(shop, order, 60)
  await receivePost(shop)
  const [refund] = await shop.db.select().from(bankRefunds)
  await fail(shop, refund!.id)
  await receivePost(shop)
  expect(await read()).toMatchObject({ paid: false })
  const written = await shop.db.select().from(ledger)
  expect(written.map(({ amount }) => amount)).toEqual([60, -60, 60])
  expect((await emailSubjects(shop)).at(-1)).toBe('A refund failed: $60 for 10 × Chain')
  await expectAgreement(shop, [part._id, 50])
  await bankSdk(shop).refunds.create({ payment_intent: payment, amount: 6000 })
  await receivePost(shop)
  expect((await shop.db.select().from(ledger)).at(-1)).toMatchObject({ kind: 'refund', amount: -60 })
  await expectAgreement(shop, [part._id, 50])
})

test('an old answer that overtakes the failure of a refund changes nothing', async () => {
  const { shop, part, payment, give, over, read, agree } = await scene()
  const away = withPayments(shop, { find: () => Promise.reject(new ShopError('unavailable', 'No answer.')) })
  await give(20, { returned: 2 }, await over(away))
  const old = (await shop.payments.find(payment))!
  await fail(shop, old.refunds[0]!.id)
  await settlePayment(shop, (await shop.payments.find(payment))!)
  await settlePayment(shop, old)
  expect(await read()).toMatchObject({ refunded: 0 })
  expect(await readStock(shop, part)).toBe(40)
  await agree()
})
