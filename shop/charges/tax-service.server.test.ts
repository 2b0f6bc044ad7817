import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { completePending } from '#bank/pending.ts'
import { bankTaxes } from '#db/embedded.ts'
import { orders, taxTransactions, users } from '#db/schema.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { listPaymentTasks } from '#shop/payments/tasks.server.ts'
import { bankSdk, withNetwork } from '#test/bank.ts'
import { chargedShop, euRates, withRates } from '#test/charges.ts'
import { clientOf, createPart, createUser, type TestShop } from '#test/shop.ts'
import type { DeliveryAndTax } from './rates.ts'

const place = (country: string, cents: number) => ({
  name: country,
  places: [{ country, regions: [], postcodes: [] }],
  rate: { by: 'order' as const, cents },
  freeFrom: 100_000,
})
const zones = [place('DE', 1_190), place('AT', 2_400), place('US', 1_555)]
const always = { class: 'standard' as const, from: '2020-01-01', until: null, onDelivery: true }
const rate = (name: string, country: string, regions: string[], millionths: number) => {
  return { ...always, name, country, regions, millionths, reverseCharge: country === 'AT' }
}
/** Those of the test bank. */
const rates = [
  rate('VAT', 'DE', [], 190_000),
  rate('VAT', 'AT', [], 200_000),
  rate('Sales tax', 'US', ['CA'], 88_750),
  rate('Sales tax', 'US', ['WA'], 101_000),
]
const ofTable: DeliveryAndTax = { zones, tax: { mode: 'exclusive', rates }, note: '' }
const ofService: DeliveryAndTax = { zones, tax: { mode: 'stripe', rates: [] }, note: '' }
const places = {
  german: { country: 'DE', postcode: '28195', town: 'Bremen' },
  austrian: { country: 'AT', postcode: '1010', town: 'Wien' },
  californian: { country: 'US', region: 'CA', postcode: '94016', town: 'Bay' },
  washingtonian: { country: 'US', region: 'WA', postcode: '98101', town: 'Bay' },
}

