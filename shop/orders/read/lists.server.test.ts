import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { orderLines, orders, purchases, users } from '#db/schema.ts'
import type { RowStream } from '#shop/fields.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import { placeOrder, placePurchase } from '#shop/orders/place/place.server.ts'
import type { Purchase, PurchaseQuery } from '#shop/orders/purchase.ts'
import { shipPurchase } from '#shop/orders/ship/shipments.server.ts'
import { orderBy } from '#shop/pagination.server.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  testShop,
  withPayments,
} from '#test/shop.ts'
import { countPurchases } from './counts.server.ts'
import {
  linesAsPurchases,
  linesWithNames,
  listMyPurchases,
  listOrStreamPurchases,
  listPurchases,
  sortColumns,
} from './lists.server.ts'
import { matchesOrderSearch } from './order-search.server.ts'
import { adminConditions } from './status-conditions.server.ts'

async function setup() {
  const shop = await testShop()
  const part = await createPart(shop, { availableQuantity: 100 })
  const ada = await createUser(shop, 'Ada')
  const place = (quantity: number, orderedPart = part, buyer = ada) =>
    placePurchase(shop, buyer, { ...purchase, partId: orderedPart._id, parts: undefined, quantity })
  // Each order of a test has a different quantity, which identifies it.
  const findQuantities = async (query: Partial<PurchaseQuery> = {}) =>
    (await listPurchases(shop, query)).rows.map((order) => order.quantity)
  return { shop, part, ada, place, findQuantities }
}

test('listPurchases returns pages of orders, newest first', async () => {
  const { shop, place, findQuantities } = await setup()
  for (const quantity of [10, 11, 12]) await place(quantity)
  expect(await findQuantities()).toEqual([12, 11, 10])
  expect(await listPurchases(shop, { limit: 1, page: 2 })).toMatchObject({
    total: 3,
    rows: [{ quantity: 11 }],
  })
})

test('the items of an order follow each other in lists, in the order in which they were ordered', async () => {
  const { shop, ada, part, place, findQuantities } = await setup()
  await place(10)
  const others = await Promise.all(['A', 'B', 'C', 'D'].map((name) => createPart(shop, { name })))
  const lines = [part, ...others].map(({ _id: partId }, i) => ({ partId, quantity: 11 + i }))
  const { _id } = await placeOrder(shop, ada, { ...purchase, lines })
  await place(20)
  const pages = await Promise.all([1, 2, 3, 4].map((page) => findQuantities({ limit: 2, page })))
  expect(pages.flat()).toEqual([20, 11, 12, 13, 14, 15, 10])
  expect(await findQuantities({ sort: 'added' })).toEqual([10, 11, 12, 13, 14, 15, 20])
  expect(await findQuantities({ q: _id })).toEqual([11, 12, 13, 14, 15])
})

test('admins get all items without a limit, in the order of the pages, and those added meanwhile neither twice nor instead of others', async () => {
  const { shop, ada } = await setup()
  const many = { availableQuantity: 1_000 }
  const parts = await Promise.all(
    Array.from({ length: 100 }, (_, i) => createPart(shop, { ...many, name: `${i}` })),
  )
  const lines = parts.map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const place = () => placeOrder(shop, ada, { ...purchase, lines })
  // The last of a batch is in the middle of an order.
  await place()
  await placeOrder(shop, ada, { ...purchase, lines: lines.slice(1, 31) })
  for (let i = 0; i < 10; i++) await place()
  const client = await clientOf(shop, await createUser(shop, 'Zoe', 'admin'))
  for (const sort of ['added', '-added', undefined] as const) {
    const { rows, total } = await client.listPurchases({ body: { sort } })
    expect(total).toBe(1_130)
    const pages = await Promise.all([1, 2].map((page) => listPurchases(shop, { sort, limit: 600, page })))
    expect(rows).toEqual(pages.flatMap((page) => page.rows))
  }
  const { batches } = (await listOrStreamPurchases(shop, {})) as RowStream<Purchase>
  const found: string[] = []
  for await (const batch of batches) {
    found.push(...batch.map(({ _id }) => _id))
    await place()
  }
  expect([found.length, new Set(found).size]).toEqual([1_130, 1_130])
  expect((await client.listPurchases({ body: { sort: 'quantity' } })).rows).toHaveLength(100)
  expect((await client.listPurchases({ body: { q: 'nobody' } })).rows).toEqual([])
})

