import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { readXlsx } from 'hucre/xlsx'
import Papa from 'papaparse'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDispute } from '#bank/disputes.ts'
import { ledger, payments } from '#db/schema.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { bankSdk, takeEvents } from '#test/bank.ts'
import { clientOf, createPart, createUser, payByCard, purchase, testShop, withPayments } from '#test/shop.ts'
import { lastMonth } from './period.ts'

const hour = 60 * 60 * 1000
const reason = '=Bent'

async function setup(timeZone = 'UTC') {
  const shop = await testShop({ timeZone })
  const { _id: partId } = await createPart(shop, { availableQuantity: 10_000 })
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const customer = await clientOf(shop, await createUser(shop, 'Ada'))
  const place = () => customer.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  let hours = 0
  return {
    shop,
    admin,
    /** Learns what happened at the bank. */
    async learn() {
      await takeEvents(shop)
      for (const _ of [1, 2]) await reconcile(shop, Date.now() + ++hours * hour)
    },
    async pay(number: string) {
      const order = await place()
      const { clientSecret } = await customer.startPayment({ body: { price: 70, purchase: order._id } })
      const { id } = await payByCard(shop, clientSecret, number)
      await customer.payPurchase({ params: { id: order._id }, body: { transactionId: id } })
      return { order, payment: id }
    },
    refund: (id: string, cents: number) =>
      admin.refundPurchase({ params: { id }, body: { amount: cents / 100, reason, returned: 0 } }),
    async readRows(from: string, to: string) {
      const text = await (await admin.exportPayments({ body: { from, to } })).text()
      return Papa.parse<Record<string, string>>(text.trimEnd(), { header: true }).data
    },
  }
}

const action = fc.record({
  card: fc.constantFrom('4242424242424242', '4242424242424242', '4000000000005126'),
  refunds: fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 2 }),
  dispute: fc.constantFrom(null, 'open', 'won', 'lost'),
})

