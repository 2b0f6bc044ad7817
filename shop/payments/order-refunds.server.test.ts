import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bankRefunds } from '#db/embedded.ts'
import { invoices } from '#db/schema.ts'
import { layoutDocument } from '#shop/documents/layout.ts'
import { ShopError } from '#shop/errors.ts'
import { toCents } from '#shop/money.ts'
import { bankSdk, emailSubjects } from '#test/bank.ts'
import { findLedgerErrors } from '#test/ledger.ts'
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
import { reconcile } from './reconcile.server.ts'

const hour = 3_600_000
const reason = 'They came bent.'

type Share = { lineId: string; amount: number; returned: number; quantity?: number }

/** A paid order of 10 chains for $70, 5 tyres for $100 and a hub for $100. */
async function setup() {
  const shop = await testShop()
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const parts = [
    await createPart(shop),
    await createPart(shop, { name: 'Tyre', perUnitPrice: 20, minQuantity: 4 }),
    await createPart(shop, { name: 'Hub', perUnitPrice: 100, minQuantity: 1, availableQuantity: 3 }),
  ]
  const stocked = parts.map(({ _id, availableQuantity }): [string, number] => [_id, availableQuantity])
  const [chain, tyre, hub] = parts.map(({ _id: partId }) => partId)
  const order = await client.placeOrder({
    body: {
      ...purchase,
      lines: [
        { partId: chain!, quantity: 10 },
        { partId: tyre!, quantity: 5 },
        { partId: hub!, quantity: 1 },
      ],
    },
  })
  const params = { id: order._id }
  const { clientSecret } = await client.startPayment({ body: { price: 270, purchase: order._id } })
  const { id: payment } = await payByCard(shop, clientSecret)
  await client.payPurchase({ params, body: { transactionId: payment } })
  const share = (i: number, amount: number, returned = 0): Share => ({
    lineId: order.lines[i]!._id,
    amount,
    returned,
  })
  return {
    shop,
    boss,
    client,
    admin,
    order,
    params,
    payment,
    share,
    refund: (lines: Share[], options: { key?: string } = {}) =>
      admin.refundOrder({ params, body: { lines, reason }, ...options }),
    atBank: async () =>
      (await bankSdk(shop).refunds.list({ limit: 100 })).data.map(({ amount }) => amount).toReversed(),
    stock: () => Promise.all(parts.map((part) => readStock(shop, part))),
    expectConsistent: async () =>
      expect(await findLedgerErrors(shop.db, { stocked, settled: true })).toEqual([]),
  }
}

test('several items are one refund, one email and one credit note, split exactly', async () => {
  const { shop, client, admin, params, order, share, refund, atBank, stock, expectConsistent } = await setup()
  const refunded = await refund([share(0, 19.99, 3), share(1, 100, 5), share(2, 0.01)])
  expect(refunded).toMatchObject({ refunded: 120, refundPending: 0 })
  expect(refunded.lines.map((line) => [line.refunded, line.returnedQuantity])).toEqual([
    [19.99, 3],
    [100, 5],
    [0.01, 0],
  ])
  expect(await atBank()).toEqual([12_000])
  expect(await stock()).toEqual([43, 50, 2])
  expect((await emailSubjects(shop)).slice(2)).toEqual([
    'Refund of $120 for order #1001: 10 × Chain and 2 more items',
  ])
  const notes = await shop.db.select().from(invoices).where(eq(invoices.kind, 'credit note'))
  expect(notes).toHaveLength(1)
  expect(notes[0]!.content).toMatchObject({
    total: 120,
    reason,
    lines: [{ amount: 19.99 }, { amount: 100 }, { amount: 0.01 }],
  })
  const ofOrder = (await client.readOrderTimeline({ params })).at(-1)
  expect(ofOrder).toMatchObject({
    kind: 'refunded',
    amount: 120,
    items: [
      { parts: 'Chain', quantity: 3 },
      { parts: 'Tyre', quantity: 5 },
      { parts: 'Hub', quantity: 0 },
    ],
  })
  const ofTyres = (await client.readTimeline({ params: { id: order.lines[1]!._id } })).at(-1)
  expect(ofTyres).toMatchObject({ kind: 'refunded', amount: 100 })
  const { rows } = await admin.listAuditLog({ body: { subjectKind: 'order', subjectId: order._id } })
  expect(rows.filter(({ action }) => action === 'refundOrder')).toHaveLength(1)
  await expectConsistent()
})

