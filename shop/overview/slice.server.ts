import { and, gte, inArray, lt, type SQLWrapper, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { executeRows } from '#db/rows.ts'
import { ledger, orderLines, orders, payments } from '#db/schema.ts'
import { isRealMoney } from '#shop/orders/hold-limits.server.ts'
import { hourMs } from '#shop/orders/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Span } from './period.ts'

/** What was sold within some time. */
export interface Slice {
  days: { day: string; salesCents: number; ordersPaid: number }[]
  parts: Map<string, { revenueCents: number; quantity: number }>
  /** Who paid an order, and whether it was the first one since before the period. */
  customers: Map<string, boolean>
}

type Sold = { partId: string; revenueCents: number; quantity: number }

/** Payments have the time of the shop's clock, and are committed later: a day is over for certain only then. */
const lateHours = 1

/** Finished days cannot change, so that they are read once; the rest is read each time. `now` is Unix time in ms. */
export async function readSlices(shop: Shop, { from, until }: Span, now: number): Promise<Slice[]> {
  const today = `${new Date(now - lateHours * hourMs).toISOString().slice(0, 10)}T00:00:00.000Z`
  const finished = today < from ? from : today > until ? until : today
  return Promise.all([
    ...(from < finished ? [readFinished(shop, { from, until: finished })] : []),
    ...(finished < until ? [readSlice(shop, { from: finished, until }, from)] : []),
  ])
}

/** All periods of a day, with those before them. */
const finishedSlices = new WeakMap<Shop, LRUCache<string, Promise<Slice>>>()

function readFinished(shop: Shop, span: Span) {
  const slices = finishedSlices.get(shop) ?? new LRUCache({ max: 8 })
  finishedSlices.set(shop, slices)
  const key = `${span.from} ${span.until}`
  const slice = slices.get(key) ?? readSlice(shop, span, span.from)
  slices.set(key, slice)
  slice.catch(() => slices.delete(key))
  return slice
}

async function readSlice(shop: Shop, span: Span, periodFrom: string): Promise<Slice> {
  const { db } = shop
  const [sums, counts, sold, buyers] = await Promise.all([
    executeRows<{ day: string; cents: number }>(db, sumLedger(shop, span)),
    executeRows<{ day: string; count: number }>(db, countPaidOrders(shop, span)),
    executeRows<Sold>(db, sumParts(shop, span)),
    executeRows<{ userId: string; isNew: boolean }>(db, findCustomers(shop, span, periodFrom)),
  ])
  return {
    days: [
      ...sums.map(({ day, cents }) => ({ day, salesCents: cents, ordersPaid: 0 })),
      ...counts.map(({ day, count }) => ({ day, salesCents: 0, ordersPaid: count })),
    ],
    parts: new Map(sold.map(({ partId, ...sums }) => [partId, sums])),
    customers: new Map(buyers.map(({ userId, isNew }) => [userId, isNew])),
  }
}

function utcDay(at: SQLWrapper) {
  return sql`(${at} at time zone 'UTC')::date`
}

function isWithin(at: typeof ledger.at | typeof orderLines.paidAt, { from, until }: Span) {
  return and(gte(at, from), lt(at, until))
}

/** Disputed money is not subtracted: the bank may return it. */
function sumLedger(shop: Shop, span: Span) {
  const isSale = and(isWithin(ledger.at, span), inArray(ledger.kind, ['payment', 'refund', 'failed refund']))
  const source = isLive(shop)
    ? sql`${ledger} left join ${payments} on ${payments._id} = ${ledger.paymentId}`
    : ledger
  return sql`select day::text, cents::float8 from (
    select ${utcDay(ledger.at)} as day, sum(${ledger.amountCents}) as cents from ${source}
    where ${and(isSale, isLive(shop) ? isRealMoney(shop) : undefined)} group by 1
  ) sums`
}

function countPaidOrders(shop: Shop, span: Span) {
  return sql`select day::text, count(*)::int as count from (
    select distinct ${orderLines.orderId}, ${utcDay(orderLines.paidAt)} as day
    from ${orderLines} where ${isPaidWithin(shop, span)}
  ) paid group by 1`
}

function sumParts(shop: Shop, span: Span) {
  return sql`select ${orderLines.partId} as "partId", sum(${orderLines.price})::float8 * 100 as "revenueCents",
      sum(${orderLines.quantity})::float8 as quantity
    from ${orderLines} where ${isPaidWithin(shop, span)} group by 1`
}

function findCustomers(shop: Shop, span: Span, periodFrom: string) {
  const isEarlier = and(lt(orderLines.paidAt, periodFrom), isPaidForReal(shop))
  return sql`select buyers.user_id as "userId", not exists (
      select from ${orders} join ${orderLines} on ${orderLines.orderId} = ${orders._id}
      where ${orders.userId} = buyers.user_id and ${isEarlier}
    ) as "isNew"
    from (
      select distinct ${orders.userId} from ${orderLines} join ${orders} on ${orders._id} = ${orderLines.orderId}
      where ${isPaidWithin(shop, span)}
    ) buyers`
}

function isPaidWithin(shop: Shop, span: Span) {
  return and(isWithin(orderLines.paidAt, span), isPaidForReal(shop))
}

function isLive({ payments: { provider } }: Shop) {
  return provider === 'stripe live'
}

/** A live shop has never received the money of a test payment. */
function isPaidForReal(shop: Shop) {
  return isLive(shop)
    ? sql`coalesce(${orderLines.paymentProvider}, 'stripe live') = 'stripe live'`
    : undefined
}
