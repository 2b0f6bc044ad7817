import { and, gte, inArray, lt, type SQLWrapper, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { executeRows } from '#db/driver/rows.ts'
import { invoices, ledger, orderLines, orders, payments } from '#db/schema.ts'
import { hourMs } from '#shop/orders/read/purchase-rows.server.ts'
import { isRealMoney } from '#shop/payments/earned.server.ts'
import type { Shop } from '#shop/ports.ts'
import { listDays, type Span, startOfToday } from './steps.server.ts'

/** What was sold within some time. */
interface Slice {
  days: {
    day: string
    salesCents: number
    ordersPaid: number
    deliveryCents?: number
    taxCents?: number
  }[]
  parts: Map<string, { revenueCents: number; quantity: number }>
  /** Who paid an order, and whether none before. */
  customers: Map<string, boolean>
}

/** `added` has the customers that `finished` does not have. */
export interface Slices {
  finished: Slice
  added: Slice
}

type SoldPart = { partId: string; revenueCents: number; quantity: number }
type Customer = { userId: string; isNew: boolean }

const nothing: Slice = { days: [], parts: new Map(), customers: new Map() }

/** Payments have the time of the shop's clock, and are committed later: a day is over for certain only then. */
const lateHours = 1

/** Finished days cannot change, so that they are read once; the rest is read each time. `now` is Unix time in ms. */
export async function readSlices(shop: Shop, { from, until }: Span, now: number): Promise<Slices> {
  const today = startOfToday(now - lateHours * hourMs, shop.timeZone)
  const middle = today < from ? from : today > until ? until : today
  const finished = from < middle ? await readFinished(shop, { from, until: middle }) : nothing
  if (middle === until) return { finished, added: nothing }
  const rest = { from: middle, until }
  const [sums, customers] = await Promise.all([
    readSums(shop, rest),
    readOtherCustomers(shop, rest, finished.customers),
  ])
  return { finished, added: { ...sums, customers } }
}

/** All periods of a day, with those before them. */
const finishedSlices = new WeakMap<Shop, LRUCache<string, Promise<Slice>>>()

function readFinished(shop: Shop, span: Span) {
  const slices = finishedSlices.get(shop) ?? new LRUCache({ max: 8 })
  finishedSlices.set(shop, slices)
  const key = `${span.from} ${span.until}`
  const slice = slices.get(key) ?? readSlice(shop, span)
  slices.set(key, slice)
  slice.catch(() => slices.delete(key))
  return slice
}

async function readSlice(shop: Shop, span: Span): Promise<Slice> {
  const reading = executeRows<Customer>(shop.db, findCustomers(shop, span))
  const [sums, customers] = await Promise.all([readSums(shop, span), reading])
  return { ...sums, customers: toMap(customers) }
}

async function readSums(shop: Shop, span: Span) {
  const { db } = shop
  const days = listDays(span, shop.timeZone)
  const starts = days.map(({ from }) => from)
  const [sums, charges, counts, sold] = await Promise.all([
    executeRows<{ day: number; cents: number }>(db, sumLedger(shop, span, starts)),
    executeRows<{ day: number; delivery: number; tax: number }>(db, sumCharges(shop, span, starts)),
    executeRows<{ day: number; count: number }>(db, countPaidOrders(shop, span, starts)),
    executeRows<SoldPart>(db, sumParts(shop, span)),
  ])
  return {
    days: [
      ...sums.map(({ day, cents }) => ({ day: days[day - 1]!.day, salesCents: cents, ordersPaid: 0 })),
      ...charges.map(({ day, delivery, tax }) => ({
        day: days[day - 1]!.day,
        salesCents: -delivery - tax,
        ordersPaid: 0,
        deliveryCents: delivery,
        taxCents: tax,
      })),
      ...counts.map(({ day, count }) => ({ day: days[day - 1]!.day, salesCents: 0, ordersPaid: count })),
    ],
    parts: new Map(sold.map(({ partId, ...sums }) => [partId, sums])),
  }
}

/** Whether a customer is new takes long to find out, and is known of most of them. */
async function readOtherCustomers(shop: Shop, span: Span, known: Map<string, boolean>) {
  const rows = await executeRows<Pick<Customer, 'userId'>>(shop.db, findBuyers(shop, span))
  const others = rows.map(({ userId }) => userId).filter((userId) => !known.has(userId))
  if (others.length === 0) return nothing.customers
  return toMap(await executeRows<Customer>(shop.db, findCustomers(shop, span, others)))
}

function toMap(customers: Customer[]) {
  return new Map(customers.map(({ userId, isNew }) => [userId, isNew]))
}

/** From 1. Not by the database’s own time zones, which are of another edition and may lack some. */
function dayNumber(at: SQLWrapper, starts: string[]) {
  return sql`width_bucket(${at}, ${sql.param(starts)}::timestamptz[])`
}

function isWithin(
  at: typeof ledger.at | typeof orderLines.paidAt | typeof invoices.createdAt,
  { from, until }: Span,
) {
  return and(gte(at, from), lt(at, until))
}

/** Disputed money is not subtracted: the bank may return it. */
function sumLedger(shop: Shop, span: Span, starts: string[]) {
  const isSale = and(isWithin(ledger.at, span), inArray(ledger.kind, ['payment', 'refund', 'failed refund']))
  const source = isLive(shop)
    ? sql`${ledger} left join ${payments} on ${payments._id} = ${ledger.paymentId}`
    : ledger
  return sql`select day, cents::float8 from (
    select ${dayNumber(ledger.at, starts)} as day, sum(${ledger.amountCents}) as cents from ${source}
    where ${and(isSale, isLive(shop) ? isRealMoney(shop) : undefined)} group by 1
  ) sums`
}

/** What of the payments and refunds was for delivery, without its tax, and for tax. */
function sumCharges(shop: Shop, span: Span, starts: string[]) {
  const { createdAt, content, kind } = invoices
  const sumTaxes = (name: string) => sql`(
    select coalesce(sum((one->>'tax')::integer), 0) from jsonb_array_elements(${content}->'charges'->${sql.raw(`'${name}'`)}) as one)`
  const isReal = isLive(shop) ? sql`${content}->>'testPayment' = 'false'` : undefined
  return sql`select day, sum(sign * delivery)::float8 as delivery, sum(sign * tax)::float8 as tax from (
    select ${dayNumber(createdAt, starts)} as day, case ${kind} when 'invoice' then 1 else -1 end as sign, ${sumTaxes('taxes')} as tax,
      (${content}->'charges'->>'delivery')::integer - ${sumTaxes('deliveryTaxes')} as delivery
    from ${invoices} where ${and(isWithin(createdAt, span), isReal)} and ${content} ? 'charges'
  ) papers group by 1`
}

function countPaidOrders(shop: Shop, span: Span, starts: string[]) {
  return sql`select day, count(*)::int as count from (
    select distinct ${orderLines.orderId}, ${dayNumber(orderLines.paidAt, starts)} as day
    from ${orderLines} where ${isPaidWithin(shop, span)}
  ) paid group by 1`
}

function sumParts(shop: Shop, span: Span) {
  return sql`select ${orderLines.partId} as "partId", sum(${orderLines.price}::bigint * 100 + ${orderLines.addedCents} - ${orderLines.taxCents})::float8 as "revenueCents",
      sum(${orderLines.quantity})::float8 as quantity
    from ${orderLines} where ${isPaidWithin(shop, span)} group by 1`
}

function findBuyers(shop: Shop, span: Span) {
  return sql`select distinct ${orders.userId} as "userId"
    from ${orderLines} join ${orders} on ${orders._id} = ${orderLines.orderId} where ${isPaidWithin(shop, span)}`
}

function findCustomers(shop: Shop, span: Span, among?: string[]) {
  const isEarlier = and(lt(orderLines.paidAt, span.from), isPaidForReal(shop))
  const buyers = among
    ? sql`jsonb_array_elements_text(${JSON.stringify(among)}::jsonb) as buyers ("userId")`
    : sql`(${findBuyers(shop, span)}) buyers`
  const source = sql`${orders} join ${orderLines} on ${orderLines.orderId} = ${orders._id}`
  // Of a few customers, their own orders are read; of many, all earlier ones at once.
  const isNew = among
    ? sql`coalesce((select false from ${source} where ${orders.userId} = "userId" and ${isEarlier}
        order by ${orders.number} limit 1), true)`
    : sql`"userId" not in (select distinct ${orders.userId} from ${source} where ${isEarlier})`
  return sql`select "userId", ${isNew} as "isNew" from ${buyers}`
}

function isPaidWithin(shop: Shop, span: Span) {
  return and(isWithin(orderLines.paidAt, span), isPaidForReal(shop))
}

export function isLive({ payments: { provider } }: Shop) {
  return provider === 'stripe live'
}

/** A live shop has never received the money of a test payment. */
function isPaidForReal(shop: Shop) {
  return isLive(shop)
    ? sql`coalesce(${orderLines.paymentProvider}, 'stripe live') = 'stripe live'`
    : undefined
}
