import { desc, eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { invoiceCounters, invoices, orderLines, orders, parts } from '#db/schema.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import type { Payment } from '#shop/ports.ts'
import { bankSdk, shopWithOrder, unknownPayment } from '#test/bank.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import {
  clientOf,
  createPart,
  createUser,
  payByCard,
  payOrderByCard,
  purchase,
  type TestShop,
  testShop,
  withPayments,
} from '#test/shop.ts'
import { issueMissingInvoices } from './issue-missing.server.ts'
import { layoutDocument } from './layout.ts'

async function setup() {
  const context = await shopWithOrder()
  const { shop, ada, client, order, part } = context
  return {
    ...context,
    /** An order of 10 chains and 4 tyres. */
    async placeTwo() {
      const tyre = await createPart(shop, { name: 'Tyre', perUnitPrice: 20, minQuantity: 1 })
      const lines = [
        { partId: part._id, quantity: 10 },
        { partId: tyre._id, quantity: 4 },
      ]
      return client.placeOrder({ body: { ...purchase, lines } })
    },
    pay: () => payOrderByCard(shop, ada, order),
    list: async () => (await client.listDocuments({ params: { id: order._id } })).map(({ id }) => id),
    readDocument: async (id: string) =>
      (await client.listDocuments({ params: { id: order._id } })).find((document) => document.id === id),
  }
}

async function settle(shop: TestShop, id: string, change: Partial<Payment> = {}) {
  await settlePayment(shop, { ...(await shop.payments.find(id))!, ...change })
}

test('a paid order has one invoice with its number, seller, items and payment, however often it is settled', async () => {
  const { shop, part, order, start, list, readDocument } = await setup()
  const { id } = await payByCard(shop, (await start()).clientSecret)
  await Promise.all(Array.from({ length: 5 }, () => settle(shop, id)))
  expect(await list()).toEqual(['invoice'])
  expect(await readDocument('invoice')).toMatchObject({
    kind: 'invoice',
    number: 'INV-1001',
    order: order.number,
    seller: { ...shop.settings.current.company, taxId: null, bankDetails: null },
    customer: { email: 'ada@example.com' },
    delivery: { address: '1 Hub Road', phoneNumber: '5550100' },
    lines: [
      {
        purchase: order._id,
        partNumber: part.partNumber,
        parts: 'Chain',
        quantity: 10,
        unitPrice: 7,
        amount: 70,
      },
    ],
    total: 70,
    transactionId: id,
    paidAt: expect.any(String),
    testPayment: true,
  })
})

test('payments that settle at once, some of which fail, leave no gap in the numbers of invoices', async () => {
  const shop = await testShop()
  const part = await createPart(shop, { availableQuantity: 200 })
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const ids = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const body = { ...purchase, partId: part._id, quantity: 10 }
      return unknownPayment(shop, await client.placePurchase({ body }))
    }),
  )
  const crash: TestShop['db']['transaction'] = (work) =>
    shop.db.transaction(async (tx) => {
      await work(tx)
      throw new Error('crash')
    })
  const execute: TestShop['db']['execute'] = (query) => crash((tx) => tx.execute(query)) as never
  const db = Object.assign(Object.create(shop.db), { transaction: crash, execute })
  const crashing = { ...shop, db }
  const settled = await Promise.allSettled(ids.flatMap((id) => [settle(crashing, id), settle(shop, id)]))
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(ids.length)
  await Promise.all(ids.map((id) => settle(shop, id)))
  const numbers = (await shop.db.select().from(invoices)).map(({ number }) => number)
  expect(numbers.toSorted((a, b) => a - b)).toEqual(ids.map((_, i) => 1001 + i))
  expect(await shop.db.select().from(invoiceCounters)).toEqual([{ kind: 'invoice', lastNumber: 1012 }])
})

