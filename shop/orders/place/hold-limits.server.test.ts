import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orderLines, orders } from '#db/schema.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { readPurchase } from '#shop/orders/read/orders.server.ts'
import { startPayment } from '#shop/payments/payments.server.ts'
import { refundPurchase } from '#shop/payments/refunds.server.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { markConfirmed } from '#shop/users/confirmation.server.ts'
import type { Member } from '#shop/users/user.ts'
import { createPart, createUser, payOrderByCard, purchase, readStock, testShop } from '#test/shop.ts'
import { readOrderLimit } from './hold-limits.server.ts'
import { placePurchase } from './place.server.ts'

const hour = 60 * 60 * 1000

async function setup() {
  const shop = await testShop({ rateLimits: true })
  const part = await createPart(shop, { availableQuantity: 1_000, minQuantity: 10, perUnitPrice: 7 })
  const stranger = (name: string) => createUser(shop, name, 'customer', { confirmed: false })
  const order = (buyer: Member, quantity: number, network = '192.0.2.1', of = part) =>
    placePurchase(shop, buyer, { ...purchase, partId: of._id, parts: undefined, quantity }, { network })
  return { shop, part, stranger, order }
}

const rejected = (message: string) => ({ message: expect.stringContaining(message) })

test('unconfirmed customers of one network hold at most a tenth of a part, and first orders of the minimum a fifth', async () => {
  const { shop, part, stranger, order } = await setup()
  const [ada, bob, eve] = [await stranger('Ada'), await stranger('Bob'), await stranger('Eve')]
  await order(ada, 60)
  await expect(order(bob, 41)).rejects.toMatchObject({
    code: 'conflict',
    fields: {
      quantity: [
        expect.stringContaining(
          'at most 40 of this part until you’ve paid for your first order. Confirm your email address',
        ),
      ],
    },
  })
  await order(bob, 40)
  await expect(order(eve, 11)).rejects.toMatchObject(rejected('reserved for unpaid orders'))
  await expect(order(ada, 41, '198.51.100.7')).rejects.toMatchObject(rejected('at most 40 of this part'))
  for (let i = 0; i < 10; i++) await order(await stranger(`New${i}`), 10)
  await expect(order(eve, 10)).rejects.toMatchObject(rejected('reserved for unpaid orders'))
  expect(await readStock(shop, part)).toBe(800)
  await order(eve, 10, '198.51.100.7')
})

test('the /64 networks of an IPv6 /48 count as one, and all new customers hold at most three quarters of a part', async () => {
  const { shop, part, stranger, order } = await setup()
  await order(await stranger('Ada'), 100, '2001:db8:1:1::/64')
  const tooMany = rejected('reserved for unpaid orders')
  await expect(order(await stranger('Bob'), 11, '2001:db8:1:2::/64')).rejects.toMatchObject(tooMany)
  for (let i = 2; i <= 7; i++) await order(await stranger(`New${i}`), 100, `2001:db8:${i}:1::/64`)
  await expect(order(await stranger('Cy'), 60, '2001:db8:8:1::/64')).rejects.toMatchObject(
    rejected('at most 50'),
  )
  await order(await stranger('Di'), 50, '2001:db8:9:1::/64')
  await expect(order(await stranger('Eve'), 11, '2001:db8:a:1::/64')).rejects.toMatchObject(tooMany)
  await order(await stranger('Flo'), 10, '2001:db8:b:1::/64')
  await expect(order(await stranger('Gus'), 10, '2001:db8:b:2::/64')).rejects.toMatchObject(tooMany)
  expect(await readStock(shop, part)).toBe(240)
})

test('first orders of confirmed customers of one network add at most a tenth of a part to its half', async () => {
  const { shop, part, order } = await setup()
  await order(await createUser(shop, 'Ada'), 500)
  for (let i = 0; i < 10; i++) await order(await createUser(shop, `New${i}`), 10)
  const bob = await createUser(shop, 'Bob')
  await expect(order(bob, 10)).rejects.toMatchObject(rejected('reserved for unpaid orders'))
  await order(bob, 10, '198.51.100.7')
  expect(await readStock(shop, part)).toBe(390)
})

