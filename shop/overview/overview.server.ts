import { and, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { messages, parts, paymentTasks } from '#db/schema.ts'
import { countTaxToCheck } from '#shop/charges/tax-to-check.server.ts'
import { isNewMessage } from '#shop/messages/messages.server.ts'
import { countOrders } from '#shop/orders/read/counts.server.ts'
import { notCancelled } from '#shop/orders/read/purchase-rows.server.ts'
import { statusConditions, waitingConditions } from '#shop/orders/read/status-conditions.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { stockConditions } from '#shop/parts/search.server.ts'
import type { Shop } from '#shop/ports.ts'
import { readOrdersToShip } from '#shop/worklist/worklist.server.ts'
import type { Overview, OverviewQuery, PartSales, Waiting } from './overview.ts'
import { isLive, readSlices, type Slices } from './slice.server.ts'
import { type PeriodSteps, periodSteps } from './steps.server.ts'

/** `now` is Unix time in ms. */
export async function readOverview(
  shop: Shop,
  { period }: OverviewQuery,
  now = Date.now(),
): Promise<Overview> {
  const { current, previous } = periodSteps(period, now, shop.timeZone)
  const [waiting, hasSales, chargesDecided, slices, slicesBefore] = await Promise.all([
    readWaiting(shop, now),
    hasPaidOrder(shop),
    areChargesDecided(shop),
    readSlices(shop, current, now),
    readSlices(shop, previous, now),
  ])
  return {
    asOf: new Date(now).toISOString(),
    hasSales,
    chargesDecided,
    waiting,
    current: sumUp(current, slices),
    previous: sumUp(previous, slicesBefore),
    ...(await readBestParts(shop, slices)),
  }
}

async function readWaiting(shop: Shop, now: number): Promise<Waiting> {
  const { db } = shop
  const conditions = waitingConditions(shop, now)
  const [
    toShip,
    ordersUnpaid,
    ordersExpiring,
    ordersRefundPending,
    partCounts,
    newMessages,
    paymentTaskCount,
    taxToCheck,
  ] = await Promise.all([
    readOrdersToShip(shop),
    countOrders(shop, and(notCancelled, statusConditions.unpaid)),
    countOrders(shop, and(notCancelled, conditions.expiring)),
    countOrders(shop, conditions['refund pending']),
    countParts(shop),
    db.$count(messages, isNewMessage),
    db.$count(paymentTasks, isNull(paymentTasks.resolvedAt)),
    countTaxToCheck(shop),
  ])
  const { toShip: ordersToShip, oldestToShip } = toShip
  return {
    ordersToShip,
    oldestToShip,
    ordersUnpaid,
    ordersExpiring,
    ordersRefundPending,
    ...partCounts,
    newMessages,
    paymentTasks: paymentTaskCount,
    taxToCheck,
  }
}

/** Reads all parts, because no index has their stock. */
async function countParts({ db }: Shop) {
  const count = (isCounted: SQL) => sql<number>`(count(*) filter (where ${isCounted}))::int`
  const [counts] = await db
    .select({
      partsSoldOut: count(stockConditions['sold out']),
      partsToReorder: count(stockConditions['to reorder']),
    })
    .from(parts)
    .where(notDeleted)
  return counts!
}

async function hasPaidOrder({ db }: Shop) {
  const [row] = await executeRows<{ found: boolean }>(
    db,
    sql`select exists (select from order_lines where paid_at is not null) as found`,
  )
  return row!.found
}

async function areChargesDecided(shop: Shop) {
  return !isLive(shop) || (await shop.settings.readAgain()).versions.has('deliveryAndTax')
}

function sumUp({ starts }: PeriodSteps, { finished, added }: Slices) {
  const steps = starts.map((from) => ({ from, salesCents: 0, ordersPaid: 0 }))
  const total = { salesCents: 0, ordersPaid: 0 }
  const charges = { deliveryCents: 0, taxCents: 0 }
  for (const { day, salesCents, ordersPaid, deliveryCents = 0, taxCents = 0 } of [
    ...finished.days,
    ...added.days,
  ]) {
    charges.deliveryCents += deliveryCents
    charges.taxCents += taxCents
    for (const sums of [steps.findLast(({ from }) => from <= day)!, total]) {
      sums.salesCents += salesCents
      sums.ordersPaid += ordersPaid
    }
  }
  let [newCustomers, returningCustomers] = [0, 0]
  for (const { customers } of [finished, added])
    for (const isNew of customers.values()) isNew ? newCustomers++ : returningCustomers++
  return { ...total, ...charges, newCustomers, returningCustomers, steps }
}

const bestCount = 5

async function readBestParts({ db }: Shop, slices: Slices) {
  const [byRevenue, byQuantity] = [findBest(slices, 'revenueCents'), findBest(slices, 'quantity')]
  const ids = [...byRevenue, ...byQuantity].map(([partId]) => partId)
  const { name, partNumber } = parts
  const named = await db
    .select({ _id: parts._id, name, partNumber })
    .from(parts)
    .where(inArray(parts._id, ids))
  const toPartSales = ([partId, sums]: [string, PartSums]): PartSales => {
    const { name, partNumber } = named.find(({ _id }) => _id === partId)!
    return { partId, name, partNumber, ...sums }
  }
  return { bestByRevenue: byRevenue.map(toPartSales), bestByQuantity: byQuantity.map(toPartSales) }
}

type PartSums = Omit<PartSales, 'partId' | 'name' | 'partNumber'>

function findBest({ finished, added }: Slices, key: keyof PartSums) {
  const best: [string, PartSums][] = []
  const consider = (id: string, sums: PartSums) => {
    if (best.length === bestCount && sums[key] < best.at(-1)![1][key]) return
    best.push([id, sums])
    // Ids break ties, so that the order is always the same.
    best.sort(([a, sums], [b, others]) => others[key] - sums[key] || (a < b ? -1 : 1))
    best.splice(bestCount)
  }
  for (const [id, sums] of finished.parts) if (!added.parts.has(id)) consider(id, sums)
  for (const [id, { revenueCents, quantity }] of added.parts) {
    const before = finished.parts.get(id)
    consider(id, {
      revenueCents: revenueCents + (before?.revenueCents ?? 0),
      quantity: quantity + (before?.quantity ?? 0),
    })
  }
  return best
}
