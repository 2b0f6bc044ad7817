import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { ledger, orderLines, parts, payments, type Queries, refunds } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { expireOrders, remindOrders } from '#shop/orders/close/expiry.server.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import { sentEmails } from '#test/identity.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { loseRace } from '#test/locks.ts'
import {
  clientOf,
  createPart,
  createUser,
  payByCard,
  purchase,
  readStock,
  testShop,
  withPayments,
} from '#test/shop.ts'
import { placeOrder } from './place.server.ts'

const hour = 3_600_000

async function setup(options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const [chain, tyre, hub] = [
    await createPart(shop),
    await createPart(shop, { name: 'Tyre', perUnitPrice: 20, minQuantity: 4 }),
    await createPart(shop, { name: 'Hub', perUnitPrice: 100, minQuantity: 1, availableQuantity: 3 }),
  ]
  const lines = [
    { partId: chain._id, quantity: 10 },
    { partId: tyre._id, quantity: 5 },
    { partId: hub._id, quantity: 1 },
  ]
  const place = (changed: Partial<{ lines: typeof lines; key: string }> = {}) =>
    client.placeOrder({
      body: { ...purchase, lines: changed.lines ?? lines },
      ...(changed.key && { key: changed.key }),
    })
  const stock = () => Promise.all([chain, tyre, hub].map((part) => readStock(shop, part)))
  const pay = async ({ _id, price }: { _id: string; price: number }) => {
    const { clientSecret } = await client.startPayment({ body: { price, purchase: _id } })
    const { id: transactionId } = await payByCard(shop, clientSecret)
    return client.payPurchase({ params: { id: _id }, body: { transactionId } })
  }
  const expectConsistent = async () => {
    const stocked = [chain, tyre, hub].map(({ _id, availableQuantity }): [string, number] => [
      _id,
      availableQuantity,
    ])
    expect(await findLedgerErrors(shop.db, { stocked, settled: false })).toEqual([])
  }
  return { shop, ada, client, admin, chain, tyre, hub, lines, place, stock, pay, expectConsistent }
}

test('placeOrder places all lines with one number and one email, and a key places them once', async () => {
  const { shop, client, place, stock } = await setup()
  const order = await place({ key: 'k' })
  expect(order).toMatchObject({
    number: '1001',
    price: 270,
    paid: false,
    shipping: false,
    lines: [
      { _id: order._id, orderId: order._id, parts: 'Chain', quantity: 10, price: 70, number: '1001' },
      { orderId: order._id, parts: 'Tyre', quantity: 5, price: 100 },
      { parts: 'Hub', quantity: 1, price: 100, address: '1 Hub Road' },
    ],
  })
  expect(await place({ key: 'k' })).toEqual(order)
  expect(await stock()).toEqual([40, 45, 2])
  expect(await shop.db.select().from(outbox)).toMatchObject([
    {
      subject: 'Your order #1001: 10 × Chain and 2 more items',
      body: expect.stringContaining('5 × Tyre at $20 each: $100'),
    },
  ])
  for (const id of [order._id, '1001', order.lines[2]!._id])
    expect(await client.readOrder({ params: { id } })).toEqual(order)
  expect(await client.listMyOrders({ body: { email: 'ada@example.com', q: 'tyre' } })).toEqual({
    rows: [order],
    total: 1,
  })
})

test('the price break of each line applies, and an order whose price breaks change meanwhile is refused', async () => {
  const { shop, ada, client, tyre, chain, place } = await setup()
  const priceBreaks = [{ quantity: 20, unitPrice: 5 }]
  await shop.db.update(parts).set({ priceBreaks }).where(eq(parts._id, chain._id))
  const lines = [
    { partId: chain._id, quantity: 20 },
    { partId: tyre._id, quantity: 5 },
  ]
  const order = await place({ lines })
  expect(order).toMatchObject({
    price: 200,
    lines: [{ price: 100, orderPrice: 200, lineCount: 2 }, { price: 100 }],
  })
  expect(await client.readOrder({ params: { id: order._id } })).toEqual(order)

  const changeBreaks = (tx: Queries) =>
    tx.update(parts).set({ priceBreaks: [] }).where(eq(parts._id, chain._id))
  const promised = lines.map((line) => ({ ...line, price: 100 }))
  const [outcome] = await loseRace(shop, changeBreaks, [
    () => placeOrder(shop, ada, { ...purchase, lines: promised }),
  ])
  expect(outcome).toMatchObject({
    reason: {
      code: 'conflict',
      message: 'Chain: The price is now $140.',
      fields: { 'lines.0.price': ['The price is now $140.'] },
    },
  })
})