/** A shop whose requests to the tax service are counted, and answered by `respond`. */
function watchTaxes(shop: TestShop, respond?: (path: string) => Response | undefined) {
  const asked: string[] = []
  const watched = withNetwork(shop, (send) => async (request) => {
    const { pathname } = new URL(request.url)
    if (!pathname.includes('/tax/')) return send(request)
    asked.push(pathname.replace(/.*\/tax\//, ''))
    return respond?.(pathname) ?? send(request)
  })
  return { asked, watched }
}

const away = () => Response.json({ error: { type: 'api_error', message: 'no' } }, { status: 500 })

/** What the bank’s tax service has, payments and refunds together. */
async function sumTaxes({ db }: TestShop) {
  const rows = await db.select().from(bankTaxes)
  const kept = rows.filter(({ reference }) => reference !== null)
  const amounts = kept.flatMap(({ items, delivery }) => [...items, ...(delivery ? [delivery] : [])])
  return {
    transactions: kept.length,
    net: amounts.reduce((sum, { amount }) => sum + amount, 0),
    tax: amounts.reduce((sum, one) => sum + one.amount_tax, 0),
  }
}

/** The next runs of the job, each when the next check of every payment is due. */
async function runJob(shop: TestShop, minutes = 1) {
  await reconcile(shop, Date.now() + minutes * 60_000)
}

for (const [name, section] of Object.entries({
  'the rates of the shop': ofTable,
  'the tax service': ofService,
})) {
  test(`an order with ${name} adds up, and its refunds in parts end at nothing`, async () => {
    const { shop, place, pay, client, admin, chain, hub, expectConsistent } = await chargedShop(section)
    for (const [i, to] of Object.values(places).entries()) {
      const lines = [
        { partId: chain._id, quantity: 3 + i },
        { partId: hub._id, quantity: 1 },
      ]
      const paid = await pay(await place({ ...to, lines }))
      const { goods, delivery, tax, total, taxes } = paid.charges
      const parts = [...paid.lines, paid.deliveryCharge].map(({ charged }) => Math.round(charged * 100))
      expect(parts.reduce((sum, cents) => sum + cents)).toBe(total)
      expect(goods + delivery + tax).toBe(total)
      expect(taxes.map(({ base, tax }) => [base, tax])).toEqual([[goods + delivery, tax]])
      const params = { id: paid._id }
      const share = (line: number, amount: number) => ({ lineId: paid.lines[line]!._id, amount, returned: 0 })
      const refund = (lines: ReturnType<typeof share>[], delivery = 0) =>
        admin.refundOrder({ params, body: { lines, delivery, reason: 'Bent.' } })
      await refund([share(0, 3.33), share(1, 0.01)], 4.99)
      await bankSdk(shop).refunds.create({ payment_intent: paid.transactionId!, amount: 777 })
      await runJob(shop, 20 * (i + 1))
      const left = await client.readOrder({ params })
      const rest = left.lines.map((line, i) =>
        share(i, Math.round((line.charged - line.refunded) * 100) / 100),
      )
      const { charged, refunded } = left.deliveryCharge
      await refund(rest, Math.round((charged - refunded) * 100) / 100)
      expect(await client.readOrder({ params })).toMatchObject({ refunded: total / 100 })
      await runJob(shop, 20 * (i + 1) + 10)
    }
    await expectConsistent()
    expect(await sumTaxes(shop)).toEqual({ transactions: section === ofService ? 16 : 0, net: 0, tax: 0 })
  })
}

test('the tax service charges what the shop’s own rates of the same height charge, to the cent', async () => {
  const { shop, ada, lines } = await chargedShop(ofTable)
  const { watched, asked } = watchTaxes(shop)
  const ofRates = await clientOf(withRates(watched, ofTable, 'DE'), ada)
  const parts = await Promise.all(
    [7, 13, 101, 1].map((perUnitPrice, i) =>
      createPart(shop, { name: `Part ${i}`, perUnitPrice, minQuantity: 1 }),
    ),
  )
  expect(lines).toHaveLength(3)
  const requests = Array.from({ length: 40 }, (_, i) => {
    const to = Object.values(places)[i % 4]!
    return {
      ...to,
      lines: parts.slice(i % 4).map(({ _id }, j) => ({ partId: _id, quantity: 1 + ((i * 7 + j * 5) % 23) })),
    }
  })
  const expected = await Promise.all(requests.map((body) => ofRates.estimateCharges({ body })))
  expect(asked).toEqual([])
  const ofTaxes = await clientOf(withRates(watched, ofService, 'DE'), ada)
  const found = await Promise.all(requests.map((body) => ofTaxes.estimateCharges({ body })))
  expect(found).toEqual(expected)
  expect(asked).toHaveLength(40)
})

test('an estimate is calculated once a minute, and each order once and for itself', async () => {
  const { shop, ada, german, lines } = await chargedShop(ofService)
  const { watched, asked } = watchTaxes(shop)
  const client = await clientOf(withRates(watched, ofService, 'DE'), ada)
  const body = { ...places.german, lines }
  const [{ charges }] = await Promise.all([
    client.estimateCharges({ body }),
    client.estimateCharges({ body }),
  ])
  expect(asked).toEqual(['calculations'])
  await expect(
    client.placeOrder({ body: { ...german, lines, total: charges!.total - 1 } }),
  ).rejects.toMatchObject({ status: 409 })
  const placed = [
    await client.placeOrder({ body: { ...german, lines, total: charges!.total } }),
    await client.placeOrder({ body: { ...german, lines, total: charges!.total } }),
  ]
  expect(placed.map((order) => order.charges)).toEqual([charges, charges])
  const stored = await shop.db.select({ charges: orders.charges }).from(orders)
  expect(new Set(stored.map(({ charges }) => (charges as { calculation: string }).calculation)).size).toBe(2)
  expect(asked.length).toBeLessThanOrEqual(5)
})

test('while the tax service is away, nothing is estimated or placed, and no tax is nothing', async () => {
  const { shop, ada, german, lines } = await chargedShop(ofService)
  const { watched } = watchTaxes(shop, away)
  const client = await clientOf(withRates(watched, ofService, 'DE'), ada)
  const problem = { status: 503, message: 'We can’t work out the tax right now. Try again in a minute.' }
  await expect(client.estimateCharges({ body: { ...places.german, lines } })).rejects.toMatchObject(problem)
  await expect(client.placeOrder({ body: { ...german, lines } })).rejects.toMatchObject(problem)
  expect(await shop.db.$count(orders)).toBe(0)
})

test('an address without a place for tax is refused at its postcode', async () => {
  const { place, client, lines } = await chargedShop(ofService)
  const nowhere = { ...places.californian, postcode: '00404' }
  await expect(place(nowhere)).rejects.toMatchObject({
    status: 400,
    fields: { postcode: [expect.stringMatching(/^We can’t work out the tax of this address/)] },
  })
  await expect(place({ ...places.californian, postcode: '' })).rejects.toMatchObject({
    status: 400,
    fields: { postcode: [expect.stringMatching(/^Enter the postcode/)] },
  })
  expect(await client.estimateCharges({ body: { ...nowhere, lines } })).toMatchObject({
    charges: null,
    problem: null,
    notes: [expect.stringMatching(/Check the postcode/)],
  })
})

test('several authorities are one rate, and more than ten items have theirs', async () => {
  const { shop, place } = await chargedShop(ofService)
  const parts = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      createPart(shop, {
        name: `Part ${i}`,
        perUnitPrice: i + 1,
        minQuantity: 1,
        ...(i === 11 && { taxClass: 'zero' }),
      }),
    ),
  )
  const lines = parts.map(({ _id }) => ({ partId: _id, quantity: 1 }))
  const order = await place({ country: 'US', region: 'NY', postcode: '10001', town: 'New York', lines })
  expect(order.charges).toMatchObject({
    mode: 'exclusive',
    goods: 7_800,
    taxes: [
      { rate: { name: 'Sales tax', country: 'US', millionths: 88_750 }, base: 6_600 + 1_555 },
      { reason: 'no rate', base: 1_200, tax: 0 },
    ],
  })
  expect(order.lines.reduce((cents, { charged }) => cents + charged * 100, 0)).toBeCloseTo(
    order.charges.total - order.charges.delivery - order.charges.deliveryTax,
  )
})

