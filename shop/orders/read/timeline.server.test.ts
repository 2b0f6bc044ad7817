import { expect, test } from 'vitest'
import { ShopError } from '#shop/errors.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import { bankSdk, shopWithOrder, unknownPayment } from '#test/bank.ts'
import { clientOf, createUser, payOrderByCard, withPayments } from '#test/shop.ts'

async function setup() {
  const context = await shopWithOrder()
  const { client, admin, order } = context
  const params = { id: order._id }
  return {
    ...context,
    readAsCustomer: () => client.readTimeline({ params }),
    readAsAdmin: () => admin.readTimeline({ params }),
    ship: (shipping: boolean) => admin.shipPurchase({ params, body: { shipping } }),
    refund: (amount: number) =>
      admin.refundPurchase({ params, body: { amount, reason: 'It was bent.', returned: 0 } }),
  }
}

test('the timeline shows an admin who placed, paid, shipped and refunded the order, in order of time', async () => {
  const { shop, ada, order, readAsAdmin, ship, refund } = await setup()
  const { transactionId } = await payOrderByCard(shop, ada, order)
  await ship(true)
  await ship(false)
  await refund(20)
  const events = await readAsAdmin()
  expect(events).toMatchObject([
    { kind: 'placed', by: 'Ada', at: order.createdAt, amount: null },
    { kind: 'paid', by: 'Ada', amount: 70, reference: transactionId },
    { kind: 'shipped', by: 'Boss' },
    { kind: 'not shipped', by: 'Boss' },
    {
      kind: 'refunded',
      by: 'Boss',
      amount: 20,
      reason: 'It was bent.',
      reference: expect.stringMatching(/^re_/),
    },
  ])
  const times = events.map((event) => event.at)
  expect(times).toEqual(times.toSorted())
})

test('the timeline hides the names of admins from a customer', async () => {
  const { shop, ada, client, order, readAsCustomer, readAsAdmin, ship, refund } = await setup()
  await payOrderByCard(shop, ada, order)
  await ship(true)
  await refund(20)
  const whole = await client.readOrderTimeline({ params: { id: order.number } })
  expect(whole.map(({ kind, by }) => [kind, by])).toEqual([
    ['placed', 'Ada'],
    ['cancelled', 'Ada'],
    ['paid', 'Ada'],
    ['shipped', null],
    ['refunded', null],
  ])
  const all = await readAsAdmin()
  expect(await readAsCustomer()).toEqual(
    all.map((event) => ({ ...event, by: event.by === 'Boss' ? null : event.by })),
  )
})

test('the timeline shows that an expired order was paid and reinstated', async () => {
  const { shop, order, readAsCustomer } = await setup()
  await expireOrders(shop, Date.now() + 100 * 60 * 60 * 1000)
  await settlePayment(shop, (await shop.payments.find(await unknownPayment(shop, order)))!)
  expect((await readAsCustomer()).map((event) => [event.kind, event.by])).toEqual([
    ['placed', 'Ada'],
    ['expired', null],
    ['paid', 'Ada'],
    ['reserved again', null],
  ])
})

test('the timeline shows an unusable payment and the reason for its refund', async () => {
  const { shop, ada, order, readAsCustomer } = await setup()
  await payOrderByCard(shop, ada, order)
  await settlePayment(shop, (await shop.payments.find(await unknownPayment(shop, order)))!)
  expect((await readAsCustomer()).slice(2)).toMatchObject([
    { kind: 'paid', amount: 70 },
    {
      kind: 'refunded',
      amount: 70,
      by: null,
      reason: 'The order was already paid with another payment, which isn’t affected.',
    },
  ])
})

test('the timeline shows requested, completed and refused refunds', async () => {
  const { shop, ada, boss, admin, place, order, readAsCustomer, readAsAdmin } = await setup()
  const { transactionId } = await payOrderByCard(shop, ada, order)
  const other = await payOrderByCard(shop, ada, await place())
  const unavailable = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('unavailable', 'No answer.')),
  })
  const body = { amount: 20, reason: 'It was bent.', returned: 0 }
  for (const id of [order._id, other._id])
    await (await clientOf(unavailable, boss)).refundPurchase({ params: { id }, body })
  const ofOneItem = await admin.readOrderTimeline({ params: { id: other._id } })
  expect(ofOneItem.map(({ kind, items }) => [kind, items])).toEqual([
    ['placed', []],
    ['paid', []],
    ['refund requested', []],
  ])
  expect((await readAsAdmin()).slice(2)).toMatchObject([
    { kind: 'refund requested', amount: 20, by: 'Boss', reason: 'It was bent.' },
  ])
  await bankSdk(shop).refunds.create({ payment_intent: transactionId!, amount: 6000 })
  await reconcile(shop, Date.now() + 60 * 60 * 1000)
  await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  const kinds = (await readAsAdmin()).slice(2)
  expect(kinds).toMatchObject([
    { kind: 'refund requested', amount: 20, by: 'Boss' },
    { kind: 'refunded', amount: 60, by: null, reason: null },
    {
      kind: 'refund rejected',
      amount: 20,
      by: null,
      reason: expect.stringContaining('The payment provider rejected'),
    },
  ])
  expect((await readAsCustomer()).at(-1)).toMatchObject({ kind: 'refund rejected', reason: null })
})

test('readTimeline rejects another customer’s order, and a cancelled order except for admins', async () => {
  const { shop, admin, order, cancel, readAsCustomer, readAsAdmin } = await setup()
  const eve = await clientOf(shop, await createUser(shop, 'Eve'))
  const refusal = { status: 404, message: 'This order doesn’t exist or was cancelled.' }
  await expect(eve.readTimeline({ params: { id: order._id } })).rejects.toMatchObject(refusal)
  await cancel()
  await expect(readAsCustomer()).rejects.toMatchObject(refusal)
  expect(await readAsAdmin()).toMatchObject([{ kind: 'placed' }, { kind: 'cancelled', by: 'Ada' }])
  expect(await admin.readPurchase({ params: { id: order._id } })).toMatchObject({
    cancelled: true,
    heldUntil: null,
  })
})