test('an invoice stays the same when its order, part and seller change, and cannot be changed or deleted', async () => {
  const { shop, part, order, ada, pay, readDocument } = await setup()
  await pay()
  const before = await readDocument('invoice')
  await shop.db.update(parts).set({ name: 'Belt', partNumber: 'B-1' }).where(eq(parts._id, part._id))
  await shop.db.update(orders).set({ recipient: 'Eve', address: 'Elsewhere' })
  const admin = await clientOf(shop, await createUser(shop, 'Owner', 'admin'))
  const { company, numbers } = await admin.readSettings()
  await admin.updateSettings({ body: { section: 'company', version: 0, ...company.value, name: 'New' } })
  await admin.updateSettings({
    body: { section: 'numbers', version: 0, ...numbers.value, order: 'N-', invoice: 'X-' },
  })
  await admin.updateSettings({ body: { section: 'tax', version: 0, ids: 'VAT ID: 1' } })
  await admin.updateSettings({ body: { section: 'bank', version: 0, details: 'IBAN XX00 1234' } })
  expect(await readDocument('invoice')).toEqual(before)
  const client = await clientOf(shop, ada)
  const params = { id: order._id, document: 'invoice' }
  const [first, second] = [
    await client.downloadDocument({ params }),
    await client.downloadDocument({ params }),
  ]
  expect([first.name, first.type]).toEqual(['invoice-1001.pdf', 'application/pdf'])
  expect(await second.bytes()).toEqual(await first.bytes())

  for (const statement of ['update invoices set number = 1', 'delete from invoices'])
    await expect(shop.db.execute(sql.raw(statement)), statement).rejects.toThrow()
})

test('a refund gets a credit note of its item, and a failed one a document that cancels it', async () => {
  const { shop, admin, order, pay, list, readDocument } = await setup()
  const { transactionId } = await pay()
  const body = { amount: 12.5, reason: 'Two were bent.', returned: 0 }
  await admin.refundPurchase({ params: { id: order._id }, body })
  expect(await readDocument('credit-note-1001')).toMatchObject({
    kind: 'credit note',
    number: 'CN-1001',
    invoice: 'INV-1001',
    reason: 'Two were bent.',
    total: 12.5,
    lines: [{ parts: 'Chain', quantity: 10, unitPrice: null, amount: 12.5 }],
  })
  const { refunds } = (await shop.payments.find(transactionId!))!
  const failed = refunds.map((refund) => ({ ...refund, status: 'failed' as const }))
  for (const _ of [1, 2]) await settle(shop, transactionId!, { refunds: failed })
  expect(await list()).toEqual(['invoice', 'credit-note-1001', 'credit-note-1002'])
  expect(await readDocument('credit-note-1002')).toMatchObject({
    invoice: 'INV-1001',
    cancels: 'CN-1001',
    reason: null,
    total: -12.5,
    lines: [{ amount: -12.5 }],
  })
  expect(await readDocument('invoice')).toMatchObject({ total: 70 })
})

test('a payment that the order cannot accept has neither an invoice nor a credit note', async () => {
  const { shop, order, pay, list, expectConsistent } = await setup()
  await pay()
  const surplus = await unknownPayment(shop, order)
  await settle(shop, surplus)
  expect((await shop.payments.find(surplus))!.refunds).toHaveLength(1)
  expect(await list()).toEqual(['invoice'])
  await expectConsistent()
})