test('concurrent orders of one network share the limit', async () => {
  const { shop, part, stranger, order } = await setup()
  const buyers = await Promise.all(['Ada', 'Bob', 'Cy', 'Di', 'Eve', 'Flo'].map(stranger))
  const placed = await Promise.allSettled(buyers.map((buyer) => order(buyer, 30)))
  expect(placed.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await readStock(shop, part)).toBe(910)
})

test('a first order of a minimum quantity passes, whatever its share and value', async () => {
  const { shop, stranger, order } = await setup()
  const rare = await createPart(shop, {
    name: 'Frame',
    availableQuantity: 12,
    minQuantity: 10,
    perUnitPrice: 999,
  })
  await order(await stranger('Ada'), 10, '192.0.2.1', rare)
  await expect(order(await stranger('Bob'), 11, '192.0.2.9', rare)).rejects.toThrow()
})

test('unpaid orders of an unconfirmed customer come to at most $5,000', async () => {
  const { shop, stranger, order } = await setup()
  const hub = await createPart(shop, { name: 'Hub', availableQuantity: 10_000, perUnitPrice: 40 })
  const ada = await stranger('Ada')
  await order(ada, 100, '192.0.2.1', hub)
  await expect(order(ada, 26, '192.0.2.1', hub)).rejects.toMatchObject({
    code: 'rate-limited',
    ...rejected('at most $5,000. Confirm your email address in My Profile'),
  })
  await order(ada, 25, '192.0.2.1', hub)
})

test('an order above $5,000 that is paid at once is held for 30 minutes, once and up to $50,000', async () => {
  const { shop, stranger } = await setup()
  const hub = await createPart(shop, { name: 'Hub', availableQuantity: 100_000, perUnitPrice: 40 })
  const order = (buyer: Member, quantity: number, payNow = true) =>
    placePurchase(shop, buyer, { ...purchase, partId: hub._id, parts: undefined, quantity, payNow })
  const ada = await stranger('Ada')
  const limit = { value: 5_000, held: 0, valueToPayNow: 50_000, payNowMinutes: 30 }
  expect(await readOrderLimit(shop, ada)).toEqual({ ...limit, isConfirmed: false, hasPaid: false })
  await expect(order(ada, 126, false)).rejects.toMatchObject(rejected('at most $5,000'))
  await expect(order(ada, 1_251)).rejects.toMatchObject(rejected('at most $5,000'))

  const placed = await order(ada, 1_250)
  const minutesLeft = (Date.parse(placed.heldUntil!) - Date.parse(placed.createdAt)) / 60_000
  expect([placed.shortHold, minutesLeft]).toEqual([true, 30])
  expect(await readOrderLimit(shop, ada)).toMatchObject({ held: 50_000 })
  await expect(order(ada, 126)).rejects.toMatchObject(rejected('at most $5,000'))

  const bob = await createUser(shop, 'Bob')
  expect(await readOrderLimit(shop, bob)).toMatchObject({ value: 50_000, valueToPayNow: 0 })
  await expect(order(bob, 1_251)).rejects.toMatchObject(rejected('at most $50,000'))
})

test('an order that is paid at once takes no more of a part than others, and one within the limit is held as usual', async () => {
  const { shop, part, stranger } = await setup()
  const order = (buyer: Member, quantity: number, of = part) =>
    placePurchase(shop, buyer, { ...purchase, partId: of._id, parts: undefined, quantity, payNow: true })
  const frame = await createPart(shop, { name: 'Frame', availableQuantity: 1_000, perUnitPrice: 100 })
  await expect(order(await stranger('Ada'), 101, frame)).rejects.toMatchObject(
    rejected('at most 100 of this part'),
  )
  const placed = await order(await stranger('Bob'), 20)
  expect(Date.parse(placed.heldUntil!) - Date.parse(placed.createdAt)).toBe(hour)
})