test('a checked VAT ID abroad and an exemption reach the tax service, an unchecked one does not', async () => {
  const { shop, ada, place } = await chargedShop(ofService)
  const save = (taxStatus: object) => shop.db.update(users).set({ taxStatus }).where(eq(users._id, ada._id))
  const vatId = { country: 'AT', number: 'ATU13585627', checked: null as object | null }
  await save({ vatId, exemption: null })
  expect((await place(places.austrian)).charges.taxes).toMatchObject([{ rate: { millionths: 200_000 } }])
  const checked = { at: 'x', by: 'Boss' }
  await save({ vatId: { ...vatId, checked }, exemption: null })
  expect((await place(places.austrian)).charges).toMatchObject({
    tax: 0,
    taxes: [{ reason: 'reverse charge' }],
    buyerTaxId: 'ATU13585627',
  })
  await save({
    vatId: null,
    exemption: { country: 'US', region: 'CA', number: 'R-1', until: '2999-01-01', checked },
  })
  expect((await place(places.californian)).charges).toMatchObject({ tax: 0, taxes: [{ reason: 'exempt' }] })
  expect((await place(places.washingtonian)).charges.tax).toBeGreaterThan(0)
})

test('what is left of an unpaid order, and one that goes elsewhere, is calculated anew outside of the transaction', async () => {
  const { shop, place, client, pay, german, expectConsistent } = await chargedShop(ofService)
  const order = await place()
  const params = { id: order._id }
  await client.cancelPurchase({ params: { id: order.lines[2]!._id } })
  const rest = await client.readOrder({ params })
  expect(rest.charges).toMatchObject({ goods: 6_100, delivery: 1_190, tax: 1_385 })
  await client.changeDelivery({ params, body: { ...german, ...places.austrian } })
  const moved = await client.readOrder({ params })
  expect(moved.charges).toMatchObject({ delivery: 2_400, tax: 1_700 })
  const paid = await pay(moved)
  await expect(client.changeDelivery({ params, body: german })).rejects.toMatchObject({ status: 409 })
  await expectConsistent()
  await runJob(shop)
  expect(await sumTaxes(shop)).toEqual({ transactions: 1, net: 8_500, tax: paid.charges.tax })
})