test('orders that were paid before there were invoices get them in the order of payment, with their credit notes', async () => {
  const { shop, part, admin, ada, placeTwo, order, pay } = await setup()
  const later = await placeTwo()
  const { transactionId } = await payOrderByCard(shop, ada, { ...later.lines[0]!, price: later.price })
  await pay()
  for (const amount of [8_001, 500]) {
    await bankSdk(shop).refunds.create({ payment_intent: transactionId!, amount })
    await settle(shop, transactionId!)
  }
  // Nor were providers stored.
  await shop.db.update(orderLines).set({ paymentProvider: null }).where(eq(orderLines.orderId, later._id))
  await shop.db.execute(sql`do $$ begin
    set local session_replication_role = replica;
    delete from invoices;
    delete from invoice_counters;
  end $$`)
  for (const _ of [1, 2]) await issueMissingInvoices(withPayments(shop, { provider: 'stripe live' }))
  const rows = await shop.db
    .select()
    .from(invoices)
    .orderBy(invoices.createdAt, desc(invoices.kind), invoices.number)
  expect(rows.map(({ kind, number, orderId }) => [kind, number, orderId])).toEqual([
    ['invoice', 1001, later._id],
    ['credit note', 1001, later._id],
    ['credit note', 1002, later._id],
    ['invoice', 1002, order.orderId],
  ])
  const ofProvider = { reason: 'Refunded through the payment provider.', testPayment: false }
  expect(await admin.listDocuments({ params: { id: later._id } })).toMatchObject([
    { total: 150, testPayment: false, lines: [{ amount: 70 }, { amount: 80 }] },
    { ...ofProvider, total: 80.01, lines: [{ amount: 37.34 }, { parts: 'Tyre', amount: 42.67 }] },
    { ...ofProvider, total: 5, lines: [{ amount: 2.33 }, { parts: 'Tyre', amount: 2.67 }] },
  ])
  expect(await admin.listDocuments({ params: { id: order._id } })).toMatchObject([
    { total: 70, testPayment: true, lines: [{ parts: 'Chain' }] },
  ])
  expect(await findLedgerErrors(shop.db, { stocked: [[part._id, 50]], settled: true })).toEqual([])

  // As if in the same millisecond, after more invoices than credit notes.
  await shop.db.execute(sql`do $$ begin
    set local session_replication_role = replica;
    update invoices set created_at = '2026-10-12T08:00:00Z', number = case kind when 'invoice' then number + 40 else number end;
  end $$`)
  const documents = await admin.listDocuments({ params: { id: later._id } })
  expect(documents.map(({ number }) => number)).toEqual(['INV-1041', 'CN-1001', 'CN-1002'])
})

test('a document has the day of the zone of its issue, also when the setting changes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-31T18:29:00.000Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { shop, ada, order, readDocument, client } = await setup()
  Object.assign(shop, { timeZone: 'Asia/Kolkata' })
  const readFacts = async (id: string) => {
    const { facts } = layoutDocument((await readDocument(id))!)
    return Object.fromEntries(facts)
  }
  expect(await readFacts('pro-forma')).toMatchObject({
    Date: '31 December 2026 (GMT+5:30)',
    'Pay by': '3 January 2027 at 23:59 GMT+5:30',
  })
  vi.setSystemTime(Date.parse('2026-12-31T18:30:00.000Z'))
  const { transactionId } = await payOrderByCard(shop, ada, order)
  const issued = await readFacts('invoice')
  expect(issued).toMatchObject({
    Date: '1 January 2027 (GMT+5:30)',
    Ordered: '31 December 2026 (GMT+5:30)',
    Paid: '1 January 2027 at 00:00 GMT+5:30',
  })
  const file = await client.downloadDocument({ params: { id: order._id, document: 'invoice' } })

  Object.assign(shop, { timeZone: 'America/St_Johns' })
  expect(await readFacts('invoice')).toEqual(issued)
  const again = await client.downloadDocument({ params: { id: order._id, document: 'invoice' } })
  expect(await again.bytes()).toEqual(await file.bytes())
  await bankSdk(shop).refunds.create({ payment_intent: transactionId!, amount: 101 })
  await settle(shop, transactionId!)
  expect((await readFacts('credit-note-1001')).Date).toBe('31 December 2026 (GMT-3:30)')

  await shop.db.execute(sql`alter table invoices disable trigger user`)
  await shop.db.execute(sql`update invoices set content = content - 'timeZone'`)
  await shop.db.execute(sql`alter table invoices enable trigger user`)
  expect(await readFacts('invoice')).toMatchObject({
    Date: '31 December 2026',
    Paid: '31 December 2026 at 18:30 UTC',
  })
})