test('placeOrder names every line that fails and places none', async () => {
  const { chain, tyre, hub, lines, place, stock } = await setup()
  const failing = [
    { partId: chain._id, quantity: 9 },
    { partId: tyre._id, quantity: 5, price: 90 },
    { partId: hub._id, quantity: 4 },
    { partId: 'unknown', quantity: 1 },
    { partId: tyre._id, quantity: 5 },
  ]
  await expect(place({ lines: failing })).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(
      /^Chain: Purchase atleast minimum 10.* Tyre: The price is now \$100\. Hub: .* no longer for sale\./,
    ),
    fields: {
      'lines.0.quantity': ['Purchase atleast minimum 10 quantity.'],
      'lines.1.price': ['The price is now $100.'],
      'lines.2.quantity': ["Purchase can't be higher than 3 available quantity."],
      'lines.3.partId': ['This part is no longer for sale.'],
      'lines.4.quantity': ['This part is in the order twice. Order it once, with the total quantity.'],
    },
  })
  await expect(place({ lines: [{ ...lines[0]!, quantity: 1.5 }] })).rejects.toMatchObject({
    fields: { 'lines.0.quantity': ['Whole numbers only'] },
  })
  await expect(place({ lines: [] })).rejects.toMatchObject({ fields: { lines: ['Order at least one part'] } })
  const tooMany = Array.from({ length: 101 }, () => lines[0]!)
  await expect(place({ lines: tooMany })).rejects.toMatchObject({
    fields: { lines: ['An order can have at most 100 items'] },
  })
  expect(await stock()).toEqual([50, 50, 3])
})

test('one payment pays all lines, and an amount that leaves one out is refused', async () => {
  const { client, place, pay, expectConsistent } = await setup()
  const order = await place()
  const part = client.startPayment({ body: { price: 70, purchase: order.lines[0]!._id } })
  await expect(part).rejects.toMatchObject({ message: expect.stringContaining('total is $270') })
  const paid = await pay(order)
  const after = await client.readOrder({ params: { id: order._id } })
  expect(after).toMatchObject({ paid: true, transactionId: paid.transactionId })
  expect(after.lines.map(({ paid, transactionId }) => [paid, transactionId])).toEqual(
    Array(3).fill([true, paid.transactionId]),
  )
  await expectConsistent()
})

test('cancelling a line changes what is paid, and an amount from before is never charged', async () => {
  const { shop, client, place, stock, pay, expectConsistent } = await setup()
  const order = await place()
  const { clientSecret } = await client.startPayment({ body: { price: 270, purchase: order._id } })
  await client.cancelPurchase({ params: { id: order.lines[1]!._id } })
  expect(await stock()).toEqual([40, 50, 2])
  expect((await payByCard(shop, clientSecret)).status).toBe(400)
  const rest = await client.readOrder({ params: { id: order._id } })
  expect([rest.price, rest.lines.length]).toEqual([170, 2])
  await pay(rest)
  expect((await client.readOrder({ params: { id: '1001' } })).paid).toBe(true)
  await expectConsistent()
})

test('an admin who cancels a line tells the customer that the rest stays', async () => {
  const { shop, admin, place } = await setup()
  const order = await place()
  for (const { _id } of order.lines) await admin.cancelPurchase({ params: { id: _id } })
  const subjects = (await shop.db.select().from(outbox).orderBy(outbox.number)).map(({ subject }) => subject)
  expect(subjects.slice(1)).toEqual([
    'Part of order #1001 was cancelled: 10 × Chain',
    'Part of order #1001 was cancelled: 5 × Tyre',
    'Order #1001 was cancelled: 1 × Hub',
  ])
})

test('an order ends when its last line is cancelled', async () => {
  const { client, admin, place, stock, expectConsistent } = await setup()
  const order = await place()
  for (const { _id } of order.lines) await client.cancelPurchase({ params: { id: _id } })
  const [, ...events] = await admin.readOrderTimeline({ params: { id: order._id } })
  expect(events.map(({ kind, items }) => [kind, items.length])).toEqual(Array(3).fill(['cancelled', 1]))
  await expect(client.readOrder({ params: { id: order._id } })).rejects.toMatchObject({ status: 404 })
  expect(await client.listMyOrders({ body: { email: 'ada@example.com' } })).toEqual({ rows: [], total: 0 })
  expect(await stock()).toEqual([50, 50, 3])
  await expectConsistent()
})

