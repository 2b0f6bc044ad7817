import { eq, isNull } from 'drizzle-orm'
import { Temporal } from 'temporal-polyfill'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openDispute } from '#bank/disputes.ts'
import { completePending } from '#bank/pending.ts'
import * as tables from '#db/schema.ts'
import { startOfDay } from '#shop/days.server.ts'
import { ShopError } from '#shop/errors.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { reconcile } from '#shop/payments/reconcile.server.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import type { Member } from '#shop/users/user.ts'
import { bankSdk, unknownPayment } from '#test/bank.ts'
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
import { periods } from './period.ts'
import { listDays, periodSteps } from './steps.server.ts'

const [hour, day] = [3_600_000, 86_400_000]
/** A Wednesday. */
const now = Date.parse('2026-11-25T14:05:00.000Z')

beforeEach(() => {
  // Refunds that the bank does not make yet are logged.
  const log = vi.spyOn(console, 'error').mockReturnValue()
  return () => log.mockRestore()
})

test.for(['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati'])(
  'in %s, the overview equals a recount of all rows, at the borders of its periods',
  {
    timeout: 300_000,
  },
  async (timeZone) => {
    const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31))
    const random = createRandom(seed)
    vi.useFakeTimers({ toFake: ['Date'], now: now - 800 * day })
    onTestFinished(() => void vi.useRealTimers())
    const scene = await createScene(timeZone)
    const borders = periods.flatMap((period) => {
      const { current, previous } = periodSteps(period, now, timeZone)
      return [
        Date.parse(current.from),
        Date.parse(previous.from),
        startOfDay(current.starts.at(-1)!, timeZone),
      ]
    })
    const times = [
      ...borders.flatMap((at) => [at - 1, at]),
      ...Array.from({ length: 14 }, () => now - Math.floor(random() ** 3 * 780 * day)),
      ...[30, 20, 1.5, 1, 0.5].map((hours) => now - hours * hour),
    ]
    for (const at of times.toSorted((a, b) => a - b)) {
      vi.setSystemTime(at)
      await act(scene, random)
    }
    const task = {
      orderId: scene.placed[0]!.order.orderId,
      kind: 'dispute',
      reference: 'won',
      detail: '',
    } as const
    await scene.shop.db.insert(tables.paymentTasks).values({ ...task, resolvedAt: new Date().toISOString() })
    // A payment from before midnight is stored after it.
    for (const [at, actAt] of [
      [now, now],
      [now + 10 * hour, now + 9.9 * hour],
      [now + 11 * hour, now + 11 * hour],
    ] as const) {
      vi.setSystemTime(at)
      await expectRecount(scene, `SOAK_SEED=${seed}, ${new Date(at).toISOString()}`)
      vi.setSystemTime(actAt)
      const paid = scene.placed.length
      while (scene.placed.length === paid) await act(scene, random, 0.1)
      vi.setSystemTime(at)
      await expectRecount(scene, `SOAK_SEED=${seed}, after ${new Date(at).toISOString()}`)
    }
  },
)