test('an unpaid order has a pro-forma invoice of what is left of it, and a cancelled one no document', async () => {
  const { client, order, cancel, list, placeTwo, readDocument } = await setup()
  expect(await list()).toEqual(['pro-forma'])
  expect(await readDocument('pro-forma')).toMatchObject({
    number: String(order.number),
    payBy: order.heldUntil,
    total: 70,
    paidAt: null,
    lines: [{ parts: 'Chain', quantity: 10, unitPrice: 7, amount: 70 }],
  })
  const { _id: id } = await placeTwo()
  expect(await client.listDocuments({ params: { id } })).toMatchObject([
    { total: 150, lines: [{ amount: 70 }, { parts: 'Tyre', amount: 80 }] },
  ])
  await cancel()
  await expect(list()).rejects.toMatchObject({ status: 404 })
})

test('another customer’s document is not found, also by the number of one’s own order', async () => {
  const { shop, part, order, pay } = await setup()
  await pay()
  const eve = await createUser(shop, 'Eve')
  const client = await clientOf(shop, eve)
  const own = await client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  for (const id of [order._id, own._id])
    await expect(client.downloadDocument({ params: { id, document: 'invoice' } })).rejects.toMatchObject({
      status: 404,
    })
  await expect(client.listDocuments({ params: { id: order._id } })).rejects.toMatchObject({ status: 404 })
})

test('a packing slip has what is left to ship of what is paid and not refunded, without prices', async () => {
  const { shop, admin, part, order, pay } = await setup()
  const params = { id: order._id }
  await expect(admin.readPackingSlip({ params })).rejects.toMatchObject({ status: 409 })
  await pay()
  const slip = await admin.readPackingSlip({ params })
  const unknown = { weight: null, origin: null, hsCode: null }
  expect(slip.lines).toEqual([{ partNumber: part.partNumber, parts: 'Chain', quantity: 10, ...unknown }])
  expect(slip.shippedAt).toBeNull()
  expect(Object.keys(slip).join()).not.toMatch(/price|amount|total/i)
  expect((await admin.downloadPackingSlip({ params })).name).toBe(`packing-slip-${order.number}.pdf`)
  await admin.shipOrder({ params, body: { lines: [{ lineId: order._id, quantity: 4 }] } })
  expect((await admin.readPackingSlip({ params })).lines).toMatchObject([{ quantity: 6 }])
  await admin.refundPurchase({ params, body: { amount: 70, reason: 'Bent', returned: 0 } })
  await expect(admin.readPackingSlip({ params })).rejects.toMatchObject({ status: 409 })
  expect(await shop.db.$count(invoices)).toBe(2)
})

test('a packing slip has what is left to ship, then what the last parcel has, and one of a shipment has what it holds', async () => {
  const { shop, admin, ada, place, placeTwo, order: other, pay } = await setup()
  const order = await placeTwo()
  const [first, second] = order.lines
  const params = { id: order._id }
  await payOrderByCard(shop, ada, { ...first!, price: order.price })
  const packed = async () =>
    (await admin.readPackingSlip({ params })).lines.map(({ parts, quantity }) => [parts, quantity])
  const ship = (lineId: string, quantity: number) =>
    admin.shipOrder({ params, body: { lines: [{ lineId, quantity }] } })
  const tyres = await ship(second!._id, 4)
  const chains = await ship(first!._id, 4)
  await pay()
  for (const quantity of [1, 2, 3])
    await admin.shipOrder({
      params: { id: other.orderId },
      body: { lines: [{ lineId: other._id, quantity }] },
    })
  expect(await packed()).toEqual([['Chain', 6]])
  const ofShipments = async (...ids: string[]) => admin.readPackingSlips({ body: { shipments: ids.join() } })
  expect(await ofShipments(chains._id, tyres._id)).toMatchObject([
    {
      lines: [{ parts: 'Chain', quantity: 4 }],
      shippedAt: chains.createdAt,
      rest: [{ parts: 'Chain', quantity: 6 }],
      isFirst: false,
    },
    { lines: [{ parts: 'Tyre', quantity: 4 }], shippedAt: tyres.createdAt, isFirst: true },
  ])
  const { _id: removed } = await ship(first!._id, 1)
  await admin.removeShipment({ params: { id: removed } })
  expect(await ofShipments(removed, tyres._id)).toHaveLength(1)
  await expect(ofShipments('none', tyres._id)).rejects.toMatchObject({ status: 404 })
  await ship(first!._id, 6)
  expect(await packed()).toEqual([['Chain', 6]])
  const { number: unpaid } = await place()
  const slips = await admin.readPackingSlips({
    body: { orders: `${other.number},${unpaid},${order.number}` },
  })
  expect(slips.map(({ order }) => order)).toEqual([other.number, order.number])
  const withUnknown = admin.readPackingSlips({ body: { orders: `${order.number},none` } })
  await expect(withUnknown).rejects.toMatchObject({ status: 404 })
})