test('cancelOrder cancels and restocks all lines that are left once, and only of an unpaid order', async () => {
  const { shop, client, admin, place, pay, stock, expectConsistent } = await setup()
  const order = await place()
  const params = { id: order.number }
  const { clientSecret } = await client.startPayment({ body: { price: 270, purchase: order._id } })
  await client.cancelPurchase({ params: { id: order.lines[0]!._id } })
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => admin.cancelOrder({ params })))
  expect(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))).toEqual([
    { deletedCount: 2 },
  ])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 404 } })
  expect(await stock()).toEqual([50, 50, 3])
  expect((await payByCard(shop, clientSecret)).status).toBe(400)
  await expect(client.readOrder({ params })).rejects.toMatchObject({ status: 404 })
  expect((await sentEmails(shop)).slice(1).map(({ subject }) => subject)).toEqual([
    'Order #1001 was cancelled: 5 × Tyre and 1 more item',
  ])
  const events = await admin.readOrderTimeline({ params })
  expect(events.map(({ kind, items }) => [kind, items.map(({ parts }) => parts)])).toEqual([
    ['placed', []],
    ['cancelled', ['Chain']],
    ['cancelled', ['Tyre', 'Hub']],
  ])
  await expectConsistent()

  const { _id: id, lines } = await place()
  const counts = await Promise.all(
    [client.cancelPurchase({ params: { id: lines[0]!._id } }), admin.cancelOrder({ params: { id } })].map(
      (call) =>
        call.then(
          ({ deletedCount }) => deletedCount,
          () => 0,
        ),
    ),
  )
  expect(counts[0]! + counts[1]!, 'each item is counted once').toBe(3)
  expect(await stock()).toEqual([50, 50, 3])

  const expired = await place()
  await expireOrders(shop, Date.now() + 73 * hour)
  expect(await client.cancelOrder({ params: { id: expired._id } })).toEqual({ deletedCount: 3 })
  expect(await stock()).toEqual([50, 50, 3])

  const paid = await place()
  await pay(paid)
  await expect(client.cancelOrder({ params: { id: paid._id } })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('This order is paid, so it can’t be cancelled.'),
  })
  expect((await client.readOrder({ params: { id: paid._id } })).lines).toHaveLength(3)
  await expectConsistent()
})

test('the lines of an order expire together, and a late payment takes all parts again or none', async () => {
  for (const isSoldOut of [false, true]) {
    const { shop, client, hub, place, stock, expectConsistent } = await setup()
    const order = await place()
    const { clientSecret } = await client.startPayment({ body: { price: 270, purchase: order._id } })
    const { cancel } = shop.payments
    // The bank is slow: the card pays before the payment is cancelled.
    shop.payments.cancel = async (id) => {
      await payByCard(shop, clientSecret)
      return cancel(id)
    }
    await shop.db.update(payments).set({ settledAt: new Date().toISOString() })
    await expireOrders(shop, Date.now() + 73 * hour)
    expect(await stock()).toEqual([50, 50, 3])
    if (isSoldOut) await shop.db.update(parts).set({ availableQuantity: 0 }).where(eq(parts._id, hub._id))
    shop.payments.cancel = cancel
    await payByCard(shop, clientSecret)
    await shop.db.update(payments).set({ nextCheckAt: new Date().toISOString() })
    await reconcile(shop, Date.now() + hour)
    const after = await client.readOrder({ params: { id: order._id } })
    expect([after.paid, after.expired]).toEqual([!isSoldOut, isSoldOut])
    expect(await stock()).toEqual(isSoldOut ? [50, 50, 0] : [40, 45, 2])
    if (!isSoldOut) await expectConsistent()
  }
})