test('the status filter returns only orders of that status', async () => {
  const { shop, ada, place, findQuantities } = await setup()
  await place(10)
  await expireOrders(shop, Date.now() + 100 * 60 * 60 * 1000)
  const [, pending, shipped] = [await place(11), await place(12), await place(13)]
  await payOrderByCard(shop, ada, pending)
  await payOrderByCard(shop, ada, shipped)
  await shipPurchase(shop, ada, shipped._id)
  expect(await findQuantities({ status: 'expired' })).toEqual([10])
  expect(await findQuantities({ status: 'unpaid' })).toEqual([11])
  expect(await findQuantities({ status: 'pending' })).toEqual([12])
  expect(await findQuantities({ status: 'shipped' })).toEqual([13])
  expect(await findQuantities()).toEqual([13, 12, 11, 10])
  const counts = { all: 4, unpaid: 1, pending: 1, shipped: 1, refunded: 0, disputed: 0, expired: 1 }
  expect(await countPurchases(shop)).toEqual(counts)
  expect(await countPurchases(shop, { q: 'nobody' })).toMatchObject({ all: 0, pending: 0 })
})

test('orders to ship are listed oldest first, and shipped ones can be sorted by date', async () => {
  const { shop, ada, place, findQuantities } = await setup()
  const placed = [await place(10), await place(11), await place(12)]
  for (const order of placed) await payOrderByCard(shop, ada, order)
  expect(await findQuantities({ status: 'pending' })).toEqual([10, 11, 12])
  expect(await findQuantities({ status: 'pending', sort: '-added' })).toEqual([12, 11, 10])
  await shipPurchase(shop, ada, placed[2]!._id)
  await shipPurchase(shop, ada, placed[0]!._id)
  expect(await findQuantities({ sort: '-shipped' })).toEqual([10, 12, 11])
  expect(await findQuantities({ sort: 'shipped' })).toEqual([11, 12, 10])
})

test('listPurchases sorts by each column in both directions, with creation order as the tie-breaker', async () => {
  const { shop, place, findQuantities } = await setup()
  const expensivePart = await createPart(shop, { name: 'axle', perUnitPrice: 9 })
  const aaron = await createUser(shop, 'aaron')
  await place(13)
  await place(10, expensivePart, aaron)
  await place(11)
  await place(12, expensivePart, aaron)
  const sorted: Record<string, number[]> = {
    added: [13, 10, 11, 12],
    name: [10, 12, 13, 11],
    parts: [10, 12, 13, 11],
    quantity: [10, 11, 12, 13],
    price: [11, 10, 13, 12],
  }
  for (const [key, quantities] of Object.entries(sorted)) {
    const sort = key as NonNullable<PurchaseQuery['sort']>
    expect(await findQuantities({ sort }), key).toEqual(quantities)
    expect(await findQuantities({ sort: `-${key}` as typeof sort }), `-${key}`).toEqual(
      quantities.toReversed(),
    )
  }
})

