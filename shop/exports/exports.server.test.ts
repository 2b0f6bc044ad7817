import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { openDispute } from '#bank/disputes.ts'
import { orders, parts } from '#db/schema.ts'
import { sortOptions } from '#shop/fields.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import {
  clientOf,
  copyOrder,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  testShop,
} from '#test/shop.ts'

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
  expect(row).toMatchObject({ Name: "'=1+1", Status: 'Awaiting payment', Price: '140.00', Paid: '' })
})

test('exportProducts, exportMessages and exportUsers have all rows that match, in the order of the list', async () => {
  const { shop, ada, admin } = await setup()
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
  expect(messages[0]).toEqual({
    Received: expect.stringMatching(/^20/),
    Name: 'Ada',
    Email: 'x@example.com',
    Phone: '+49 170',
    Message: 'One\r\n"two"',
    Answered: '',
    'Written by': 'Ada',
  })
  expect(await readRows(await admin.exportUsers({ body: { role: 'customer' } }))).toEqual([
    { Email: ada.email, Name: 'Ada', Role: 'customer', 'Email confirmed': ada.emailConfirmedAt },
  ])
})

test('exportSelectedOrders has all items of the orders, exportSelectedProducts the parts, in the order given', async () => {
  const { shop, ada, admin, customer } = await setup()
  const [hub, rim] = [await createPart(shop, { name: 'Hub' }), await createPart(shop, { name: 'Rim' })]
  const lines = [hub, rim].map(({ _id: partId }) => ({ partId, quantity: 10 }))
  const delivery = { ...purchase, recipient: 'Jo', company: 'Spoke & Sons' }
  const order = await customer.placeOrder({ body: { ...delivery, lines } })
  const unpaid = await customer.placePurchase({ body: { ...purchase, partId: hub._id, quantity: 11 } })
  const [ofHub, ofRim] = order.lines
  const { transactionId } = await payOrderByCard(shop, ada, { ...ofHub!, price: order.price })
  const params = { id: ofRim!._id }
  const shipped = { lines: [{ lineId: params.id, quantity: 7 }] }
  await admin.shipOrder({ params: { id: order._id }, body: shipped })
  await admin.refundPurchase({ params, body: { amount: 19.99, reason: 'Bent', returned: 3 } })
  await openDispute(shop.db, transactionId!)
  await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  const ids = [unpaid.orderId, 'nothing', order._id]
  const found = await (await admin.exportSelectedOrders({ body: { ids } })).text()
  const { createdAt, paidAt, shippedAt, disputed } = await admin.readPurchase({ params })
  expect(disputed).toBeGreaterThan(100)
  const times = [createdAt, unpaid.createdAt]
  const [ofAda, to] = ['Ada,ada@example.com', '1 Hub Road,,,,US,5550100']
  expect(found.split('\r\n')).toEqual([
    'Order,Ordered,Status,Name,Email,Recipient,Company,Address,Postcode,Town,Region,Country,Phone,Product,Quantity,Price,Paid,Transaction,Shipped quantity,Returned quantity,Shipped,Refunded,Disputed (whole order),Charged,Delivery (whole order),Collected at the factory',
    `1002,${times[1]},Awaiting payment,${ofAda},Ada,,${to},Hub,11,77.00,,,0,0,,0.00,0.00,77.00,0.00,`,
    `1001,${times[0]},Not shipped yet,${ofAda},Jo,Spoke & Sons,${to},Hub,10,70.00,${paidAt},${transactionId},0,0,,0.00,${disputed.toFixed(2)},70.00,0.00,`,
    `1001,${times[0]},Shipped,${ofAda},Jo,Spoke & Sons,${to},Rim,10,70.00,${paidAt},${transactionId},7,3,${shippedAt},19.99,${disputed.toFixed(2)},70.00,0.00,`,
    '',
  ])
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
  const file = await admin.exportAuditLog({ body: { sort: 'added', action: 'restockPart' } })
  const [head, first] = (await file.text()).split('\r\n')
  expect(head).toBe('Date,Admin,Admin’s email,Network,Change,Kind,Of,Before,After')
  expect(first!.slice(first!.indexOf(',') + 1)).toBe(
    'Boss,boss@example.com,192.0.2.1,Received stock,part,Hub,"{""availableQuantity"":50}","{""availableQuantity"":51}"',
  )
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
