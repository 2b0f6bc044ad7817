import { createHmac } from 'node:crypto'
import { and, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { orders, payments, purchases, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars } from '#shop/money.ts'
import { awaitingPayment, hasUnpaidLine, hourMs } from '#shop/orders/read/purchase-rows.server.ts'
import { lowestQuantity, maxUnpaidOrders } from '#shop/parts/quantity.ts'
import type { HoldLimits, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { LinesError, quantityInvalidError } from './line-errors.ts'
import type { SoldLine } from './stock.server.ts'

/** Restarts each time a payment is started. */
const shortHoldHours = 1

export type Buyer = Pick<Member, '_id' | 'emailConfirmedAt'>

/** Percent of a part's stock that all customers without a paid order may reserve together. */
const newcomersShare = 75

/** Percent that first orders of a minimum quantity add to what a network may reserve, at most. */
const firstOrdersShare = 10

/** Unpaid orders of up to so many times what a customer has paid are trusted, whatever their share of a part. */
const trustFactor = 10

export interface Allowance extends HoldLimits {
  level: 'unconfirmed' | 'confirmed'
  hasPaid: boolean
  /** Unpaid orders. */
  count: number
  /** Dollars of them. */
  held: number
  /** Dollars. */
  trusted: number
}

/** Refunded payments do not count as paid. Throws 'rate-limited' above 100 unpaid orders. */
export async function readAllowance(shop: Shop, db: Queries, buyer: Buyer): Promise<Allowance> {
  const [row] = await db
    .select({
      count: sql<number>`count(distinct ${purchases.orderId})::int`,
      held: sql<number>`coalesce(sum(${purchases.price}), 0)::int`,
      paid: sql<number>`(select ${earnedCents}::float / 100 from ${paidLedger}
        where paid.user_id = ${buyer._id} and ${isRealMoney(shop)})`,
    })
    .from(purchases)
    .where(and(eq(purchases.userId, buyer._id), awaitingPayment))
  const { count, held, paid } = row!
  if (count >= maxUnpaidOrders)
    throw new ShopError(
      'rate-limited',
      `You have ${count} unpaid orders. Pay or cancel some of them first.`,
      { retryAfter: 60 },
    )
  const { share, value } = shop.holdLimits
  const level = buyer.emailConfirmedAt ? 'confirmed' : 'unconfirmed'
  const limits = buyer.emailConfirmedAt
    ? { share: Math.min(100, 5 * share), value: 10 * value }
    : { share, value }
  const trusted = trustFactor * paid
  return {
    level,
    hasPaid: paid > 0,
    count,
    held,
    trusted,
    share: limits.share,
    value: Math.max(limits.value, trusted),
  }
}

/** A first order of a minimum quantity always passes. Throws 'rate-limited'. */
export function checkHeldValue(
  { held, value, level, hasPaid }: Pick<Allowance, 'held' | 'value' | 'level' | 'hasPaid'>,
  price: number,
  isMinimum: boolean,
) {
  if (held + price <= value || (held === 0 && isMinimum)) return
  const limit = `unpaid orders can total at most ${formatDollars(value)}.`
  const message = hasPaid ? `Your ${limit}` : `Until you pay for your first order, your ${limit}`
  throw new ShopError('rate-limited', withHint(message, level), { retryAfter: 60 })
}

/** Whether the shares of a customer's unpaid orders do not matter. */
export function isTrusted({ held, trusted }: Allowance, price: number) {
  return held + price <= trusted
}

interface WantedStock {
  userId: string
  clientNetwork: string | null
  /** With the parts as they are, before the order. */
  lines: SoldLine[]
  /** Dollars. */
  price: number
}

/**
 * Limits what customers hold of each part beyond what they are trusted with: those of one network, and all of them. First orders of a
 * minimum quantity may go beyond the share of a network, so that one customer does not block the others, and pass when nobody of
 * theirs holds any. The parts must be locked. Throws 'conflict'.
 */
export async function checkHeldShares(shop: Shop, tx: Queries, allowance: Allowance, wanted: WantedStock) {
  if (isTrusted(allowance, wanted.price)) return
  const heldOf = await readHeld(shop, tx, wanted)
  const failures = wanted.lines.flatMap((line, index) => {
    const { partId, part } = line
    const message = shareError(allowance, line, heldOf(partId))
    return message ? [{ index, name: part.name, error: quantityInvalidError('conflict', message) }] : []
  })
  if (failures.length > 0) throw new LinesError(failures)
}

function shareError(
  { share, level, hasPaid }: Allowance,
  { part, quantity }: SoldLine,
  { own, network, all }: Held,
): string | undefined {
  const total = part.availableQuantity + all
  const isFirst = own === 0 && quantity === lowestQuantity(part)
  const percentOf = (percent: number) => Math.floor((total * Math.min(100, percent)) / 100)
  const networkShare = isFirst ? Math.min(2 * share, share + firstOrdersShare) : share
  const rest = Math.min(percentOf(networkShare) - network, percentOf(newcomersShare) - all)
  const allowed = isFirst && network === 0 ? quantity : rest
  if (quantity <= allowed) return
  const until = hasPaid ? 'you’ve paid for more orders' : 'you’ve paid for your first order'
  const message =
    allowed >= lowestQuantity(part)
      ? `You can reserve at most ${allowed} of this part until ${until}.`
      : 'Most of our stock of this part is reserved for unpaid orders. Try again in an hour.'
  return withHint(message, level)
}

type Held = Record<'own' | 'network' | 'all', number>

/**
 * What customers hold of each part beyond what they are trusted with, counted up to each order: many small ones are no more trusted
 * than a large one.
 */
async function readHeld(shop: Shop, tx: Queries, { userId, clientNetwork, lines }: WantedStock) {
  const isOrdered = sql`part_id in ${lines.map(({ partId }) => partId)}`
  const holders = sql`(select user_id from ${purchases} where ${isOrdered} and ${awaitingPayment})`
  const isOwn = sql`user_id = ${userId}`
  const held = await executeRows<Held & { partId: string }>(
    tx,
    sql`with earned as (
      select paid.user_id, ${earnedCents} as cents from ${paidLedger}
      where paid.user_id in ${holders} and ${isRealMoney(shop)} group by paid.user_id
    ), unpaid as (
      select user_id, part_id, client_network, quantity,
        100 * sum(price) over (partition by user_id order by number, position) as cents
      from ${purchases} where user_id in ${holders} and ${awaitingPayment}
    )
    select part_id as "partId", coalesce(sum(quantity) filter (where ${isOwn}), 0)::int as own,
      coalesce(sum(quantity) filter (where ${isOwn} or client_network = ${clientNetwork}), 0)::int as network,
      coalesce(sum(quantity), 0)::int as "all"
    from unpaid left join earned using (user_id)
    where ${isOrdered} and unpaid.cents > ${trustFactor} * coalesce(earned.cents, 0) group by part_id`,
  )
  const byPart = new Map(held.map(({ partId, ...held }) => [partId, held]))
  return (partId: string) => byPart.get(partId) ?? { own: 0, network: 0, all: 0 }
}

const earnedCents = sql`coalesce(sum(ledger.amount_cents), 0)`
const paidLedger = sql`ledger join ${orders} paid on paid.id = ledger.order_id left join ${payments} on ${payments._id} = ledger.payment_id`

/** Of a payment: a live shop has never received the money of a test payment. */
export function isRealMoney({ payments: { provider } }: Shop) {
  return sql`coalesce(${payments.provider}, ${provider}) in (${provider}, 'stripe live')`
}

function withHint(message: string, level: Allowance['level']) {
  return level === 'unconfirmed'
    ? `${message} Confirm your email address in My Profile to reserve more.`
    : message
}

/** When the hold of an unconfirmed customer ends; null when it lasts HOLD_HOURS. */
export function shortHoldEnd(
  { holdHours }: Pick<Shop, 'holdHours'>,
  allowance: Allowance | null,
  price: number,
  now = Date.now(),
): string | null {
  const isShort = holdHours > 0 && allowance?.level === 'unconfirmed' && !isTrusted(allowance, price)
  return isShort ? shortHoldFrom(now) : null
}

/** When a short hold ends that begins `now`. */
export function shortHoldFrom(now: number) {
  return new Date(now + shortHoldHours * hourMs).toISOString()
}

export async function extendShortHold(
  tx: Queries,
  order: Pick<typeof orders.$inferSelect, '_id' | 'shortHoldUntil'>,
  now = Date.now(),
) {
  if (!order.shortHoldUntil) return
  const shortHoldUntil = shortHoldFrom(now)
  await tx
    .update(orders)
    .set({ shortHoldUntil })
    .where(and(eq(orders._id, order._id), isNotNull(orders.shortHoldUntil)))
}

/** Holds that are over stay so: those of an account that was claimed end like this. */
export async function endShortHolds(tx: Queries, userId: string) {
  // Waiting for an order that is being paid could deadlock; once paid, it needs no hold.
  const unlocked = tx
    .select({ _id: orders._id })
    .from(orders)
    .where(and(eq(orders.userId, userId), gt(orders.shortHoldUntil, new Date().toISOString()), hasUnpaidLine))
    .for('update', { skipLocked: true })
  await tx.update(orders).set({ shortHoldUntil: null }).where(inArray(orders._id, unlocked))
}

export function hashNetwork({ secret }: Pick<Shop, 'secret'>, network: string): string {
  return createHmac('sha256', secret).update(`network ${network}`).digest('base64url').slice(0, 22)
}