test('a refund is of one line, restocks its part and leaves the others', async () => {
  const { shop, client, admin, lines, place, pay, stock, expectConsistent } = await setup()
  const { _id: partId } = await createPart(shop, { name: 'Bell' })
  const order = await place({ lines: [...lines, { partId, quantity: 10 }] })
  const [, tyres, hub, cancelled] = order.lines
  await client.cancelPurchase({ params: { id: cancelled!._id } })
  const { transactionId } = await pay({ ...order, price: 270 })
  const body = { amount: 60, reason: 'Three were cracked.', returned: 3 }
  const refunded = await admin.refundPurchase({ params: { id: tyres!._id }, body })
  expect(refunded).toMatchObject({ parts: 'Tyre', refunded: 60 })
  expect(await stock()).toEqual([40, 48, 2])
  expect((await sentEmails(shop)).at(-1)!.subject).toBe('Refund of $60 for order #1001: 5 × Tyre')
  const tooMuch = admin.refundPurchase({ params: { id: tyres!._id }, body: { ...body, amount: 41 } })
  await expect(tooMuch).rejects.toMatchObject({ fields: { amount: ['Amount must be at most $40'] } })
  await admin.shipPurchase({ params: { id: hub!._id } })
  const after = await client.readOrder({ params: { id: order._id } })
  expect(after).toMatchObject({ refunded: 60, shipping: false })
  expect(after.lines.map(({ refunded, shipping }) => [refunded, shipping])).toEqual([
    [0, false],
    [60, false],
    [0, true],
  ])
  await expectConsistent()

  // One by hand leaves its room to one that the provider has not made yet.
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  const asZoe = await clientOf(silent, await createUser(shop, 'Zoe', 'admin'))
  const refund = ({ _id: id }: { _id: string }, amount: number, by = admin) =>
    by.refundPurchase({ params: { id }, body: { amount, reason: 'Bent.', returned: 0 } })
  await refund(order, 50, asZoe)
  for (const [line, isShown] of [
    [order, true],
    [hub!, false],
  ] as const) {
    const events = await client.readTimeline({ params: { id: line._id } })
    expect(events.some(({ kind }) => kind === 'refund requested')).toBe(isShown)
  }
  await shop.payments.refund(transactionId!, { amountCents: 7_000, key: 'by hand', failures: 0 })
  await settlePayment(silent, (await shop.payments.find(transactionId!))!)
  await expect(refund(order, 12)).rejects.toMatchObject({
    fields: { amount: ['Another refund is pending. You can refund at most $11.25.'] },
  })
  await refund(hub!, 56.25)
  await refund(tyres!, 22.5)
  await refund(order, 11.25)
  await reconcile(shop, Date.now() + hour)
  expect(await client.readOrder({ params: { id: order._id } })).toMatchObject({ refunded: 270 })
  await expectConsistent()
})

test('a refund made at the provider is of all lines in proportion, also on their timelines, and one that fails is taken back from them', async () => {
  const { shop, client, admin, place, pay, expectConsistent } = await setup()
  const order = await place()
  const { transactionId } = await pay(order)
  const amounts = async () =>
    (await client.readOrder({ params: { id: order._id } })).lines.map(({ refunded }) => refunded)
  await shop.payments.refund(transactionId!, { amountCents: 12_029, key: 'by hand', failures: 0 })
  await shop.db.update(payments).set({ nextCheckAt: new Date().toISOString() })
  await reconcile(shop, Date.now() + hour)
  expect(await amounts()).toEqual([31.19, 44.55, 44.55])
  expect(await client.readOrder({ params: { id: order._id } })).toMatchObject({ refunded: 120.29 })
  expect((await admin.listPurchases()).rows).toMatchObject(Array(3).fill({ orderRefunded: 120.29 }))
  const rest = admin.refundPurchase({
    params: { id: order.lines[1]!._id },
    body: { amount: 56, reason: 'Bent.', returned: 0 },
  })
  await expect(rest).rejects.toMatchObject({ fields: { amount: ['Amount must be at most $55.45'] } })
  await expectConsistent()
  expect(await shop.db.$count(refunds)).toBe(0)
  expect(await shop.db.$count(ledger)).toBe(2)
  const events = await Promise.all(order.lines.map(({ _id }) => client.readTimeline({ params: { id: _id } })))
  const shown = events.map((ofLine) => ofLine.find(({ kind }) => kind === 'refunded')?.amount)
  expect(shown).toEqual([31.19, 44.55, 44.55])

  const [, , hub] = order.lines
  await admin.refundPurchase({
    params: { id: hub!._id },
    body: { amount: 55.45, reason: 'Bent.', returned: 0 },
  })
  const payment = (await shop.payments.find(transactionId!))!
  const failing = payment.refunds.map((refund) =>
    refund.amountCents === 12_029 ? { ...refund, status: 'failed' as const } : refund,
  )
  await settlePayment(shop, { ...payment, refunds: failing })
  expect(await amounts()).toEqual([0, 0, 55.45])

  const unknown = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('conflict', 'No such payment.')),
    find: async () => null,
  })
  const asZoe = await clientOf(unknown, await createUser(shop, 'Zoe', 'admin'))
  const body = { amount: 10.1, reason: 'Bent.', returned: 0 }
  await asZoe.refundPurchase({ params: { id: order.lines[1]!._id }, body })
  const task = (await admin.listPaymentTasks()).find(({ kind }) => kind === 'refund rejected')
  await admin.completePaymentTask({ params: { id: task!._id } })
  expect(await amounts()).toEqual([0, 10.1, 55.45])
  expect((await sentEmails(shop)).at(-1)!.subject).toBe('Refund of $10.10 for order #1001: 5 × Tyre')
})