test('a packing slip has the weight, origin and HS code of today, and an invoice stays the same', async () => {
  const { shop, admin, part, order, pay, readDocument } = await setup()
  const params = { id: order._id }
  await pay()
  const invoice = await readDocument('invoice')
  const change = (weight: number, origin: string, hsCode: string) =>
    shop.db.update(parts).set({ weight, origin, hsCode }).where(eq(parts._id, part._id))
  const readLine = async () => (await admin.readPackingSlip({ params })).lines[0]
  await change(252, 'PT', '731511')
  expect(await readLine()).toMatchObject({ weight: 252, origin: 'PT', hsCode: '731511' })
  await admin.shipOrder({ params, body: { lines: [{ lineId: order._id, quantity: 10 }] } })
  await change(260, 'TW', '73151110')
  expect(await readLine()).toMatchObject({ weight: 260, origin: 'TW', hsCode: '73151110' })
  expect(await readDocument('invoice')).toEqual(invoice)
})

test('a packing slip leaves out what was returned to stock without shipping', async () => {
  const { admin, order, pay } = await setup()
  const params = { id: order._id }
  await pay()
  await admin.shipOrder({ params, body: { lines: [{ lineId: order._id, quantity: 6 }] } })
  await admin.refundPurchase({ params, body: { amount: 1, reason: 'Late', returned: 4 } })
  expect((await admin.readPackingSlip({ params })).lines).toMatchObject([{ quantity: 6 }])
  const [shipment] = await admin.listShipments({ params })
  await admin.removeShipment({ params: { id: shipment!._id } })
  await admin.refundPurchase({ params, body: { amount: 1, reason: 'Late', returned: 6 } })
  await expect(admin.readPackingSlip({ params })).rejects.toMatchObject({ status: 409 })
})

test('the emails of a payment and of a refund have the PDFs of its documents, but not at an unconfirmed address', async () => {
  const { shop, admin, order, part, pay } = await setup()
  await pay()
  const body = { amount: 7, reason: 'Bent', returned: 0 }
  await admin.refundPurchase({ params: { id: order._id }, body })
  const bob = await createUser(shop, 'Bob', 'customer', { confirmed: false })
  const client = await clientOf(shop, bob)
  const place = { ...purchase, partId: part._id, quantity: 10 }
  await payOrderByCard(shop, bob, await client.placePurchase({ body: place }))
  const { rows } = await shop.mail.read()
  const filesTo = (email: string) =>
    rows.filter(({ to }) => to === email).flatMap(({ files }) => files.map(({ name }) => name))
  expect(filesTo('ada@example.com')).toEqual(['credit-note-1001.pdf', 'invoice-1001.pdf'])
  expect(filesTo('bob@example.com')).toEqual([])
  expect(await shop.db.$count(outbox, sql`attachments <> '[]'`)).toBe(2)
  const [file] = rows.flatMap(({ files }) => files)
  expect((await shop.mail.readFile(file!._id))!.name).toBe('credit-note-1001.pdf')
})