test('the lists that the overview links to have as many rows as it counts', async () => {
  const scene = await createScene()
  const { shop, boss, customers, parts } = scene
  const [ada] = customers
  const admin = await clientOf(shop, boss)
  const order = () => placeAny(scene, ada!, [parts[0]!._id])
  const [cancelled] = [await order(), await order()]
  await createPart(shop, { name: 'To reorder', availableQuantity: 40, reorderPoint: 40 })
  await createPart(shop, { name: 'Enough', availableQuantity: 41, reorderPoint: 40 })
  await createPart(shop, { name: 'Sold out', availableQuantity: 9 })
  await admin.cancelPurchase({ params: { id: cancelled!._id } })
  await settleUnwanted(shop, cancelled!)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 47 * hour })
  onTestFinished(() => void vi.useRealTimers())
  // The time has left the first token behind.
  const readExpiring = async () => {
    const later = await clientOf(shop, boss)
    const { total } = await later.listPurchases({ body: { status: 'expiring', limit: 9 } })
    return [(await later.readOverview()).waiting.ordersExpiring, total]
  }
  expect(await readExpiring()).toEqual([0, 0])
  vi.setSystemTime(Date.now() + 2 * hour)
  expect(await readExpiring()).toEqual([1, 1])

  const later = await clientOf(shop, boss)
  const { waiting } = await later.readOverview()
  const owed = await later.listPurchases({ body: { status: 'refund pending', limit: 9 } })
  expect([owed.total, owed.rows[0]?._id]).toEqual([waiting.ordersRefundPending, cancelled!._id])
  const { rows, total } = await later.listProducts({ body: { stock: 'to reorder', limit: 9 } })
  expect(rows.map(({ name }) => name)).toEqual(['Part 1', 'To reorder', 'Sold out'])
  expect([total, waiting.partsSoldOut]).toEqual([waiting.partsToReorder, 1])
})

test('a shop without sales has an overview of zeros', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const { hasSales, waiting, current, bestByRevenue } = await admin.readOverview({ body: { period: '7d' } })
  expect({ hasSales, bestByRevenue }).toEqual({ hasSales: false, bestByRevenue: [] })
  expect(Object.values(waiting).filter(Boolean)).toEqual([])
  expect(current).toMatchObject({ salesCents: 0, ordersPaid: 0, newCustomers: 0, returningCustomers: 0 })
  expect(current.steps).toHaveLength(7)
})

test('a live shop has not decided delivery and tax until an admin saves them, even if nothing is charged', async () => {
  const shop = await testShop()
  const boss = await createUser(shop, 'Boss', 'admin')
  const demo = await clientOf(shop, boss)
  const live = await clientOf(withPayments(shop, { provider: 'stripe live' }), boss)
  const readBoth = async () => {
    const overviews = await Promise.all([demo, live].map((admin) => admin.readOverview()))
    return overviews.map(({ chargesDecided }) => chargesDecided)
  }
  expect(await readBoth()).toEqual([true, false])
  const { value } = (await live.readSettings()).deliveryAndTax
  await live.updateSettings({ body: { section: 'deliveryAndTax', version: 0, ...value } })
  expect(await readBoth()).toEqual([true, true])
})

test('a live shop leaves out the money and the items of test payments', async () => {
  const { shop, boss, customers, parts } = await createScene()
  await payOrderByCard(shop, customers[0]!, await placeAny({ shop }, customers[0]!, [parts[0]!._id]))
  const live = withPayments(shop, { provider: 'stripe live' })
  const { waiting, current, bestByRevenue } = await (await clientOf(live, boss)).readOverview()
  expect(waiting.ordersToShip).toBe(0)
  expect(current).toMatchObject({ salesCents: 0, ordersPaid: 0, newCustomers: 0 })
  expect(bestByRevenue).toEqual([])

  // Those from before providers were stored count.
  await payOrderByCard(shop, customers[1]!, await placeAny({ shop }, customers[1]!, [parts[1]!._id]))
  const { rows } = await (await clientOf(live, boss)).listPurchases()
  const isOld = eq(tables.orderLines._id, rows[0]!._id)
  await shop.db.update(tables.orderLines).set({ paymentProvider: null }).where(isOld)
  const ofOld = eq(tables.payments.orderId, rows[0]!.orderId)
  await shop.db.update(tables.payments).set({ provider: null }).where(ofOld)
  const old = await (await clientOf(live, boss)).readOverview()
  expect(old.waiting.ordersToShip).toBe(1)
  expect(old.current).toMatchObject({ salesCents: 4_000, ordersPaid: 1, newCustomers: 1 })
  expect(old.bestByRevenue).toMatchObject([{ partId: parts[1]!._id, revenueCents: 4_000, quantity: 10 }])
})