test('listPurchases searches words of name, email, part, recipient, company and address by substring', async () => {
  const { shop, part, ada, place, findQuantities } = await setup()
  await place(10)
  const yilmaz = { ...(await createUser(shop, 'Bob')), name: 'Chloé Yılmaz' }
  await shop.db.update(users).set({ name: yilmaz.name }).where(eq(users._id, yilmaz._id))
  await place(11, await createPart(shop, { name: '100% Axle' }), yilmaz)
  for (const q of ['aDa', 'ADA@', 'hai', 'Ada@example.com', 'da@example.c'])
    expect(await findQuantities({ q }), q).toEqual([10])
  for (const q of ['Axle', '%', 'yilmaz', 'YILMAZ', 'chloe', 'Chloé axle'])
    expect(await findQuantities({ q }), q).toEqual([11])
  for (const q of ['_', 'ada@example.org', 'x@y@z']) expect(await findQuantities({ q }), q).toEqual([])
  expect(await findQuantities({ q: 'hub ROAD' })).toEqual([11, 10])
  expect(await findQuantities({ q: 'example', status: 'unpaid' })).toEqual([11, 10])
  const delivery = { ...purchase, recipient: 'Jo Müller', company: 'Spoke & Sons', partId: part._id }
  await (await clientOf(shop, ada)).placePurchase({ body: { ...delivery, quantity: 12 } })
  for (const q of ['jo muller', 'Spoke sons', 'ada spoke'])
    expect(await findQuantities({ q }), q).toEqual([12])
})

test('listPurchases searches the beginning of an order number, order id or transaction id, and phone numbers in any notation', async () => {
  const { shop, ada, place, findQuantities } = await setup()
  const order = await place(10)
  const { transactionId } = await payOrderByCard(shop, ada, order)
  // Longer than the beginnings of other ids are by chance.
  order.number = '7301042'
  await shop.db
    .update(orders)
    .set({ number: Number(order.number) })
    .where(eq(orders._id, order.orderId))
  const withPhone = async (quantity: number, phoneNumber: string) => {
    const { _id } = await place(quantity)
    await shop.db.update(orders).set({ phoneNumber }).where(eq(orders._id, _id))
  }
  await withPhone(11, '0170 98-76543')
  await withPhone(12, '+4917098765')
  await withPhone(13, '087 123-4599')
  await withPhone(14, '(0) 55501')
  for (const q of [
    order._id,
    order._id.slice(0, 8).toUpperCase(),
    transactionId!,
    transactionId!.slice(0, -1),
  ])
    expect(await findQuantities({ q }), q).toEqual([10])
  expect(await findQuantities({ q: order._id.slice(1) })).toEqual([])
  for (const q of [`#${order.number}`, String(order.number)])
    expect(await findQuantities({ q }), q).toEqual([10])
  const beginning = String(order.number).slice(0, -1)
  expect(await findQuantities({ q: `#${beginning}` })).toContain(10)
  for (const q of ['01709876543', '(0170) 98 76543', '+49 170 9876543', '0049-170-9876543', '65 43'])
    expect(await findQuantities({ q }), q).toEqual([11])
  expect(await findQuantities({ q: '0170 98765' })).toEqual([12, 11])
  expect(await findQuantities({ q: '+43 170 9876543' })).toEqual([11])
  for (const q of ['+353 87 1234599', '00353 (87) 123.45/99', '087 1234599'])
    expect(await findQuantities({ q }), q).toEqual([13])
  expect(await findQuantities({ q: '+1 55501' })).toEqual([14])
  expect(await findQuantities({ q: '+1234 55501' })).toEqual([])
  expect(await findQuantities({ q: '543' })).toEqual([])
})

test('listPurchases searches the beginning of a part number, with and without punctuation', async () => {
  const { shop, place, findQuantities } = await setup()
  const tyre = await createPart(shop, { name: 'Tyre', partNumber: 'TY-29/A' })
  await place(10)
  await place(11, tyre)
  for (const q of ['TY-29/A', 'ty29', 'ty-2']) expect(await findQuantities({ q }), q).toEqual([11])
  for (const q of ['29/A', 'TY-9']) expect(await findQuantities({ q }), q).toEqual([])
})

