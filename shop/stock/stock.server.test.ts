import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { expectedDeliveries, parts, stockAlerts, users } from '#db/schema.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import { loseRace } from '#test/locks.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  stopClock,
  testShop,
} from '#test/shop.ts'
import { requestStockAlert, sendStockAlerts } from './alerts.server.ts'
import { findNextDelivery, markOverdueDeliveries } from './deliveries.server.ts'

const hour = 3_600_000

/** Another part has an order, an expected delivery and an alert, too, all of them older. */
async function setup(availableQuantity = 50) {
  const shop = await testShop()
  const ada = await createUser(shop, 'Ada')
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const client = await clientOf(shop, ada)
  const hub = await createPart(shop, { name: 'Hub', availableQuantity: 19 })
  const ofHub = { partId: hub._id }
  await client.placePurchase({ body: { ...purchase, ...ofHub, quantity: 10 } })
  await client.requestStockAlert({ params: ofHub })
  const expectedOn = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10)
  await admin.addDelivery({ params: ofHub, body: { expectedOn, quantity: 5 } })
  const part = await createPart(shop, { availableQuantity })
  const params = { partId: part._id }
  const place = () => client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  const history = async (body = {}) => {
    const { rows } = await admin.listStockMovements({ params, body })
    return rows.map(({ kind, quantity, balance, order, by }) => [kind, quantity, balance, order?.number, by])
  }
  return { shop, ada, admin, client, part, params, ofHub, place, history }
}

test('the stock history names every change with its order, its person and the stock after it', async () => {
  const { shop, ada, admin, client, params, place, history } = await setup()
  const [paid, cancelled, expired] = [await place(), await place(), await place()]
  await payOrderByCard(shop, ada, paid)
  await client.cancelPurchase({ params: { id: cancelled._id } })
  await expireOrders(shop, Date.now() + 73 * hour)
  await client.cancelPurchase({ params: { id: expired._id } })
  await admin.refundPurchase({ params: { id: paid._id }, body: { amount: 28, reason: 'Bent', returned: 4 } })
  await admin.restockPart({ params, body: { arrived: 7 } })
  const { availableQuantity: before, ...part } = await admin.readPart({ params })
  await admin.updatePart({
    params,
    body: { ...part, availableQuantity: 30, availableQuantityBefore: before },
  })
  expect(await history()).toEqual([
    ['corrected', -21, 30, undefined, 'Boss'],
    ['received', 7, 51, undefined, 'Boss'],
    ['returned', 4, 44, paid.number, 'Boss'],
    ['expired', 10, 40, expired.number, null],
    ['cancelled', 10, 30, cancelled.number, 'Ada'],
    ['ordered', -10, 20, expired.number, 'Ada'],
    ['ordered', -10, 30, cancelled.number, 'Ada'],
    ['ordered', -10, 40, paid.number, 'Ada'],
    ['opening', 50, 50, undefined, null],
  ])
  expect(await history({ kind: 'ordered', limit: 1, page: 2 })).toEqual([
    ['ordered', -10, 30, cancelled.number, 'Ada'],
  ])
  expect(await history({ q: `#${cancelled.number}` })).toHaveLength(2)
  for (const q of ['boss', ' BÓSS ']) expect(await history({ q })).toHaveLength(3)
  for (const q of [`#${cancelled.number.slice(0, -1)}`, 'nobody', '#none'])
    expect(await history({ q })).toEqual([])
  expect(await history({ q: 'ada', kind: 'cancelled' })).toHaveLength(1)
  expect((await admin.listStockMovements({ params, body: { limit: 1 } })).total).toBe(9)
})

test('the day of an expected delivery is over at midnight in the shop’s time zone', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-31T18:29:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { shop, admin, part, params } = await setup()
  Object.assign(shop, { timeZone: 'Asia/Kolkata' })
  await admin.addDelivery({ params, body: { expectedOn: '2026-12-31', quantity: 40 } })
  const isNext = async () => (await findNextDelivery(shop, part._id)) !== null
  const midnight = Date.parse('2026-12-31T18:30:00.000Z')
  await markOverdueDeliveries(shop, midnight - 1)
  expect(await isNext()).toBe(true)
  vi.setSystemTime(midnight)
  expect(await isNext()).toBe(false)
  await markOverdueDeliveries(shop)
  const deliveries = await admin.listDeliveries({ params })
  expect(deliveries.map(({ overdue }) => overdue)).toEqual([true])
})