test('concurrent orders that are paid at once come to one', async () => {
  const { shop, stranger } = await setup()
  const hub = await createPart(shop, { name: 'Hub', availableQuantity: 100_000, perUnitPrice: 40 })
  const ada = await stranger('Ada')
  const request = { ...purchase, partId: hub._id, parts: undefined, quantity: 200, payNow: true }
  const placed = await Promise.allSettled([1, 2, 3].map(() => placePurchase(shop, ada, request)))
  expect(placed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a confirmed email address allows half of the stock and $50,000, a paid order all of the stock', async () => {
  const { shop, part, order } = await setup()
  const hub = await createPart(shop, { name: 'Hub', availableQuantity: 10_000, perUnitPrice: 40 })
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'Bob')]
  await expect(order(ada, 501)).rejects.toMatchObject(rejected('at most 500 of this part until'))
  await expect(order(ada, 1_251, '192.0.2.1', hub)).rejects.toMatchObject(rejected('at most $50,000.'))
  const first = await order(ada, 500)
  await expect(order(bob, 11)).rejects.toMatchObject(rejected('reserved for unpaid orders'))

  await payOrderByCard(shop, ada, first)
  await order(ada, 500)
  expect(await readStock(shop, part)).toBe(0)
  await expect(order(ada, 1_200, '192.0.2.1', hub)).rejects.toMatchObject(
    rejected('Your unpaid orders can total at most $50,000.'),
  )
})

test('a small paid order lifts the share only as far as ten times what was paid', async () => {
  const { shop, part, order } = await setup()
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'Bob')]
  await payOrderByCard(shop, ada, await order(ada, 20))
  await order(ada, 200)
  const refused = rejected('You can reserve at most 390 of this part until you’ve paid for more orders.')
  await expect(order(ada, 391)).rejects.toMatchObject(refused)
  await order(ada, 390)
  await expect(order(bob, 196, '198.51.100.7')).rejects.toMatchObject(rejected('at most 195 of this part'))
  expect(await readStock(shop, part)).toBe(390)
})

test('many small orders are trusted no further than a large one, and only as far last the full time', async () => {
  const { shop, part, stranger, order } = await setup()
  const [ada, bob] = [await stranger('Ada'), await stranger('Bob')]
  await payOrderByCard(shop, ada, await order(ada, 10))
  const placed: Purchase[] = []
  while (placed.length < 40) {
    const next = await order(ada, 10).catch(() => null)
    if (!next) break
    placed.push(next)
  }
  // Of 1,000: 100 are trusted, and a fifth of the rest is the share of first orders.
  expect(await readStock(shop, part)).toBeGreaterThanOrEqual(700)
  const full = placed.filter(
    ({ heldUntil, createdAt }) => Date.parse(heldUntil!) - Date.parse(createdAt) > hour,
  )
  expect(full).toHaveLength(10)
  await order(bob, 10)
})

test('an order that was refunded in full does not count as paid', async () => {
  const { shop, stranger, order } = await setup()
  const [ada, boss] = [await stranger('Ada'), await createUser(shop, 'Boss', 'admin')]
  const paid = await order(ada, 10)
  await payOrderByCard(shop, ada, paid)
  await order(ada, 100)
  await refundPurchase(shop, boss, paid._id, { amount: paid.price, reason: 'Returned', returned: 0 })
  await expect(order(ada, 20)).rejects.toMatchObject(rejected('reserved for unpaid orders'))
})