test('periodSteps begins with days, with Mondays and with months of any length', () => {
  const cases = [
    // A Sunday, and the day after 29 February.
    ['7d', '2028-03-05T23:59:59.999Z', '2028-02-28', '2028-03-06', '2028-02-21', '2028-03-05'],
    ['12w', '2028-03-05T23:59:59.999Z', '2027-12-13', '2028-03-06', '2027-09-20', '2028-02-28'],
    ['12w', '2028-03-06T00:00:00.000Z', '2027-12-20', '2028-03-13', '2027-09-27', '2028-03-06'],
    ['30d', '2028-03-01T00:00:00.000Z', '2028-02-01', '2028-03-02', '2028-01-02', '2028-03-01'],
    // A month before the 31st of March is no day.
    ['12m', '2028-03-31T12:00:00.000Z', '2027-04-01', '2028-04-01', '2026-04-01', '2028-03-01'],
    ['12m', '2027-12-31T23:59:59.999Z', '2027-01-01', '2028-01-01', '2026-01-01', '2027-12-01'],
  ] as const
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const [i, [period, at, from, until, before, last]] of cases.entries()) {
    vi.stubEnv('TZ', i % 2 ? 'Pacific/Auckland' : 'America/Los_Angeles')
    const { current, previous } = periodSteps(period, Date.parse(at), 'UTC')
    const days = [current.from, current.until, previous.from].map((time) => time.slice(0, 10))
    expect([...days, current.starts.at(-1)], at).toEqual([from, until, before, last])
    expect(previous.until).toBe(current.from)
  }
})

test.for([
  // Sunday, at the end of which clocks have gone forward; and the same back.
  ['Europe/Berlin', '7d', '2026-03-29T21:59:59.999Z', '2026-03-22T23:00', '2026-03-29T22:00', '2026-03-29'],
  ['Europe/Berlin', '7d', '2026-10-25T22:59:59.999Z', '2026-10-18T22:00', '2026-10-25T23:00', '2026-10-25'],
  ['Europe/Berlin', '12w', '2026-03-29T22:00:00.000Z', '2026-01-11T23:00', '2026-04-05T22:00', '2026-03-30'],
  ['Asia/Kolkata', '12m', '2026-12-31T18:29:59.999Z', '2025-12-31T18:30', '2026-12-31T18:30', '2026-12-01'],
  ['Asia/Kolkata', '12m', '2026-12-31T18:30:00.000Z', '2026-01-31T18:30', '2027-01-31T18:30', '2027-01-01'],
  [
    'America/St_Johns',
    '30d',
    '2028-03-01T03:29:59.999Z',
    '2028-01-31T03:30',
    '2028-03-01T03:30',
    '2028-02-29',
  ],
  [
    'Pacific/Kiritimati',
    '7d',
    '2026-10-31T10:00:00.000Z',
    '2026-10-25T10:00',
    '2026-11-01T10:00',
    '2026-11-01',
  ],
] as const)(
  'in %s, periodSteps of %s at %s begins and ends at midnight',
  ([timeZone, period, at, from, until, last]) => {
    const { current, previous } = periodSteps(period, Date.parse(at), timeZone)
    expect([current.from, current.until]).toEqual([`${from}:00.000Z`, `${until}:00.000Z`])
    expect(current.starts.at(-1)).toBe(last)
    expect(previous.until).toBe(current.from)
    const days = listDays(current, timeZone)
    expect(days[0]).toEqual({ day: current.starts[0], from: current.from })
    expect(new Set(days.map(({ day }) => day)).size).toBe(days.length)
    expect(days.map(({ day }) => day)).toEqual(expect.arrayContaining(current.starts))
  },
)