test('an expected delivery is the next one until its day is over, and receiving it adds what has arrived once', async () => {
  stopClock()
  const { shop, admin, part, params, ofHub, history } = await setup()
  const add = (expectedOn: string) => admin.addDelivery({ params, body: { expectedOn, quantity: 40 } })
  const now = Date.now()
  const day = (days: number) => new Date(now + days * 24 * hour).toISOString().slice(0, 10)
  const [later, soon] = [await add(day(9)), await add(day(2))]
  await add(day(-1))
  const next = () => findNextDelivery(shop, part._id)
  const overdue = async () => (await admin.listDeliveries({ params })).map((delivery) => delivery.overdue)
  expect(await next()).toMatchObject({ expectedOn: day(2), quantity: 40 })
  const { insertedId: today } = await add(day(0))
  expect(await next()).toMatchObject({ _id: today, overdue: false })
  await admin.removeDelivery({ params: { id: today } })
  await markOverdueDeliveries(shop, now + 2 * 24 * hour)
  expect(await overdue()).toEqual([true, false, false])
  await markOverdueDeliveries(shop, now + 3 * 24 * hour)
  expect(await next()).toMatchObject({ expectedOn: day(9) })
  expect(await overdue()).toEqual([true, true, false])

  const receive = () =>
    admin.receiveDelivery({ params: { id: soon.insertedId }, body: { arrived: 38 }, key: 'k' })
  expect(await receive()).toEqual({ availableQuantity: 88 })
  expect(await receive()).toEqual({ availableQuantity: 88 })
  const rest = { _id: soon.insertedId, expectedOn: day(2), quantity: 2 }
  expect((await admin.listDeliveries({ params }))[1]).toMatchObject(rest)
  const receiveRest = (expected: number) =>
    admin.receiveDelivery({ params: { id: soon.insertedId }, body: { arrived: 3, expected } })
  await expect(receiveRest(40)).rejects.toMatchObject({
    status: 409,
    message: 'Another admin has received some of this delivery. 2 are still expected.',
  })
  await receiveRest(2)
  expect(await admin.listDeliveries({ params })).toHaveLength(2)
  await admin.removeDelivery({ params: { id: later.insertedId } })
  expect(await history()).toHaveLength(3)
  await expect(admin.removeDelivery({ params: { id: later.insertedId } })).rejects.toMatchObject({
    status: 404,
  })
  expect(await admin.listDeliveries({ params: ofHub })).toMatchObject([{ quantity: 5 }])
})

test('an expected delivery is on a day of the calendar from 2020 to 2099', async () => {
  const { admin, params } = await setup()
  const add = (expectedOn: string) => admin.addDelivery({ params, body: { expectedOn, quantity: 40 } })
  for (const day of ['2020-01-01', '2028-02-29', '2099-12-31']) await add(day)
  const outside = 'Enter a date from 2020 to 2099'
  for (const [day, message] of [
    ['2019-12-31', outside],
    ['2100-01-01', outside],
    ['0206-05-12', outside],
    ['2027-02-29', 'Enter a date'],
    ['2027-13-01', 'Enter a date'],
    ['2027-1-01', 'Enter a date'],
  ] as const)
    await expect(add(day), day).rejects.toMatchObject({ fields: { expectedOn: [message] } })
})

test('a delivery that shrinks while some of it is received keeps what is left', async () => {
  const { shop, admin, params } = await setup()
  const body = { expectedOn: '2099-12-31', quantity: 40 }
  const { insertedId: id } = await admin.addDelivery({ params, body })
  const outcomes = await loseRace(
    shop,
    (tx) => tx.update(expectedDeliveries).set({ quantity: 30 }).where(eq(expectedDeliveries._id, id)),
    [() => admin.receiveDelivery({ params: { id }, body: { arrived: 20 } })],
  )
  expect(outcomes).toMatchObject([{ value: { availableQuantity: 70 } }])
  expect(await admin.listDeliveries({ params })).toMatchObject([{ quantity: 10 }])
})