test('random payments, refunds, failed refunds and disputes add up to the ledger to the cent, in total and in any period', async () => {
  const scene = await setup()
  const { shop, admin } = scene
  const actions = [
    { card: '4000000000005126', refunds: [500], dispute: null },
    { card: '4242424242424242', refunds: [701], dispute: 'won' },
    ...fc.sample(action, 10),
  ]
  for (const { card, refunds, dispute } of actions) {
    const { order, payment } = await scene.pay(card)
    for (const cents of refunds) await scene.refund(order._id, cents)
    await scene.learn()
    if (!dispute) continue
    const { id } = await openDispute(shop.db, payment)
    await scene.learn()
    const evidence = { uncategorized_text: 'winning_evidence' }
    if (dispute === 'won') await bankSdk(shop).disputes.update(id, { evidence })
    if (dispute === 'lost') await bankSdk(shop).disputes.close(id)
    await scene.learn()
  }
  // Several batches, spread over October, with microseconds and at midnight.
  await shop.db.execute(sql`alter table ledger disable trigger user`)
  await shop.db.execute(sql`insert into ledger (order_id, payment_id, reference, kind, amount_cents, at)
    select order_id, payment_id, reference || '-' || n, kind, amount_cents, at from ledger, generate_series(1, 30) n`)
  await shop.db.execute(sql`update ledger set at = '2026-10-01T00:00:00Z'::timestamptz + number % 31 * interval '1 day'
    + case when number % 3 = 0 then interval '0' else (number % 7) * interval '3.0000011 hours' end`)
  await shop.db.execute(sql`alter table ledger enable trigger user`)
  const entries = await shop.db.select().from(ledger)
  expect(new Set(entries.map(({ kind }) => kind)).size).toBe(5)
  expect(entries.length).toBeGreaterThan(400)
  for (const [from, to] of [
    ...[
      ['2026-10-01', '2026-10-31'],
      ['2026-10-07', '2026-10-07'],
      ['2026-10-10', '2026-10-20'],
    ],
    ['2026-11-01', '2026-11-30'],
  ] as [string, string][]) {
    const within = entries.filter(({ at }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to)
    const cents = within.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const rows = await scene.readRows(from, to)
    expect(rows.length).toBe(within.length)
    expect(rows.reduce((sum, { Amount }) => sum + Math.round(Number(Amount) * 100), 0)).toBe(cents)
    expect(rows.map((row) => row.Date)).toEqual(rows.map((row) => row.Date).toSorted())
    const {
      payments,
      refunds,
      disputes,
      net,
      entries: count,
    } = await admin.readPaymentTotals({ body: { from, to } })
    expect([Math.round(net * 100), count]).toEqual([cents, within.length])
    expect(Math.round((payments + refunds + disputes) * 100)).toBe(cents)
  }
})

test('each row names its order, documents, customer and reason, and money that left is negative', async () => {
  const scene = await setup()
  const today = () => new Date().toISOString().slice(0, 10)
  const from = today()
  const { order, payment } = await scene.pay('4242424242424242')
  await scene.refund(order._id, 1_250)
  const rows = await scene.readRows(from, today())
  const common = {
    Order: order.number,
    Name: 'Ada',
    Email: 'ada@example.com',
    Provider: 'test bank',
    Currency: 'USD',
    Date: expect.stringMatching(/^20/),
    Transaction: payment,
    Tax: '0.00',
    'Tax rate': '',
  }
  expect(rows).toEqual([
    {
      ...common,
      Kind: 'payment',
      'Invoice or credit note': 'INV-1001',
      Amount: '70.00',
      Net: '70.00',
      Reference: '',
      Reason: '',
    },
    {
      ...common,
      Kind: 'refund',
      'Invoice or credit note': 'CN-1001',
      Amount: '-12.50',
      Net: '-12.50',
      Reference: expect.stringMatching(/^re_/),
      Reason: `'${reason}`,
    },
  ])

  const live = withPayments(scene.shop, { provider: 'stripe live' })
  const liveAdmin = await clientOf(live, await createUser(scene.shop, 'Liv', 'admin'))
  const body = { from, to: today() }
  expect(await liveAdmin.readPaymentTotals({ body })).toMatchObject({ entries: 0, net: 0 })
  expect((await (await liveAdmin.exportPayments({ body })).text()).trimEnd().split('\n')).toHaveLength(1)
  // From before providers were stored.
  const { payment: old } = await scene.pay('4242424242424242')
  await scene.shop.db.update(payments).set({ provider: null }).where(eq(payments._id, old))
  expect(await liveAdmin.readPaymentTotals({ body })).toMatchObject({ entries: 1, net: 70 })
  expect(await scene.admin.readPaymentTotals({ body })).toMatchObject({ entries: 3, net: 127.5 })

  const failing = await scene.pay('4000000000005126')
  await scene.refund(failing.order._id, 1_999)
  await bankSdk(scene.shop).refunds.create({ payment_intent: payment, amount: 101 })
  await scene.learn()
  const later = await scene.readRows(from, today())
  expect(later.find(({ Amount }) => Amount === '19.99')).toMatchObject({
    Kind: 'failed refund',
    'Invoice or credit note': expect.stringMatching(/^CN-\d+$/),
    Reference: expect.stringMatching(/^re_\w+$/),
    Reason: `'${reason}`,
  })
  expect(later.find(({ Amount }) => Amount === '-1.01')).toMatchObject({
    Kind: 'refund',
    Reason: 'Refunded through the payment provider.',
  })
})

test('a period that ends before it begins, or that has no such day, is refused', async () => {
  const { admin } = await setup()
  for (const [from, to] of [
    ['2026-10-02', '2026-10-01'],
    ['2026-01-01', '2026-02-29'],
    ['2026-1-01', '2026-02-28'],
    ['2026-01', '2026-02-28'],
    ['', '2026-10-01'],
  ] as const)
    await expect(admin.readPaymentTotals({ body: { from, to } })).rejects.toMatchObject({ status: 400 })
  const leapDay = { from: '2028-02-29', to: '2028-02-29' }
  expect(await admin.readPaymentTotals({ body: leapDay })).toMatchObject({ entries: 0 })
})

/** The first and the last moment of some days, and how CSV and Excel show the first. */
const zonedDays = [
  [
    'Asia/Kolkata',
    '2027-01-01',
    '2026-12-31T18:30:00.000Z',
    '2027-01-01T18:29:59.999Z',
    '00:00:00.000+05:30',
  ],
  [
    'America/St_Johns',
    '2028-02-29',
    '2028-02-29T03:30:00.000Z',
    '2028-03-01T03:29:59.999Z',
    '00:00:00.000-03:30',
  ],
  [
    'Pacific/Kiritimati',
    '2026-11-30',
    '2026-11-29T10:00:00.000Z',
    '2026-11-30T09:59:59.999Z',
    '00:00:00.000+14:00',
  ],
  [
    'Europe/Berlin',
    '2026-03-29',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:59:59.999Z',
    '00:00:00.000+01:00',
  ],
  [
    'Europe/Berlin',
    '2026-10-25',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T22:59:59.999Z',
    '00:00:00.000+02:00',
  ],
] as const

test('payments are exported by days of the shop’s time zone', async () => {
  for (const [timeZone, day, first, last, time] of zonedDays) {
    const { shop, admin, pay, readRows } = await setup(timeZone)
    await pay('4242424242424242')
    const moveTo = async (at: number) => {
      await shop.db.execute(sql`alter table ledger disable trigger user`)
      await shop.db.update(ledger).set({ at: new Date(at).toISOString() })
      await shop.db.execute(sql`alter table ledger enable trigger user`)
    }
    const counts: number[] = []
    for (const at of [Date.parse(first) - 1, Date.parse(last) + 1, Date.parse(last), Date.parse(first)]) {
      await moveTo(at)
      const { entries } = await admin.readPaymentTotals({ body: { from: day, to: day } })
      expect(await readRows(day, day), `${timeZone}, ${at}`).toHaveLength(entries)
      counts.push(entries)
    }
    expect(counts, timeZone).toEqual([0, 0, 1, 1])
    expect((await readRows(day, day))[0]!.Date).toBe(`${day}T${time}`)
    const workbook = await admin.exportPayments({ body: { from: day, to: day, format: 'xlsx' } })
    const file = await workbook.bytes()
    const { sheets } = await readXlsx(file)
    expect(sheets[0]!.rows[1]![0]).toEqual(new Date(`${day}T00:00:00.000Z`))
    expect(strFromU8(unzipSync(file)['xl/styles.xml']!)).toContain(`hh:mm:ss &quot;${timeZone}&quot;`)
  }
})

test('a period may begin with the first year and end with the last', async () => {
  const { admin } = await setup('Asia/Kolkata')
  const totals = await admin.readPaymentTotals({ body: { from: '0001-01-01', to: '9999-12-31' } })
  expect(totals).toMatchObject({ entries: 0 })
})

test('lastMonth is of the day that it is in the zone', () => {
  const midnight = Date.parse('2026-12-31T18:30:00.000Z')
  const december = { from: '2026-12-01', to: '2026-12-31' }
  const november = { from: '2026-11-01', to: '2026-11-30' }
  expect(lastMonth(midnight - 1, 'Asia/Kolkata')).toEqual(november)
  expect(lastMonth(midnight, 'Asia/Kolkata')).toEqual(december)
  expect(lastMonth(midnight, 'America/St_Johns')).toEqual(november)
  expect(lastMonth(midnight, 'Pacific/Kiritimati')).toEqual(december)
})

test('lastMonth has all days of the month before, also across a year, in UTC', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(lastMonth(Date.parse('2026-03-31T23:59:00Z'), 'UTC')).toEqual({
    from: '2026-02-01',
    to: '2026-02-28',
  })
  expect(lastMonth(Date.parse('2028-03-01T00:00:00Z'), 'UTC')).toEqual({
    from: '2028-02-01',
    to: '2028-02-29',
  })
  expect(lastMonth(Date.parse('2027-01-01T00:00:00Z'), 'UTC')).toEqual({
    from: '2026-12-01',
    to: '2026-12-31',
  })
})