async function createScene(timeZone = 'UTC') {
  const shop = await testShop({ timeZone })
  const customers: Member[] = []
  for (const name of ['Ada', 'Bob', 'Cleo', 'Dora', 'Ed']) customers.push(await createUser(shop, name))
  const boss = await createUser(shop, 'Boss', 'admin')
  const parts: { _id: string }[] = []
  for (let i = 0; i < 7; i++) {
    const stock = { availableQuantity: 30 + 100 * i, reorderPoint: i % 2 ? 300 : null }
    parts.push(await createPart(shop, { name: `Part ${i}`, minQuantity: 2, perUnitPrice: 3 + i, ...stock }))
  }
  const deletedAt = new Date().toISOString()
  await createPart(shop, { name: 'Deleted', availableQuantity: 0, reorderPoint: 1, deletedAt })
  return { shop, customers, boss, parts, placed: [] as { order: Purchase; owner: Member }[] }
}
type Scene = Awaited<ReturnType<typeof createScene>>

function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** Its first line; the whole order costs `orderPrice`. */
async function placeAny({ shop }: Pick<Scene, 'shop'>, owner: Member, partIds: string[], quantity = 10) {
  const client = await clientOf(shop, owner)
  const lines = partIds.map((partId, i) => ({ partId, quantity: quantity + i }))
  return (await client.placeOrder({ body: { ...purchase, lines } })).lines[0]!
}

/** Money for an order that cannot accept it, and which the bank does not give back yet. */
async function settleUnwanted(shop: TestShop, order: Purchase) {
  const id = await unknownPayment(shop, { orderId: order.orderId, charged: order.orderPrice || 1 })
  const refund = () => Promise.reject(new ShopError('unavailable', 'The bank is closed.'))
  await settlePayment(withPayments(shop, { refund }), (await shop.payments.find(id))!)
}

/** An order that is mostly paid, and often something that happens to an earlier one. `luck` below 0.75 pays. */
async function act(scene: Scene, random: () => number, luck = random()) {
  const { shop, boss, customers, parts, placed } = scene
  const pick = <T>(all: T[]) => all[Math.floor(random() * all.length)]!
  const admin = await clientOf(shop, boss)
  const owner = pick(customers)
  const partIds = [...new Set([pick(parts)._id, pick(parts)._id])]
  const order = await placeAny(scene, owner, partIds, 2 + Math.floor(random() * 9)).catch(nullIfRefused)
  if (order && luck < 0.75) {
    await pay(shop, owner, order, pick(cards))
    placed.push({ order, owner })
  } else if (order && luck < 0.85) await admin.cancelPurchase({ params: { id: order._id } })
  else if (luck < 0.95) await expireOrders(shop, Date.now() + 73 * hour)
  if (luck > 0.7 && order) await settleUnwanted(shop, order)
  if (placed.length === 0) return
  const {
    _id: id,
    price,
    transactionId,
  } = await admin.readPurchase({ params: { id: pick(placed).order._id } })
  await completePending(shop.db)
  await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  const what = random()
  if (what < 0.35) {
    const body = { amount: Math.ceil(price / 3), reason: 'Bent', returned: 1 }
    await admin.refundPurchase({ params: { id }, body }).catch(nullIfRefused)
  } else if (what < 0.45) {
    await bankSdk(shop)
      .refunds.create({ payment_intent: transactionId!, amount: 101 })
      .catch(() => null)
    await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  } else if (what < 0.55) {
    await openDispute(shop.db, transactionId!).catch(() => null)
    await settlePayment(shop, (await shop.payments.find(transactionId!))!)
  } else if (what < 0.75) await admin.shipPurchase({ params: { id } }).catch(nullIfRefused)
  else if (what < 0.8) await reconcile(shop)
  else if (what < 0.9)
    await admin.sendMessage({ body: { name: 'A', email: 'a@example.com', phone: '5550100', message: 'Hi' } })
}

/** The last two: refunds stay pending, and refunds fail. */
const cards = ['4242424242424242', '4242424242424242', '4000000000007726', '4000000000005126']