test('whoever asked is emailed once when enough of a part is back in stock', async () => {
  const { shop, ada, admin, client, params, ofHub } = await setup(9)
  const bob = await clientOf(shop, await createUser(shop, 'Bob'))
  expect(await client.requestStockAlert({ params })).toEqual({ modifiedCount: 1 })
  expect(await client.requestStockAlert({ params })).toEqual({ modifiedCount: 0 })
  await bob.requestStockAlert({ params })
  await bob.removeStockAlert({ params })
  expect([await client.readStockAlert({ params }), await bob.readStockAlert({ params })]).toEqual([
    { requested: true },
    { requested: false },
  ])
  const emails = async () => {
    await Promise.all([sendStockAlerts(shop), sendStockAlerts(shop)])
    const { rows } = await shop.mail.read({ q: 'stock' })
    return rows.map(({ to, subject }) => [to, subject])
  }
  expect(await emails()).toEqual([])
  await admin.restockPart({ params, body: { arrived: 1 } })
  expect(await emails()).toEqual([[ada.email, 'Back in stock: Chain']])
  expect(await emails()).toHaveLength(1)
  expect(await client.readStockAlert({ params })).toEqual({ requested: false })
  expect(await client.readStockAlert({ params: ofHub })).toEqual({ requested: true })
  await expect(client.requestStockAlert({ params })).rejects.toMatchObject({ status: 409 })

  // Two alerts of one customer at once.
  const { _id: rim } = await createPart(shop, { name: 'Rim', availableQuantity: 0 })
  await client.requestStockAlert({ params: { partId: rim } })
  const arrivals = [rim, ofHub.partId].map((partId) => ({ partId, arrived: 10 }))
  await admin.restockParts({ body: { arrivals } })
  const subjects = (await emails()).map(([, subject]) => subject)
  expect(subjects.toSorted()).toEqual(['Chain', 'Hub', 'Rim'].map((name) => `Back in stock: ${name}`))
})

test('an alert ends when its part is deleted', async () => {
  const { shop, admin, client, params, ofHub, part } = await setup(9)
  await client.requestStockAlert({ params })
  await admin.deleteProduct({ params: { id: part._id } })
  expect(await shop.db.select().from(stockAlerts)).toMatchObject([ofHub])
  // As an earlier release left it.
  await shop.db.update(parts).set({ deletedAt: new Date().toISOString(), availableQuantity: 50 })
  await sendStockAlerts(shop)
  expect((await shop.mail.read({ q: 'Back in stock' })).total).toBe(0)
})

test('an alert whose email cannot be sent does not hold up the others, and an unconfirmed address gets three a day without its name', async () => {
  const shop = await testShop({ rateLimits: true })
  const eve = await createUser(shop, 'Eve', 'customer', { confirmed: false })
  const [bob, ada] = [await createUser(shop, 'Bob'), await createUser(shop, 'Ada')]
  const soldOut = await Promise.all(
    ['Chain', 'Hub', 'Tyre', 'Bell'].map((name) => createPart(shop, { name, availableQuantity: 0 })),
  )
  for (const { _id } of soldOut) await requestStockAlert(shop, eve, _id)
  for (const user of [bob, ada]) await requestStockAlert(shop, user, soldOut[0]!._id)
  await shop.db.update(users).set({ email: 'no address' }).where(eq(users._id, bob._id))
  await shop.db.update(parts).set({ availableQuantity: 100 })

  await expect(sendStockAlerts(shop)).rejects.toThrow('Alerts that could not be sent: 1.')
  const { rows } = await shop.mail.read()
  expect(rows.map(({ to }) => to).sort()).toEqual([ada.email, eve.email, eve.email, eve.email])
  expect(rows.filter(({ to, text }) => to === eve.email && text.includes('Eve'))).toEqual([])
  expect(await shop.db.select({ userId: stockAlerts.userId }).from(stockAlerts)).toEqual([
    { userId: bob._id },
  ])
})
