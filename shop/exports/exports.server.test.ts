import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { orders, parts } from '#db/schema.ts'
import { sortOptions } from '#shop/fields.ts'
import { clientOf, copyOrder, createPart, createUser, purchase, testShop } from '#test/shop.ts'

async function setup() {
  const shop = await testShop()
  const ada = await createUser(shop, 'Ada')
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  return { shop, ada, admin, customer: await clientOf(shop, ada) }
}

async function readRows(file: File): Promise<Record<string, string>[]> {
  const text = await file.text()
  return Papa.parse<Record<string, string>>(text.trimEnd(), { header: true }).data
}

test('exportOrders has all items of the list in its order, in several batches, for each sort, search and status', async () => {
  const { shop, admin, customer } = await setup()
  const { _id: partId } = await createPart(shop, { availableQuantity: 1_000 })
  for (const quantity of [10, 20]) await customer.placePurchase({ body: { ...purchase, partId, quantity } })
  await copyOrder(shop, 205)
  await shop.db.update(orders).set({ name: '=1+1' })
  const sorts = sortOptions(['added', 'name', 'parts', 'quantity', 'price', 'shipped'])
  for (const query of [
    ...sorts.map((sort) => ({ sort })),
    ...[
      {},
      { status: 'unpaid' },
      { status: 'shipped' },
      { status: 'refund pending' },
      { q: 'nothing' },
      { q: 'hub' },
    ],
  ] as const) {
    const { rows } = await admin.listPurchases({ body: { ...query, limit: 1_000 } })
    const exported = await readRows(await admin.exportOrders({ body: query }))
    expect(exported.map(({ Order, Quantity }) => `${Order} ${Quantity}`)).toEqual(
      rows.map(({ number, quantity }) => `${number} ${quantity}`),
    )
  }
  const [row] = await readRows(await admin.exportOrders({ body: { sort: '-price' } }))
  expect(row).toMatchObject({ Name: "'=1+1", Status: 'awaiting payment', Price: '140.00', Paid: '' })
})

test('exportProducts, exportMessages and exportUsers have all rows that match, in the order of the list', async () => {
  const { shop, admin } = await setup()
  const { _id, number, partNumber, ...part } = await createPart(shop)
  const copies = Array.from({ length: 204 }, (_, i) => ({
    ...part,
    name: `Chain ${i}`,
    perUnitPrice: 1 + (i % 50),
  }))
  await shop.db.insert(parts).values(copies)
  for (const name of ['Cleo', 'Ada', 'Bob']) {
    const body = { name, email: 'x@example.com', phone: '+49 170', message: 'One\r\n"two"' }
    await (await clientOf(shop)).sendMessage({ body })
  }
  const products = await readRows(await admin.exportProducts({ body: { q: 'chain', sort: '-price' } }))
  const { rows } = await admin.listProducts({ body: { q: 'chain', sort: '-price', limit: 100, page: 3 } })
  expect(products).toHaveLength(205)
  expect(products.slice(200).map(({ Name }) => Name)).toEqual(rows.map(({ name }) => name))
  const messages = await readRows(await admin.exportMessages({ body: { sort: 'name' } }))
  expect(messages.map(({ Name }) => Name)).toEqual(['Ada', 'Bob', 'Cleo'])
  expect(messages[0]).toMatchObject({ Phone: "'+49 170", Message: 'One\r\n"two"' })
  expect(await readRows(await admin.exportUsers({ body: { role: 'customer' } }))).toMatchObject([
    { Email: 'ada@example.com', Role: 'customer' },
  ])
})

test('exportSelectedOrders and exportSelectedProducts have the selected rows that still exist, in the order given', async () => {
  const { shop, admin } = await setup()
  const { rows } = await admin.listPurchases()
  const orders = rows.map(({ _id }) => _id).toReversed()
  const ids = [...orders, 'nothing']
  const found = await readRows(await admin.exportSelectedOrders({ body: { ids } }))
  expect(found.map(({ Order }) => Order)).toEqual(rows.map(({ number }) => number).toReversed())
  const [hub, rim] = [await createPart(shop, { name: 'Hub' }), await createPart(shop, { name: 'Rim' })]
  const products = await readRows(await admin.exportSelectedProducts({ body: { ids: [rim._id, hub._id] } }))
  expect(products.map(({ Name }) => Name)).toEqual(['Rim', 'Hub'])
})

test('exportAuditLog has all changes that match, in either order', async () => {
  const { shop, admin } = await setup()
  const { _id: partId } = await createPart(shop, { name: 'Hub' })
  for (let arrived = 1; arrived <= 205; arrived++)
    await admin.restockPart({ params: { partId }, body: { arrived } })
  await admin.deleteProduct({ params: { id: partId } })
  const read = async (sort: 'added' | '-added') =>
    (await readRows(await admin.exportAuditLog({ body: { q: 'hub', action: 'restockPart', sort } }))).map(
      ({ Change, Of, Before }) => [Change, Of, JSON.parse(Before!).availableQuantity],
    )
  const rows = await read('added')
  expect(rows).toHaveLength(205)
  expect(rows.slice(0, 3)).toEqual([50, 51, 53].map((stock) => ['Received stock', 'Hub', stock]))
  expect(await read('-added')).toEqual(rows.toReversed())
})

test('an export is a dated file that spreadsheets read as UTF-8', async () => {
  const { admin } = await setup()
  const file = await admin.exportUsers()
  expect(file.name).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
  expect(file.type).toBe('text/csv')
  expect([...new Uint8Array(await file.arrayBuffer())].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf])
})
