import { expect, test } from 'vitest'
import { shipOrder } from '#shop/orders/ship/shipments.server.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import type { cancelRules } from '#shop/settings/settings.ts'
import {
  emailSubjects,
  expectConsistentLedger,
  providerFaults,
  shopWithOrder,
  withNetwork,
} from '#test/bank.ts'
import { loseRace } from '#test/locks.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, readStock } from '#test/shop.ts'
import { cancelItems } from './cancel-items.server.ts'

/** Ada’s paid order of 10 × Tyre for $70 and 20 × Tube for $140. */
async function setup(cancelPaid: (typeof cancelRules)[number] = 'at once') {
  const context = await shopWithOrder()
  const { shop, ada, boss, client, admin } = context
  await admin.updateSettings({ body: { section: 'changes', cancelPaid, version: 0 } })
  const parts = [await createPart(shop, { name: 'Tyre' }), await createPart(shop, { name: 'Tube' })] as const
  const lines = parts.map(({ _id: partId }, i) => ({ partId, quantity: 10 * (i + 1) }))
  const placed = await client.placeOrder({ body: { ...purchase, lines } })
  await payOrderByCard(shop, ada, { ...placed.lines[0]!, price: placed.price })
  const [tyre, tube] = placed.lines as [(typeof placed.lines)[0], (typeof placed.lines)[0]]
  const params = { id: placed._id }
  return {
    ...context,
    params,
    tyre,
    tube,
    cancel: (lines = [tyre._id], key?: string, by = client) =>
      by.cancelItems({ params, body: { lines, reason: 'Wrong size' }, ...(key && { key }) }),
    states: async () =>
      (await admin.readOrder({ params })).lines.map(({ refunded, refundPending, toShip }) => ({
        refunded,
        refundPending,
        toShip,
      })),
    stocks: () => Promise.all(parts.map((part) => readStock(shop, part))),
    requests: async () => (await client.readCancellations({ params })).requests,
    decide: (id: string, body: object, by = admin) =>
      by.decideCancellation({ params: { id }, body: { decision: 'refund', ...body } }),
    expectConsistent: () => expectConsistentLedger(shop, [parts[0]._id, 50], [parts[1]._id, 50]),
    boss,
  }
}

const kept = (toShip: number) => ({ refunded: 0, refundPending: 0, toShip })
const shipped = { status: 409, message: expect.stringContaining('has shipped, so it can’t be cancelled') }

test('a paid item is refunded, back in stock and in a credit note at once, and both sides are told', async () => {
  const { shop, client, admin, params, cancel, states, stocks, expectConsistent } = await setup()
  expect(await cancel(undefined, 'k')).toEqual({ outcome: 'refunded' })
  expect(await cancel(undefined, 'k')).toEqual({ outcome: 'refunded' })
  expect(await states()).toEqual([{ refunded: 70, refundPending: 0, toShip: 0 }, kept(20)])
  expect(await stocks()).toEqual([50, 30])
  const documents = await client.listDocuments({ params })
  expect(documents.map(({ kind, total, reason }) => [kind, total, reason])).toEqual([
    ['invoice', 210, null],
    ['credit note', 70, 'You cancelled before shipping: Wrong size'],
  ])
  expect((await emailSubjects(shop)).slice(-2)).toEqual([
    'Don’t ship 10 × Tyre of order #1002: cancelled by the customer',
    'Refund of $70 for order #1002: 10 × Tyre',
  ])
  const events = await client.readOrderTimeline({ params })
  expect(events.at(-1)).toMatchObject({ kind: 'refunded', by: 'Ada', amount: 70 })
  await expect(cancel()).rejects.toMatchObject({ status: 409 })
  const slip = await admin.readPackingSlip({ params })
  expect(slip.lines.map(({ parts }) => parts)).toEqual(['Tube'])
  await expectConsistent()
})

test('an order that is cancelled whole leaves nothing to ship, and what was refunded of it before is kept', async () => {
  const { client, admin, params, tyre, tube, cancel, states, stocks, expectConsistent } = await setup()
  await admin.refundPurchase({
    params: { id: tube._id },
    body: { amount: 40, reason: 'They were bent.', returned: 5 },
  })
  expect(await cancel([tyre._id, tube._id])).toEqual({ outcome: 'refunded' })
  expect(await states()).toEqual([
    { refunded: 70, refundPending: 0, toShip: 0 },
    { refunded: 140, refundPending: 0, toShip: 0 },
  ])
  expect(await stocks()).toEqual([50, 50])
  const credited = (await client.listDocuments({ params })).filter(({ kind }) => kind === 'credit note')
  expect(credited.reduce((sum, { total }) => sum + total, 0)).toBe(210)
  await expect(admin.shipOrder({ params, body: {} })).rejects.toMatchObject({ status: 409 })
  await expectConsistent()
})

test('what has shipped, in part too, is unpaid, of another order or another customer’s is not cancelled', async () => {
  const { shop, admin, client, params, order, tyre, tube, cancel, states } = await setup()
  await admin.shipOrder({ params, body: { lines: [{ lineId: tyre._id, quantity: 1 }] } })
  await expect(cancel()).rejects.toMatchObject(shipped)
  await expect(cancel([tube._id, tyre._id])).rejects.toMatchObject(shipped)
  await expect(cancel([order._id])).rejects.toMatchObject({
    status: 409,
    message: 'This item isn’t in the order.',
  })
  await expect(
    client.cancelItems({ params: { id: order._id }, body: { lines: [order._id] } }),
  ).rejects.toMatchObject({ message: 'This order isn’t paid, so there’s nothing to refund.' })
  const stranger = await clientOf(shop, await createUser(shop, 'Bob'))
  for (const by of [stranger, admin])
    await expect(cancel([tube._id], undefined, by)).rejects.toMatchObject({ status: 404 })
  expect(await states()).toEqual([kept(9), kept(20)])
})