test('listMyPurchases supports search, filter, sort and paging', async () => {
  const { shop, part, ada, place } = await setup()
  const bob = await createUser(shop, 'Bob')
  for (const quantity of [12, 10, 11]) await place(quantity)
  const otherOrder = await place(13, part, bob)
  const client = await clientOf(shop, ada)
  const findMine = async (query = {}) => {
    const { rows, total } = await client.listMyPurchases({ body: { email: ada.email, ...query } })
    return { quantities: rows.map((order) => order.quantity), total }
  }
  expect(await findMine()).toEqual({ quantities: [11, 10, 12], total: 3 })
  expect(await findMine({ sort: 'quantity', limit: 2 })).toEqual({ quantities: [10, 11], total: 3 })
  expect(await findMine({ sort: 'quantity', limit: 2, page: 2 })).toEqual({ quantities: [12], total: 3 })
  expect(await findMine({ q: 'chain', status: 'unpaid' })).toMatchObject({ total: 3 })
  expect(await findMine({ status: 'pending' })).toMatchObject({ total: 0 })
  for (const q of ['bob', otherOrder._id]) expect(await findMine({ q })).toMatchObject({ total: 0 })
  await expect(findMine({ sort: 'address' })).rejects.toMatchObject({ status: 400 })
})

test('an item is found by the number and the texts that its order has now', async () => {
  const { shop, place, findQuantities } = await setup()
  const order = await place(10)
  await shop.db
    .update(orders)
    .set({ number: 7_301_042, recipient: 'Jo Müller' })
    .where(eq(orders._id, order.orderId))
  for (const q of ['7301042', '#73', 'muller chain']) expect(await findQuantities({ q }), q).toEqual([10])
  for (const q of [`#${order.number}`, '07301042']) expect(await findQuantities({ q })).toEqual([])
})

test('an index finds the newest items of each status, and those of a search, and sorts them by each column', async () => {
  const { shop } = await setup()
  const planOf = async (condition: SQL | undefined, order = sql`number desc`, source = linesAsPurchases) => {
    const rows = await shop.db.transaction(async (tx) => {
      // Small tables are faster to read whole.
      await tx.execute(sql`set local enable_seqscan = off`)
      await tx.execute(sql`set local enable_sort = off`)
      const where = and(isNull(purchases.cancelledAt), condition)
      return executeRows<{ 'QUERY PLAN': string }>(
        tx,
        sql`explain select id from ${source} where ${where} order by ${order} limit 20`,
      )
    })
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  expect(await planOf(undefined)).toContain('using order_lines_listed')
  for (const [status, condition] of Object.entries(adminConditions(shop))) {
    const name = status === 'unpaid' ? 'awaiting_payment' : status
    expect(await planOf(condition), status).toContain(`using order_lines_${name} `)
  }
  const live = withPayments(shop, { provider: 'stripe live' })
  expect(await planOf(adminConditions(live).pending)).toContain('using order_lines_pending ')
  const search = await planOf(await matchesOrderSearch(shop, 'chain'))
  expect(search).toMatch(/order_lines_(search|listed)/)
  expect(search).not.toContain('Seq Scan')
  for (const sort of ['parts', 'quantity', 'price', 'shipped', 'name'] as const) {
    const source = sort === 'name' ? linesWithNames : linesAsPurchases
    const plan = await planOf(undefined, sql.join(orderBy(sortColumns, `-${sort}`), sql`, `), source)
    expect(plan, sort).toContain(`using order${sort === 'name' ? 's' : '_lines'}_by_${sort} `)
    expect(plan, sort).not.toMatch(/Seq Scan|Sort Key/)
  }
})

test('cancelled orders are excluded from every list', async () => {
  const { shop, ada, place, findQuantities } = await setup()
  await place(10)
  await shop.db.update(orderLines).set({ cancelledAt: new Date().toISOString() })
  for (const query of [{}, { status: 'unpaid' }, { q: 'Ada' }] as const)
    expect(await findQuantities(query)).toEqual([])
  for (const q of [undefined, 'Ada'])
    expect(await countPurchases(shop, { q })).toMatchObject({ all: 0, unpaid: 0 })
  expect(await listMyPurchases(shop, ada.email)).toEqual({ rows: [], total: 0 })
})

test('listMyPurchases does not return another customer’s orders', async () => {
  const { shop, place } = await setup()
  await place(10)
  const bob = await createUser(shop, 'Bob')
  const client = await clientOf(shop, bob)
  expect(await client.listMyPurchases({ body: { email: ' BOB@example.com ' } })).toEqual({
    rows: [],
    total: 0,
  })
})
