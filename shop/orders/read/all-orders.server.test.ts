import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { orders } from '#db/schema.ts'
import type { AllOrdersQuery } from '#shop/orders/order.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  testShop,
  withPayments,
} from '#test/shop.ts'
import { orderSorts, selectOrders } from './all-orders.server.ts'
import { invoiceNumberKey, trackingNumberKey } from './order-search.server.ts'

async function setup() {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const [ada, bob] = [await createUser(shop, 'Ada'), await createUser(shop, 'bob')]
  const parts = [
    await createPart(shop, { availableQuantity: 500 }),
    await createPart(shop, { name: 'Hub', availableQuantity: 500, perUnitPrice: 20 }),
  ]
  /** How many of each part. */
  const place = async (who: typeof ada, ...quantities: number[]) => {
    const lines = quantities.map((quantity, i) => ({ partId: parts[i]!._id, quantity }))
    return (await clientOf(shop, who)).placeOrder({ body: { ...purchase, lines } })
  }
  const placePaid = async (who: typeof ada, ...quantities: number[]) => {
    const order = await place(who, ...quantities)
    await payOrderByCard(shop, who, { ...order.lines[0]!, price: order.price })
    return order
  }
  const find = async (query: Partial<AllOrdersQuery> = {}) =>
    (await admin.listOrders({ body: query })).rows.map(({ number }) => Number(number) - 1000)
  return { shop, admin, ada, bob, parts, place, placePaid, find }
}

test('listOrders sorts by number, name, total and time of shipping in both directions, also within a status', async () => {
  const { admin, ada, bob, placePaid, find } = await setup()
  // Of 70, 500, 140 and 77 dollars.
  const placed = [
    await placePaid(bob, 10),
    await placePaid(ada, 20, 18),
    await placePaid(bob, 20),
    await placePaid(ada, 11),
  ]
  await admin.shipOrders({ body: { orders: [placed[2]!._id] } })
  await admin.shipPurchase({ params: { id: placed[1]!.lines[1]!._id } })
  const sorted = {
    added: [1, 2, 3, 4],
    name: [2, 4, 1, 3],
    price: [1, 4, 3, 2],
    shipped: [1, 4, 3, 2],
  } as const
  for (const [key, numbers] of Object.entries(sorted)) {
    const sort = key as keyof typeof sorted
    expect(await find({ sort }), key).toEqual(numbers)
    expect(await find({ sort: `-${sort}` }), `-${key}`).toEqual(numbers.toReversed())
    const toShip = numbers.filter((number) => number !== 3)
    expect(await find({ sort, status: 'pending' }), key).toEqual(toShip)
  }
  expect(await find()).toEqual([4, 3, 2, 1])
  expect(await find({ status: 'pending' })).toEqual([1, 2, 4])
  const [shipment] = await admin.listShipments({ params: { id: placed[1]!._id } })
  await admin.removeShipment({ params: { id: shipment!._id } })
  expect(await find({ sort: '-shipped', limit: 1 })).toEqual([3])
})

test('listOrders has the first lines of each order, and the amounts of all', async () => {
  const { admin, ada, place, placePaid } = await setup()
  const order = await placePaid(ada, 10, 20)
  await admin.refundPurchase({
    params: { id: order.lines[1]!._id },
    body: { amount: 2.5, reason: 'Late', returned: 0 },
  })
  await admin.shipPurchase({ params: { id: order.lines[0]!._id } })
  const { rows } = await admin.listOrders({ body: { lines: 1 } })
  expect(rows).toMatchObject([
    { lineCount: 2, linesToShip: 1, price: 470, refunded: 2.5, shipping: false, lines: [{ parts: 'Chain' }] },
  ])
  const cut = await place(ada, 10, 20)
  await admin.cancelPurchase({ params: { id: cut.lines[0]!._id } })
  const [first] = (await admin.listOrders({ body: { lines: 1 } })).rows
  expect(first).toMatchObject({ lineCount: 1, linesToShip: 0, price: 400, lines: [{ parts: 'Hub' }] })
  await admin.cancelOrder({ params: { id: cut._id } })
  for (const sort of ['added', 'price'] as const)
    expect((await admin.listOrders({ body: { sort } })).total).toBe(1)
  await expect(admin.listOrders({ body: { limit: 100, lines: 11 } })).rejects.toMatchObject({ status: 400 })
})