test('concurrent payments of a customer’s first orders all succeed', async () => {
  const { shop, stranger, order } = await setup()
  const ada = await stranger('Ada')
  const hubs = await Promise.all([1, 2, 3, 4, 5, 6].map((i) => createPart(shop, { name: `Hub ${i}` })))
  for (let round = 0; round < 3; round++) {
    const placed: Purchase[] = []
    for (const hub of hubs) placed.push(await order(ada, 10, '192.0.2.1', hub))
    await shop.db.update(orders).set({ shortHoldUntil: new Date(Date.now() + hour).toISOString() })
    const paid = await Promise.all(placed.map((one) => payOrderByCard(shop, ada, one)))
    expect(paid.map((one) => one.paid)).toEqual(placed.map(() => true))
  }
})

test('31 orders of a confirmed customer in a row are not refused', async () => {
  const { shop, order } = await setup()
  const ada = await createUser(shop, 'Ada')
  for (let i = 0; i < 31; i++) {
    const part = await createPart(shop, { name: `Part ${i}`, availableQuantity: 1_000, perUnitPrice: 36 })
    await order(ada, 40, '192.0.2.1', part)
  }
})

test('the order of an unconfirmed customer expires an hour after the last payment has begun', async () => {
  const { shop, part, stranger, order } = await setup()
  const ada = await stranger('Ada')
  const [left, tried] = [await order(ada, 10), await order(ada, 20)]
  expect(Date.parse(left.heldUntil!) - Date.parse(left.createdAt)).toBeLessThanOrEqual(hour)
  expect(left.shortHold).toBe(true)
  const inHalfAnHour = new Date(Date.now() - hour / 2).toISOString()
  await shop.db.update(orders).set({ shortHoldUntil: inHalfAnHour })
  await startPayment(shop, ada, { price: tried.price, purchase: tried._id })
  await expireOrders(shop)
  expect(await statesOf(shop, [left, tried], ada)).toEqual([true, false])
  expect(await readStock(shop, part)).toBe(980)

  await startPayment(shop, ada, { price: tried.price, purchase: tried._id })
  await expireOrders(shop, Date.now() + hour / 2)
  expect(await statesOf(shop, [tried], ada)).toEqual([false])
  await expireOrders(shop, Date.now() + 2 * hour)
  expect(await statesOf(shop, [tried], ada)).toEqual([true])
})

test('confirming the email address or paying for an order gives unpaid orders the full time', async () => {
  const { shop, stranger, order } = await setup()
  const [ada, bob] = [await stranger('Ada'), await stranger('Bob')]
  const held = [await order(ada, 10), await order(bob, 10)]
  await markConfirmed(shop.db, ada.email)
  await payOrderByCard(shop, bob, await order(bob, 20))
  for (const [i, owner] of [ada, bob].entries()) {
    const { heldUntil, createdAt, shortHold } = await readPurchase(shop, owner, held[i]!._id)
    expect(Date.parse(heldUntil!) - Date.parse(createdAt)).toBe(72 * hour)
    expect(shortHold).toBe(false)
  }
})

test('the network of an order is stored as a keyed hash while it is unpaid', async () => {
  const { shop, stranger, order } = await setup()
  const ada = await stranger('Ada')
  const first = await order(ada, 10, '203.0.113.77')
  const second = await order(ada, 20, '203.0.113.77')
  const networks = async () =>
    (await shop.db.select().from(orders).orderBy(orders.number)).map(({ clientNetwork }) => clientNetwork)
  const [one, other] = await networks()
  expect([one, one]).toEqual([other, expect.stringMatching(/^[\w-]{22}$/)])
  await payOrderByCard(shop, ada, first)
  await purgeExpired(shop)
  expect(await networks()).toEqual([null, other])
  await shop.db
    .update(orderLines)
    .set({ cancelledAt: new Date().toISOString() })
    .where(eq(orderLines._id, second._id))
  await purgeExpired(shop)
  expect(await networks()).toEqual([null, null])
})

async function statesOf(shop: Parameters<typeof readPurchase>[0], all: Purchase[], owner: Member) {
  const rows = await Promise.all(all.map(({ _id }) => readPurchase(shop, owner, _id)))
  return rows.map(({ expired }) => expired)
}