test('of an item that ships while it is being cancelled, nothing is refunded', async () => {
  const { shop, ada, boss, params, tyre, states } = await setup()
  const [outcome] = await loseRace(
    shop,
    async (tx) => {
      await shipOrder({ ...shop, db: tx } as typeof shop, boss, params.id, { carrier: undefined })
    },
    [() => cancelItems(shop, ada, params.id, { lines: [tyre._id] })],
  )
  expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } })
  expect(await states()).toEqual([kept(0), kept(0)])
})

test('two cancellations of an item at the same time refund it once', async () => {
  const { shop, ada, params, tyre, states, expectConsistent } = await setup()
  const attempts = [1, 2, 3].map(() => cancelItems(shop, ada, params.id, { lines: [tyre._id] }))
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(await states()).toEqual([{ refunded: 70, refundPending: 0, toShip: 0 }, kept(20)])
  await expectConsistent()
})

test('while the provider is unavailable, a cancelled item does not ship, and is refunded later', async () => {
  const { shop, ada, admin, params, tyre, states, stocks, expectConsistent } = await setup()
  const isRefund = (request: Request) => request.url.includes('/refunds')
  const broken = withNetwork(shop, providerFaults['responds with 500']!(isRefund))
  expect(await cancelItems(broken, ada, params.id, { lines: [tyre._id] })).toEqual({
    outcome: 'refund pending',
  })
  expect(await states()).toEqual([{ refunded: 0, refundPending: 70, toShip: 0 }, kept(20)])
  const body = { lines: [{ lineId: tyre._id, quantity: 1 }] }
  await expect(admin.shipOrder({ params, body })).rejects.toMatchObject({ status: 409 })
  await reconcile(shop, Date.now() + 60 * 60_000)
  expect(await states()).toEqual([{ refunded: 70, refundPending: 0, toShip: 0 }, kept(20)])
  expect(await stocks()).toEqual([50, 30])
  await expectConsistent()
})

test('by the rule “on request”, an admin sees the request as a task, and refunds it', async () => {
  const { shop, admin, params, tyre, cancel, requests, decide, states, expectConsistent } =
    await setup('on request')
  expect(await cancel()).toEqual({ outcome: 'requested' })
  await expect(cancel()).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('You’ve already asked to cancel 10 × Tyre.'),
  })
  expect(await states()).toEqual([kept(10), kept(20)])
  const [request] = await requests()
  expect(request).toMatchObject({ lineIds: [tyre._id], reason: 'Wrong size' })
  const [task] = await admin.listPaymentTasks()
  expect(task).toMatchObject({
    kind: 'cancellation requested',
    reference: request!._id,
    detail: 'The customer asks to cancel 10 × Tyre. “Wrong size”',
  })
  await expect(admin.completePaymentTask({ params: { id: task!._id } })).rejects.toMatchObject({
    status: 409,
  })
  expect((await emailSubjects(shop)).slice(-2)).toEqual([
    'You asked to cancel 10 × Tyre: order #1002',
    'Request to cancel 10 × Tyre: order #1002',
  ])
  expect(await decide(request!._id, {})).toEqual({ modifiedCount: 1 })
  expect(await decide(request!._id, {})).toEqual({ modifiedCount: 0 })
  expect(await states()).toEqual([{ refunded: 70, refundPending: 0, toShip: 0 }, kept(20)])
  expect(await requests()).toEqual([])
  expect(await admin.listPaymentTasks()).toEqual([])
  const { rows } = await admin.listAuditLog({ body: { action: 'decideCancellation' } })
  expect(rows).toMatchObject([{ subject: '#1002', after: { items: ['10 × Tyre'], answer: 'refunded' } }])
  expect((await admin.readOrderTimeline({ params })).map(({ kind, by }) => [kind, by]).slice(-2)).toEqual([
    ['cancellation requested', 'Ada'],
    ['refunded', 'Boss'],
  ])
  await expectConsistent()
})

test('a request is declined with a message, which the customer gets, and can be made again', async () => {
  const { shop, admin, params, cancel, requests, decide, states } = await setup('on request')
  await cancel()
  const [request] = await requests()
  const declined = { decision: 'decline', message: 'It is packed already.' }
  await expect(decide(request!._id, { decision: 'decline' })).rejects.toMatchObject({
    status: 400,
    fields: { message: ['Message is required'] },
  })
  expect(await decide(request!._id, declined)).toEqual({ modifiedCount: 1 })
  await expect(decide(request!._id, {})).rejects.toMatchObject({
    status: 409,
    message: 'Another admin has declined this already.',
  })
  expect(await states()).toEqual([kept(10), kept(20)])
  const [email] = (await shop.mail.read({})).rows
  expect(email).toMatchObject({ text: expect.stringContaining('It is packed already.') })
  expect((await admin.readOrderTimeline({ params })).at(-1)).toMatchObject({
    kind: 'cancellation declined',
    items: [{ parts: 'Tyre', quantity: 10 }],
  })
  expect(await cancel()).toEqual({ outcome: 'requested' })
})

test('a request whose item has shipped meanwhile is not refunded, and stays to be declined', async () => {
  const { admin, params, cancel, requests, decide, states } = await setup('on request')
  await cancel()
  await admin.shipOrder({ params, body: {} })
  const [request] = await requests()
  await expect(decide(request!._id, {})).rejects.toMatchObject(shipped)
  expect(await requests()).toHaveLength(1)
  expect(await states()).toEqual([kept(0), kept(0)])
  await expect(decide('none', {})).rejects.toMatchObject({ status: 404 })
})
