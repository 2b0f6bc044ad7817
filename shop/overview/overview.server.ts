import { and, inArray, isNull, sql } from 'drizzle-orm'
import { executeRows } from '#db/rows.ts'
import { parts, paymentTasks } from '#db/schema.ts'
import { linesAlone, statusConditions, waitingConditions } from '#shop/orders/lists.server.ts'
import { notCancelled } from '#shop/orders/purchase-rows.server.ts'
import { countBounded } from '#shop/pagination.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { stockConditions } from '#shop/parts/search.server.ts'
import type { Shop } from '#shop/ports.ts'
import { readWorklist } from '#shop/worklist/worklist.server.ts'
import type { Overview, OverviewQuery, PartSales, Waiting } from './overview.ts'
import { type PeriodSteps, periodSteps } from './period.ts'
import { readSlices, type Slice } from './slice.server.ts'

/** `now` is Unix time in ms. */
export async function readOverview(
  shop: Shop,
  { period }: OverviewQuery,
  now = Date.now(),
): Promise<Overview> {
  const { current, previous } = periodSteps(period, now)
  const [waiting, hasSales, slices, slicesBefore] = await Promise.all([
    readWaiting(shop, now),
    hasPaidOrder(shop),
    readSlices(shop, current, now),
    readSlices(shop, previous, now),
  ])
  return {
    asOf: new Date(now).toISOString(),
    hasSales,
    waiting,
    current: sumUp(current, slices),
    previous: sumUp(previous, slicesBefore),
    ...(await readBestParts(shop, slices)),
  }
}

async function readWaiting(shop: Shop, now: number): Promise<Waiting> {
  const { db } = shop
  const conditions = waitingConditions(shop, now)
  const count = (isCounted: ReturnType<typeof and>) =>
    countBounded(db, sql`select from ${linesAlone} where ${isCounted}`)
  const [worklist, itemsUnpaid, itemsExpiring, itemsRefundPending, partsToReorder, paymentTaskCount] =
    await Promise.all([
      readWorklist(shop),
      count(and(notCancelled, statusConditions.unpaid)),
      count(and(notCancelled, conditions.expiring)),
      count(conditions['refund pending']),
      db.$count(parts, and(notDeleted, stockConditions['to reorder'])),
      db.$count(paymentTasks, isNull(paymentTasks.resolvedAt)),
    ])
  const { toShip, oldestToShip, newMessages, soldOut } = worklist
  return {
    ...{ itemsToShip: toShip, oldestToShip, itemsUnpaid, itemsExpiring, partsSoldOut: soldOut },
    ...{ partsToReorder, newMessages, itemsRefundPending, paymentTasks: paymentTaskCount },
  }
}

async function hasPaidOrder({ db }: Shop) {
  const [row] = await executeRows<{ found: boolean }>(
    db,
    sql`select exists (select from order_lines where paid_at is not null) as found`,
  )
  return row!.found
}

function sumUp({ starts }: PeriodSteps, slices: Slice[]) {
  const steps = starts.map((from) => ({ from, salesCents: 0, ordersPaid: 0 }))
  const total = { salesCents: 0, ordersPaid: 0 }
  for (const { day, salesCents, ordersPaid } of slices.flatMap(({ days }) => days))
    for (const sums of [steps.findLast(({ from }) => from <= day)!, total]) {
      sums.salesCents += salesCents
      sums.ordersPaid += ordersPaid
    }
  const customers = new Map(slices.flatMap((slice) => [...slice.customers]))
  const newCustomers = [...customers.values()].filter(Boolean).length
  return { ...total, newCustomers, returningCustomers: customers.size - newCustomers, steps }
}

const bestCount = 5

async function readBestParts({ db }: Shop, slices: Slice[]) {
  const sums = addUpParts(slices)
  const best = (key: 'revenueCents' | 'quantity') => {
    const found: [string, PartSums][] = []
    for (const entry of sums) {
      if (found.length === bestCount && compare(key, entry, found.at(-1)!) > 0) continue
      found.push(entry)
      found.sort((a, b) => compare(key, a, b))
      found.splice(bestCount)
    }
    return found
  }
  const [byRevenue, byQuantity] = [best('revenueCents'), best('quantity')]
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

/** Ids break ties, so that the order is always the same. */
function compare(key: keyof PartSums, [a, sums]: [string, PartSums], [b, others]: [string, PartSums]) {
  return others[key] - sums[key] || (a < b ? -1 : 1)
}

/** The first slice is shared with other requests, and may have all parts. */
function addUpParts([first, last]: Slice[]): [string, PartSums][] {
  const before = first?.parts ?? new Map<string, PartSums>()
  const added = [...(last?.parts ?? [])].map(([id, sums]): [string, PartSums] => [
    id,
    {
      revenueCents: sums.revenueCents + (before.get(id)?.revenueCents ?? 0),
      quantity: sums.quantity + (before.get(id)?.quantity ?? 0),
    },
  ])
  return [...[...before].filter(([id]) => !last?.parts.has(id)), ...added]
}