test('a refund of several items is all or nothing, and names the item that is wrong', async () => {
  const { admin, params, share, refund, atBank, stock, expectConsistent } = await setup()
  await expect(refund([share(0, 10), share(1, 100.01)])).rejects.toMatchObject({
    status: 400,
    message: 'Tyre: Amount must be at most $100',
    fields: { 'lines.1.amount': ['Amount must be at most $100'] },
  })
  await expect(refund([share(0, 10, 11), share(1, 1)])).rejects.toMatchObject({
    fields: { 'lines.0.returned': ['You can return at most 10 to stock'] },
  })
  await expect(refund([share(0, 10), share(0, 10)])).rejects.toMatchObject({
    status: 400,
    message: 'Each item can be in a refund once.',
  })
  await expect(refund([])).rejects.toMatchObject({ message: 'Choose at least one item to refund' })
  const unknown = { ...share(0, 10), lineId: 'nobody' }
  await expect(refund([share(1, 1), unknown])).rejects.toMatchObject({ status: 404 })
  await admin.shipPurchase({ params: { id: share(2, 1).lineId } })
  const stale = [share(0, 10), { ...share(2, 10), shippedQuantity: 0 }]
  await expect(admin.refundOrder({ params, body: { lines: stale, reason } })).rejects.toMatchObject({
    status: 409,
    message: 'Hub: This item has just been shipped. To refund it anyway, submit the refund again.',
  })
  expect(await atBank()).toEqual([])
  expect(await stock()).toEqual([40, 45, 2])
  await expectConsistent()
})

test('a refund of several items is made once, however often it is sent', async () => {
  const { share, refund, atBank, expectConsistent } = await setup()
  const lines = [share(0, 70, 10), share(1, 50)]
  const key = 'refund-of-two'
  const results = await Promise.all([refund(lines, { key }), refund(lines, { key })])
  expect(results.map(({ refunded }) => refunded)).toEqual([120, 120])
  await expect(refund([share(0, 1)], { key })).rejects.toMatchObject({ status: 409 })
  expect(await atBank()).toEqual([12_000])
  await expectConsistent()
})

test('while the provider is down a refund of several items is pending, and each item counts its share', async () => {
  const { shop, boss, client, params, share, atBank, stock, expectConsistent } = await setup()
  const silent = withPayments(shop, { refund: () => Promise.reject(new ShopError('unavailable', '')) })
  const asBoss = await clientOf(silent, boss)
  const pending = await asBoss.refundOrder({
    params,
    body: { lines: [share(0, 70, 10), share(1, 19.99, 1)], reason },
  })
  expect(pending).toMatchObject({ refunded: 0, refundPending: 89.99 })
  expect(pending.lines.map(({ refundPending }) => refundPending)).toEqual([70, 19.99, 0])
  expect(await stock()).toEqual([40, 45, 2])
  await expect(
    asBoss.refundOrder({ params, body: { lines: [share(1, 80.02), share(2, 1)], reason } }),
  ).rejects.toMatchObject({
    fields: { 'lines.0.amount': ['Another refund is pending. You can refund at most $80.01.'] },
  })
  expect((await asBoss.listPurchases({ body: { status: 'refund pending' } })).total).toBe(2)
  await reconcile(shop, Date.now() + hour)
  expect(await client.readOrder({ params })).toMatchObject({ refunded: 89.99, refundPending: 0 })
  expect(await atBank()).toEqual([8_999])
  expect(await stock()).toEqual([50, 46, 2])
  await expectConsistent()
})

test('a refund of several items that the provider refuses, or whose bank fails, takes all shares back', async () => {
  const { shop, boss, admin, client, params, share, refund, stock } = await setup()
  const refusing = withPayments(shop, {
    refund: () => Promise.reject(new ShopError('conflict', 'The card is closed.')),
  })
  const lines = [share(0, 70, 10), share(1, 20, 1)]
  const refused = (await clientOf(refusing, boss)).refundOrder({ params, body: { lines, reason } })
  await expect(refused).rejects.toMatchObject({ status: 409, message: 'The card is closed.' })
  const nothing = { refunded: 0, refundPending: 0 }
  const after = await client.readOrder({ params })
  expect(after).toMatchObject(nothing)
  expect(after.lines.map(({ returnedQuantity, toShip }) => [returnedQuantity, toShip])).toEqual([
    [0, 10],
    [0, 5],
    [0, 1],
  ])
  expect(await stock()).toEqual([40, 45, 2])
  await refund(lines)
  await shop.db.update(bankRefunds).set({ status: 'failed' })
  await reconcile(shop, Date.now() + hour)
  expect(await client.readOrder({ params })).toMatchObject(nothing)
  expect(await admin.listPaymentTasks()).toMatchObject([{ kind: 'refund failed' }])
})