test('an order is in each tab for which one of its items qualifies, counts once, and a disputed one is in a tab of its own', async () => {
  const { shop, admin, ada, place, placePaid, find } = await setup()
  await place(ada, 10, 10)
  const partly = await placePaid(ada, 10, 10)
  await admin.shipPurchase({ params: { id: partly.lines[0]!._id } })
  await admin.refundPurchase({
    params: { id: partly.lines[0]!._id },
    body: { amount: 1, reason: 'Late', returned: 0 },
  })
  await placePaid(ada, 10, 10)
  const disputed = await place(ada, 10, 10)
  await payOrderByCard(shop, ada, { ...disputed.lines[0]!, price: disputed.price })
  await shop.db.execute(sql`update order_lines set dispute = 'open' where order_id = ${disputed._id}`)
  const expected = {
    unpaid: [1],
    pending: [2, 3],
    shipped: [2],
    refunded: [2],
    disputed: [4],
    expired: [],
  } as const
  const counts = await admin.countPurchases()
  const found = await admin.countPurchases({ body: { q: 'ada' } })
  for (const [key, numbers] of Object.entries(expected)) {
    const status = key as keyof typeof expected
    expect(await find({ status, sort: 'added' }), key).toEqual(numbers)
    expect(await find({ status, sort: 'price', q: 'ada' }), key).toEqual(numbers)
    expect([counts[status], found[status]], key).toEqual([numbers.length, numbers.length])
  }
  expect([counts.all, found.all]).toEqual([4, 4])
  expect((await admin.readWorklist()).toShip).toBe(2)
  const { ordersToShip, ordersUnpaid } = (await admin.readOverview()).waiting
  expect([ordersToShip, ordersUnpaid]).toEqual([2, 1])
})

test('a search finds the beginning of tracking numbers and of numbers of invoices and credit notes', async () => {
  const { admin, ada, placePaid, find } = await setup()
  const [first, second] = [await placePaid(ada, 10, 10), await placePaid(ada, 10, 10)]
  await admin.shipOrder({ params: { id: second._id }, body: { trackingNumber: '1Z 999-AA1' } })
  await admin.refundPurchase({
    params: { id: first.lines[0]!._id },
    body: { amount: 1, reason: 'Late', returned: 0 },
  })
  for (const q of ['1Z 999-AA1', '1z999aa', '1z-999-a']) expect(await find({ q }), q).toEqual([2])
  for (const q of ['999AA1', '1Z99', '1Z999%']) expect(await find({ q }), q).toEqual([])
  expect(await find({ q: 'INV-1002' })).toEqual([2])
  expect(await find({ q: 'inv-100', sort: 'added' })).toEqual([1, 2])
  expect(await find({ q: 'CN-1001' })).toEqual([1])
  expect(await find({ q: 'NV-1001' })).toEqual([])
  expect((await admin.countPurchases({ body: { q: 'INV-1002' } })).all).toBe(1)
})

test('an index finds and sorts the orders of each list, tracking numbers and invoices', async () => {
  const { shop } = await setup()
  const planOf = async (query: SQL) => {
    const rows = await shop.db.transaction(async (tx) => {
      // Small tables are faster to read whole.
      for (const way of ['seqscan', 'sort', 'hashagg', 'bitmapscan'])
        await tx.execute(sql`set local ${sql.raw(`enable_${way}`)} = off`)
      return executeRows<{ 'QUERY PLAN': string }>(tx, sql`explain ${query}`)
    })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const listed = async (query: Partial<AllOrdersQuery>, of: typeof shop = shop) =>
    planOf(sql`${await selectOrders(of, query)} limit 10`)
  expect(await listed({})).toContain('using order_lines_listed')
  for (const sort of Object.keys(orderSorts) as (keyof typeof orderSorts)[]) {
    if (sort === 'added') continue
    const plan = await listed({ sort: `-${sort}` })
    expect(plan, sort).toContain(`using orders_by_${sort} `)
    expect(plan, sort).not.toMatch(/Seq Scan|Sort Key/)
  }
  for (const status of ['pending', 'unpaid', 'shipped', 'refunded', 'disputed', 'expired'] as const) {
    const name = status === 'unpaid' ? 'awaiting_payment' : status
    const plan = await listed({ status })
    expect(plan, status).toContain(`using order_lines_${name} `)
    expect(plan, status).not.toMatch(/Seq Scan|Sort Key/)
  }
  const live = withPayments(shop, { provider: 'stripe live' })
  expect(await listed({ status: 'pending' }, live)).toContain('using order_lines_pending ')
  const byTracking = sql`select order_id from shipments where ${trackingNumberKey} like '1Z999%'`
  expect(await planOf(byTracking)).toContain('using shipments_tracking_number ')
  const byInvoice = sql`select order_id from invoices where ${invoiceNumberKey} like 'inv-1%'`
  expect(await planOf(byInvoice)).toContain('using invoices_number ')
})

test('the time at which an order shipped follows its items, also when they are taken back', async () => {
  const { shop, admin, ada, placePaid } = await setup()
  const { lines, _id } = await placePaid(ada, 10, 10)
  const read = async () => (await shop.db.select().from(orders))[0]!.shippedAt
  const ship = (line: number, shipping: boolean) =>
    admin.shipPurchase({ params: { id: lines[line]!._id }, body: { shipping } })
  expect(await read()).toBeNull()
  await ship(0, true)
  const first = await read()
  expect(first).toBe((await admin.readOrder({ params: { id: _id } })).lines[0]!.shippedAt)
  await ship(1, true)
  expect(Date.parse((await read())!)).toBeGreaterThanOrEqual(Date.parse(first!))
  await ship(1, false)
  expect(await read()).toBe(first)
  await ship(0, false)
  expect(await read()).toBeNull()
})