async function pay(shop: TestShop, owner: Member, { _id, orderPrice }: Purchase, card: string) {
  const client = await clientOf(shop, owner)
  const { clientSecret } = await client.startPayment({ body: { price: orderPrice, purchase: _id } })
  const { id: transactionId } = await payByCard(shop, clientSecret, card)
  await client.payPurchase({ params: { id: _id }, body: { transactionId } })
}

/** Such as an order of more than is in stock. */
function nullIfRefused(error: { status?: number }) {
  if (error.status === 409 || error.status === 400) return null
  throw error
}

async function expectRecount({ shop, boss }: Scene, when: string) {
  const admin = await clientOf(shop, boss)
  const rows = await readRows(shop)
  for (const period of periods) {
    const found = await admin.readOverview({ body: { period } })
    expect(found, `${when}, ${period}`).toEqual(recount(rows, period, Date.now(), shop.timeZone))
  }
}

type Rows = Awaited<ReturnType<typeof readRows>>

async function readRows({ db }: TestShop) {
  return {
    lines: await db.select().from(tables.orderLines),
    orders: await db.select().from(tables.orders),
    ledger: await db.select().from(tables.ledger),
    parts: await db.select().from(tables.parts).where(isNull(tables.parts.deletedAt)),
    messages: await db.select().from(tables.messages),
    tasks: await db.select().from(tables.paymentTasks),
    refunds: await db.select().from(tables.refunds),
  }
}

function mondayOf(date: string): string {
  const [start, weekday] = [Date.parse(date.slice(0, 10)), new Date(date).getUTCDay()]
  return new Date(start - (weekday === 0 ? 6 : weekday - 1) * day).toISOString().slice(0, 10)
}