test('a refund that the bank returned counts once an admin has made it another way, and not if it was refunded again', async () => {
  const { shop, admin, client, params, share, refund, stock, expectConsistent } = await setup()
  const refundedByLine = async () =>
    (await client.readOrder({ params })).lines.map(({ refunded, toShip }) => [refunded, toShip])
  const lines = [share(0, 70), share(1, 20)]
  const failAll = async (hours: number) => {
    await shop.db.update(bankRefunds).set({ status: 'failed' })
    await reconcile(shop, Date.now() + hours * hour)
  }
  await refund(lines)
  const counted = await refundedByLine()
  await failAll(1)
  const [task] = await admin.listPaymentTasks()
  const complete = () => admin.completePaymentTask({ params: { id: task!._id }, body: { refunded: true } })
  await refund(lines)
  await expect(complete()).rejects.toMatchObject({
    status: 409,
    message: /^Less than this is left to refund/,
  })
  await failAll(2)
  const before = await stock()
  expect(await complete()).toEqual({ modifiedCount: 1 })
  await expect(complete()).rejects.toMatchObject({ status: 409, message: /^This task is resolved already/ })
  expect(await refundedByLine()).toEqual(counted)
  expect(await stock()).toEqual(before)
  expect((await emailSubjects(shop)).at(-1)).toMatch(/^Refund of \$90 for order/)
  expect((await admin.readOrderTimeline({ params })).at(-1)).toMatchObject({
    kind: 'refunded another way',
    by: 'Boss',
    amount: 90,
  })
  await expectConsistent()
})

test('whatever is refunded together, the items add up, and no more than was paid goes out', async () => {
  const amount = fc.integer({ min: 1, max: 12_000 }).map((cents) => cents / 100)
  const shares = fc.uniqueArray(
    fc.record({ line: fc.integer({ min: 0, max: 2 }), amount, returned: fc.integer({ min: 0, max: 6 }) }),
    { minLength: 1, maxLength: 3, selector: ({ line }) => line },
  )
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  await fc.assert(
    fc.asyncProperty(fc.array(shares, { minLength: 1, maxLength: 6 }), async (refunds) => {
      const { client, params, share, refund, atBank, expectConsistent } = await setup()
      let made = 0
      for (const lines of refunds) {
        const before = await client.readOrder({ params })
        const wanted = lines.map(({ line, amount, returned }) => share(line, amount, returned))
        const error = await refund(wanted).then(
          () => null,
          (error) => error,
        )
        const after = await client.readOrder({ params })
        if (error) {
          expect([400, 409]).toContain(error.status)
          expect(after).toEqual(before)
          continue
        }
        made += wanted.reduce((cents, { amount }) => cents + toCents(amount), 0)
        for (const { lineId, amount } of wanted) {
          const of = ({ lines }: typeof before) => toCents(lines.find(({ _id }) => _id === lineId)!.refunded)
          expect(of(after)).toBe(of(before) + toCents(amount))
        }
      }
      expect((await atBank()).reduce((sum, cents) => sum + cents, 0)).toBe(made)
      expect(made).toBeLessThanOrEqual(27_000)
      await expectConsistent()
    }),
    { numRuns: 8, seed },
  )
})

test('a refund of several items gives the quantities refunded, in its email and its credit note', async () => {
  const { shop, client, params, share, refund, expectConsistent } = await setup()
  await expect(refund([{ ...share(0, 7), quantity: 11 }])).rejects.toMatchObject({
    status: 400,
    fields: { 'lines.0.quantity': ['Quantity must be at most 10'] },
  })
  // Nothing comes back to stock, and of the hub only an amount is refunded.
  await refund([{ ...share(0, 21), quantity: 3 }, { ...share(1, 40), quantity: 2 }, share(2, 0.5)])
  const { rows: emails } = await shop.mail.read({ q: 'refunded' })
  expect(emails[0]).toMatchObject({ subject: 'Refund of $61.50 for order #1001: 3 × Chain and 2 more items' })
  expect(emails[0]!.text).toContain(
    'We refunded $61.50 of the $270 you paid for these parts:\n3 × Chain: $21\n2 × Tyre: $40\nHub: $0.50\n',
  )
  const [, note] = await client.listDocuments({ params })
  expect(layoutDocument(note!).rows.map(([, ...cells]) => cells)).toEqual([
    ['3 × Chain', '$21'],
    ['2 × Tyre', '$40'],
    ['Hub', '$0.50'],
  ])
  await refund([{ ...share(1, 20), quantity: 1 }])
  expect((await emailSubjects(shop)).at(-1)).toBe('Refund of $20 for order #1001: 1 × Tyre')
  await expectConsistent()
})