test('a refund that fails is taken back at the tax service, too', async () => {
  const { shop, place, pay, admin } = await chargedShop(ofService)
  const paid = await pay(await place(), '4000000000005126')
  await runJob(shop)
  const lines = [{ lineId: paid.lines[0]!._id, amount: 10, returned: 0 }]
  await admin.refundOrder({ params: { id: paid._id }, body: { lines, delivery: 2, reason: 'Bent.' } })
  await runJob(shop, 2)
  expect((await sumTaxes(shop)).tax).toBeLessThan(paid.charges.tax)
  await completePending(shop.db)
  await runJob(shop, 30)
  await runJob(shop, 60)
  const { goods, delivery, tax } = paid.charges
  expect(await sumTaxes(shop)).toEqual({ transactions: 3, net: goods + delivery, tax })
})

test('the tax service is told once, after failures, and a refusal is a task until it is told', async () => {
  const { shop, place, pay, ada } = await chargedShop(ofService)
  expect(ada.role).not.toBe('admin')
  const paid = await pay(await place())
  const refused = () =>
    Response.json({ error: { type: 'invalid_request_error', message: 'It has expired.' } }, { status: 400 })
  await expect(runJob(watchTaxes(shop, away).watched)).rejects.toThrow(/payment provider/)
  expect(await listPaymentTasks(shop)).toEqual([])
  await runJob(watchTaxes(shop, refused).watched, 10)
  expect(await listPaymentTasks(shop)).toMatchObject([
    { kind: 'tax not recorded', detail: expect.stringMatching(/It has expired\.$/) },
  ])
  // The answer is lost.
  const { watched, asked } = watchTaxes(shop)
  const lossy = withNetwork(shop, (send) => async (request) => {
    const response = await send(request)
    return request.url.includes('/tax/') ? away() : response
  })
  await expect(runJob(lossy, 20)).rejects.toThrow(/payment provider/)
  await runJob(watched, 30)
  await runJob(watched, 40)
  expect(asked).toEqual(['transactions/create_from_calculation'])
  expect(await listPaymentTasks(shop)).toEqual([])
  expect(await shop.db.$count(taxTransactions)).toBe(1)
  expect(await sumTaxes(shop)).toMatchObject({ transactions: 1, tax: paid.charges.tax })
})

test('what is collected has the tax of the factory', async () => {
  const collection = {
    isOffered: true,
    address: '1 Mill Lane',
    country: 'DE',
    region: '',
    postcode: '28195',
  }
  const { place } = await chargedShop({ ...ofService, collection })
  const collected = await place({ collect: true, ...places.austrian })
  expect(collected.charges).toMatchObject({ delivery: 0, goods: 16_200, tax: 3_078, collected: true })
})

test('the audit log says that Stripe Tax works out the tax', async () => {
  const { shop, admin } = await chargedShop(euRates)
  await admin.updateSettings({ body: { section: 'deliveryAndTax', version: 0, ...ofService } })
  const boss = await createUser(shop, 'Zoe', 'admin')
  const { rows } = await (await clientOf(shop, boss)).listAuditLog({ body: {} })
  expect(rows[0]!.after).toMatchObject({ Tax: 'worked out by Stripe Tax, on top of prices' })
})