test('a refund made at the provider is of no cancelled line, and the rest of an order that was refunded is not shipped', async () => {
  const { shop, client, admin, place, pay, expectConsistent } = await setup()
  const order = await place()
  await client.cancelPurchase({ params: { id: order.lines[0]!._id } })
  const { transactionId } = await pay({ _id: order.lines[1]!._id, price: 200 })
  await shop.payments.refund(transactionId!, { amountCents: 20_000, key: 'by hand', failures: 0 })
  await shop.db.update(payments).set({ nextCheckAt: new Date().toISOString() })
  await reconcile(shop, Date.now() + hour)
  expect(await client.readOrder({ params: { id: order._id } })).toMatchObject({ price: 200, refunded: 200 })
  for (const { _id } of order.lines.slice(1)) {
    const shipping = admin.shipPurchase({ params: { id: _id } })
    await expect(shipping).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('refunded'),
    })
  }
  await expectConsistent()
})

test('an order whose first item was cancelled is read by its other items, and its reminder names only those', async () => {
  const { shop, ada, client, admin, chain, tyre } = await setup()
  const lines = [chain, tyre].map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const order = await client.placeOrder({ body: { ...purchase, lines } })
  await client.cancelPurchase({ params: { id: order._id } })
  for (const id of [order._id, order.number])
    expect(await admin.readPurchase({ params: { id } }), id).toMatchObject({
      parts: 'Tyre',
      cancelled: false,
    })
  await remindOrders(shop, Date.now() + 60 * hour)
  const [reminder] = (await sentEmails(shop)).filter(({ subject }) => subject.includes('awaiting payment'))
  expect(reminder!.recipient).toBe(ada.email)
  expect(reminder!.body).toContain('10 × Tyre')
  expect(reminder!.body).not.toContain('Chain')
})

test('60 buyers of five parts in random order take exactly what there is, without a deadlock', async () => {
  const shop = await testShop()
  const stocked = await Promise.all(
    Array.from({ length: 5 }, (_, i) =>
      createPart(shop, { name: `Part ${i}`, minQuantity: 1, availableQuantity: 40 }),
    ),
  )
  const buyers = await Promise.all(Array.from({ length: 60 }, (_, i) => createUser(shop, `Buyer${i}`)))
  const outcomes = await Promise.allSettled(
    buyers.map(async (buyer, i) => {
      const rotated = stocked.map((_, k) => stocked[(i + k * (i % 2 ? 1 : 4)) % 5]!)
      const client = await clientOf(shop, buyer)
      return client.placeOrder({
        body: { ...purchase, lines: rotated.map(({ _id }) => ({ partId: _id, quantity: 1 })) },
      })
    }),
  )
  const placed = outcomes.filter(({ status }) => status === 'fulfilled')
  const rejected = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason.status] : [],
  )
  expect(placed).toHaveLength(40)
  expect(rejected.filter((status) => status !== 400 && status !== 409)).toEqual([])
  expect(await Promise.all(stocked.map((part) => readStock(shop, part)))).toEqual([0, 0, 0, 0, 0])
  expect(await shop.db.$count(orderLines)).toBe(200)
  const numbers = placed.map((outcome) => outcome.status === 'fulfilled' && outcome.value.number)
  expect(numbers.toSorted()).toEqual(Array.from({ length: 40 }, (_, i) => String(1001 + i)))
})

test('an address with half an emoji is ordered with a replacement character', async () => {
  const shop = await testShop()
  const part = await createPart(shop)
  const client = await clientOf(shop, await createUser(shop, 'Ada'))
  const body = { ...purchase, address: '1 Hub Road \ud83d', partId: part._id, quantity: 10 }
  expect(await client.placePurchase({ body, key: 'one' })).toMatchObject({ address: '1 Hub Road \ufffd' })
})
