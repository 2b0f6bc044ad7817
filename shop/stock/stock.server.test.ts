import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parts, stockAlerts, users } from '#db/schema.ts'
import { expireOrders } from '#shop/orders/expiry.server.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'
import { requestStockAlert, sendStockAlerts } from './alerts.server.ts'
import { findNextDelivery, markOverdueDeliveries } from './deliveries.server.ts'

const hour = 3_600_000

async function setup(availableQuantity = 50) {
  const shop = await testShop()
  const ada = await createUser(shop, 'Ada')
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const part = await createPart(shop, { availableQuantity })
  const params = { partId: part._id }
  const client = await clientOf(shop, ada)
  const place = () => client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  const history = async (body = {}) => {
    const { rows } = await admin.listStockMovements({ params, body })
    return rows.map(({ kind, quantity, balance, order, by }) => [kind, quantity, balance, order?.number, by])
  }
  return { shop, ada, admin, client, part, params, place, history }
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
  expect(await history({ q: 'boss' })).toHaveLength(3)
})

test('an expected delivery is the next one until its day is over, and receiving it adds what has arrived once', async () => {
  const { shop, admin, part, params, history } = await setup()
  const add = (expectedOn: string) => admin.addDelivery({ params, body: { expectedOn, quantity: 40 } })
  const now = Date.now()
  const day = (days: number) => new Date(now + days * 24 * hour).toISOString().slice(0, 10)
  const [later, soon] = [await add(day(9)), await add(day(2))]
  await add(day(-3))
  expect(await findNextDelivery(shop, part._id)).toMatchObject({ expectedOn: day(2), quantity: 40 })
  await markOverdueDeliveries(shop, Date.now() + 3 * 24 * hour)
  expect(await findNextDelivery(shop, part._id)).toMatchObject({ expectedOn: day(9) })
  const overdue = (await admin.listDeliveries({ params })).map((delivery) => delivery.overdue)
  expect(overdue).toEqual([true, true, false])

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
  const mistyped = admin.addDelivery({ params, body: { expectedOn: '0206-05-12', quantity: 40 } })
  await expect(mistyped).rejects.toMatchObject({ fields: { expectedOn: ['Enter a date from 2020 to 2099'] } })
})

test('whoever asked is emailed once when enough of a part is back in stock', async () => {
  const { shop, ada, admin, client, params } = await setup(9)
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
    return (await shop.mail.read()).rows.map(({ to, subject }) => [to, subject])
  }
  expect(await emails()).toEqual([])
  await admin.restockPart({ params, body: { arrived: 1 } })
  expect(await emails()).toEqual([[ada.email, 'Back in stock: Chain']])
  expect(await emails()).toHaveLength(1)
  expect(await client.readStockAlert({ params })).toEqual({ requested: false })
  await expect(client.requestStockAlert({ params })).rejects.toMatchObject({ status: 409 })
})

test('an alert ends when its part is deleted', async () => {
  const { shop, admin, client, params, part } = await setup(9)
  await client.requestStockAlert({ params })
  await admin.deleteProduct({ params: { id: part._id } })
  expect(await shop.db.$count(stockAlerts)).toBe(0)
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
