import { expect, test } from 'vitest'
import { ShopError } from '#shop/errors.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import { bankSdk, orderedShop, strayPayment } from '#test/bank.ts'
import { clientOf, createUser, pay, withPayments } from '#test/shop.ts'
import { expireOrders } from './expiry.server.ts'

async function scene() {
  const world = await orderedShop()
  const { client, admin, order } = world
  const params = { id: order._id }
  return {
    ...world,
    seen: () => client.readTimeline({ params }),
    known: () => admin.readTimeline({ params }),
    ship: (shipping: boolean) => admin.shipOrder({ params, body: { shipping } }),
    refund: (amount: number) =>
      admin.refundOrder({ params, body: { amount, reason: 'It was bent.', returned: 0 } }),
  }
}

test('an order tells who placed, paid, shipped and refunded it, and when', async () => {
  const { shop, ada, order, known, ship, refund } = await scene()
  const { transactionId } = await pay(shop, ada, order)
  await ship(true)
  await ship(false)
  await refund(20)
  const events = await known()
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

test('a customer is told the same, but not who of the shop it was', async () => {
  const { shop, ada, order, seen, known, ship, refund } = await scene()
  await pay(shop, ada, order)
  await ship(true)
  await refund(20)
  const all = await known()
  expect(await seen()).toEqual(all.map((event) => ({ ...event, by: event.by === 'Boss' ? null : event.by })))
})

test('an order that expired and was paid after all tells so', async () => {
  const { shop, order, seen } = await scene()
  await expireOrders(shop, Date.now() + 100 * 60 * 60 * 1000)
  await settlePayment(shop, (await shop.payments.find(await strayPayment(shop, order)))!)
  expect((await seen()).map((event) => [event.kind, event.by])).toEqual([
    ['placed', 'Ada'],
    ['expired', null],
    ['paid', 'Ada'],
    ['taken again', null],
  ])
})

test('a payment that could not be used, and why it went back, is told', async () => {
  const { shop, ada, order, seen } = await scene()
  await pay(shop, ada, order)
  await settlePayment(shop, (await shop.payments.find(await strayPayment(shop, order)))!)
  expect((await seen()).slice(2)).toMatchObject([
    { kind: 'paid', amount: 70 },
    { kind: 'refunded', amount: 70, by: null, reason: 'The order had been paid already.' },
  ])
})

test('a refund that waits is asked, one that is done is made, and one that was refused says why', async () => {
  const { shop, ada, boss, order, seen, known } = await scene()
  const { transactionId } = await pay(shop, ada, order)
  const silent = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('unavailable', 'No answer.')),
  })
  const body = { amount: 20, reason: 'It was bent.', returned: 0 }
  await (await clientOf(silent, boss)).refundOrder({ params: { id: order._id }, body })
  expect((await known()).slice(2)).toMatchObject([
    { kind: 'refund asked', amount: 20, by: 'Boss', reason: 'It was bent.' },
  ])
  await bankSdk(shop).refunds.create({ payment_intent: transactionId!, amount: 6000 })
  await reconcile(shop, Date.now() + 60 * 60 * 1000)
  await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  const kinds = (await known()).slice(2)
  expect(kinds).toMatchObject([
    { kind: 'refund asked', amount: 20, by: 'Boss' },
    { kind: 'refunded', amount: 60, by: null, reason: null },
    {
      kind: 'refund refused',
      amount: 20,
      by: null,
      reason: expect.stringContaining('The card provider refused'),
    },
  ])
  expect((await seen()).at(-1)).toMatchObject({ kind: 'refund refused', reason: null })
})

test('nobody reads the timeline of a stranger’s order, and only an admin that of a cancelled one', async () => {
  const { shop, admin, order, cancel, seen, known } = await scene()
  const eve = await clientOf(shop, await createUser(shop, 'Eve'))
  const refusal = { status: 404, message: 'There is no such order.' }
  await expect(eve.readTimeline({ params: { id: order._id } })).rejects.toMatchObject(refusal)
  await cancel()
  await expect(seen()).rejects.toMatchObject(refusal)
  expect(await known()).toMatchObject([{ kind: 'placed' }, { kind: 'cancelled', by: 'Ada' }])
  expect(await admin.readOrder({ params: { id: order._id } })).toMatchObject({
    cancelled: true,
    heldUntil: null,
  })
})