function dayIn(timeZone: string, date: string) {
  return Temporal.Instant.from(date).toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

const stepOf: Record<string, (date: string) => string> = {
  d: (date) => date.slice(0, 10),
  w: mondayOf,
  m: (date) => `${date.slice(0, 7)}-01`,
}

function recount(rows: Rows, period: string, at: number, timeZone: string) {
  const count = Number.parseInt(period, 10)
  const toStep = (date: string) => stepOf[period.at(-1)!]!(dayIn(timeZone, date))
  const starts: string[] = []
  for (let time = at; starts.length < 2 * count; time -= day) {
    const start = toStep(new Date(time).toISOString())
    if (start !== starts[0]) starts.unshift(start)
  }
  const [before, current] = [starts.slice(0, count), starts.slice(count)]
  const partsOf = sumOfParts(rows, (date) => current.includes(toStep(date)))
  return {
    asOf: new Date(at).toISOString(),
    hasSales: rows.lines.some(({ paidAt }) => paidAt),
    chargesDecided: true,
    waiting: recountWaiting(rows, at),
    current: recountPeriod(rows, current, toStep),
    previous: recountPeriod(rows, before, toStep),
    bestByRevenue: partsOf.toSorted(byFirst(({ revenueCents }) => revenueCents)).slice(0, 5),
    bestByQuantity: partsOf.toSorted(byFirst(({ quantity }) => quantity)).slice(0, 5),
  }
}

function byFirst<T extends { partId: string }>(of: (row: T) => number) {
  return (a: T, b: T) => of(b) - of(a) || (a.partId < b.partId ? -1 : 1)
}

function recountPeriod({ lines, orders, ledger }: Rows, starts: string[], toStep: (date: string) => string) {
  const paid = new Map(lines.flatMap(({ orderId, paidAt }) => (paidAt ? [[orderId, paidAt] as const] : [])))
  const steps = starts.map((from) => ({
    from,
    salesCents: ledger
      .filter(({ kind, at }) => /payment|refund/.test(kind) && toStep(at) === from)
      .reduce((sum, { amountCents }) => sum + amountCents, 0),
    ordersPaid: [...paid.values()].filter((at) => toStep(at) === from).length,
  }))
  const customers = [...new Set(orders.map(({ userId }) => userId))].map((userId) =>
    orders.flatMap((order) => (order.userId === userId ? (paid.get(order._id) ?? []) : [])).map(toStep),
  )
  const active = customers.filter((dates) => dates.some((date) => starts.includes(date)))
  const returning = active.filter((dates) => dates.some((date) => date < starts[0]!))
  return {
    salesCents: steps.reduce((sum, { salesCents }) => sum + salesCents, 0),
    ordersPaid: steps.reduce((sum, { ordersPaid }) => sum + ordersPaid, 0),
    // Nothing is charged besides goods.
    deliveryCents: 0,
    taxCents: 0,
    newCustomers: active.length - returning.length,
    returningCustomers: returning.length,
    steps,
  }
}

function sumOfParts({ lines, parts }: Rows, isWithin: (date: string) => boolean) {
  return parts.flatMap(({ _id: partId, name, partNumber }) => {
    const sold = lines.filter((line) => line.partId === partId && line.paidAt && isWithin(line.paidAt))
    if (sold.length === 0) return []
    const revenueCents = sold.reduce((sum, { price }) => sum + price * 100, 0)
    return [
      { partId, name, partNumber, revenueCents, quantity: sold.reduce((sum, l) => sum + l.quantity, 0) },
    ]
  })
}

function recountWaiting({ lines, orders, parts, messages, tasks, refunds }: Rows, at: number) {
  const unpaid = lines.filter(({ paidAt, expiredAt, cancelledAt }) => !paidAt && !expiredAt && !cancelledAt)
  const toShip = lines.filter(
    (line) =>
      line.paidAt &&
      !line.shippedAt &&
      line.dispute !== 'open' &&
      line.dispute !== 'lost' &&
      line.refundedCents + line.pendingRefundCents < line.price * 100 &&
      line.shippedQuantity + line.returnedQuantity < line.quantity,
  )
  const orderOf = new Map(orders.map((order) => [order._id, order]))
  const oldest = toShip.map(({ orderId }) => orderOf.get(orderId)!).sort((a, b) => a.number - b.number)[0]
  // The minimum quantity is 2, in multiples of 1.
  const soldOut = parts.filter(({ availableQuantity }) => availableQuantity < 2)
  const low = parts.filter((part) => part.availableQuantity <= (part.reorderPoint ?? -1))
  return {
    ordersToShip: countOrders(toShip),
    oldestToShip: oldest?.createdAt ?? null,
    ordersUnpaid: countOrders(unpaid),
    ordersExpiring: countOrders(
      unpaid.filter(({ orderId }) => {
        const { createdAt, shortHoldUntil } = orderOf.get(orderId)!
        const ends = [
          Date.parse(createdAt) + 72 * hour,
          shortHoldUntil ? Date.parse(shortHoldUntil) : Infinity,
        ]
        return Math.min(...ends) < at + day
      }),
    ),
    partsSoldOut: soldOut.length,
    partsToReorder: new Set([...soldOut, ...low]).size,
    newMessages: messages.filter(({ answeredAt }) => !answeredAt).length,
    ordersRefundPending: countOrders(
      lines.filter((line) =>
        refunds.some(({ lineId, endedAt, orderId }) => {
          const all = lines
            .filter((other) => other.orderId === orderId)
            .sort((a, b) => a.position - b.position)
          // Of a payment that the order could not accept, the first item that is left.
          const first = all.find(({ cancelledAt }) => !cancelledAt) ?? all[0]!
          return !endedAt && (lineId ?? first._id) === line._id
        }),
      ),
    ),
    paymentTasks: tasks.filter(({ resolvedAt }) => !resolvedAt).length,
    taxToCheck: 0,
  }
}

function countOrders(lines: { orderId: string }[]) {
  return new Set(lines.map(({ orderId }) => orderId)).size
}
