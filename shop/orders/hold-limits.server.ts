import { createHmac } from 'node:crypto'
import { and, eq, exists, isNotNull, not, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { orders, type parts, type Queries, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars } from '#shop/money.ts'
import type { HoldLimits, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { maxUnpaidOrders } from './order.ts'
import { awaitingPayment, hourMs } from './order-rows.server.ts'

/** Restarts each time a payment is started. */
const shortHoldHours = 1

export type Buyer = Pick<Member, '_id' | 'emailConfirmedAt'>

/** What a customer who has not paid for an order yet may reserve. */
export interface Allowance extends HoldLimits {
  isConfirmed: boolean
  /** Dollars that are reserved already. */
  held: number
}

/**
 * Null for a customer who has paid for an order before. Locks the buyer, because concurrent orders would all pass the check. Throws
 * 'rate-limited' above 100 unpaid orders.
 */
export async function readAllowance(shop: Shop, tx: Queries, buyer: Buyer): Promise<Allowance | null> {
  await tx.select({ _id: users._id }).from(users).where(eq(users._id, buyer._id)).for('update')
  const [row] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      held: sql<number>`coalesce(sum(${orders.price}), 0)::int`,
      hasPaid: sql<boolean>`${hasPaid(tx, sql`${buyer._id}`)}`,
    })
    .from(orders)
    .where(and(eq(orders.userId, buyer._id), awaitingPayment))
  const { count, held, hasPaid: hasPaidBefore } = row!
  if (count >= maxUnpaidOrders)
    throw new ShopError(
      'rate-limited',
      `You have ${count} unpaid orders. Please pay or cancel some of them first.`,
      { retryAfter: 60 },
    )
  if (hasPaidBefore) return null
  const isConfirmed = buyer.emailConfirmedAt !== null
  const { share, value } = shop.holdLimits
  return {
    isConfirmed,
    held,
    share: isConfirmed ? Math.min(100, 5 * share) : share,
    value: isConfirmed ? 10 * value : value,
  }
}

/** A first order of a minimum quantity always passes. Throws 'rate-limited'. */
export function checkHeldValue({ held, value, isConfirmed }: Allowance, price: number, isMinimum: boolean) {
  if (held + price <= value || (held === 0 && isMinimum)) return
  throw new ShopError(
    'rate-limited',
    `Until you have paid for an order, your unpaid orders can come to at most ${formatDollars(value)}. ${hint(isConfirmed)}`,
    { retryAfter: 60 },
  )
}

/**
 * Counts what customers without a paid order hold of the part from the same network. Runs after the stock was taken, because the
 * part is locked then; `left` is what remains. Throws 'conflict'.
 */
export async function checkHeldShare(
  tx: Queries,
  { share, isConfirmed }: Allowance,
  {
    userId,
    clientNetwork,
    part,
    quantity,
    left,
  }: {
    userId: string
    clientNetwork: string | null
    part: Pick<typeof parts.$inferSelect, '_id' | 'minQuantity'>
    quantity: number
    left: number
  },
) {
  const isSameClient = clientNetwork
    ? or(eq(orders.userId, userId), eq(orders.clientNetwork, clientNetwork))
    : eq(orders.userId, userId)
  const [row] = await tx
    .select({ held: sql<number>`coalesce(sum(${orders.quantity}), 0)::int` })
    .from(orders)
    .where(
      and(
        eq(orders.partId, part._id),
        awaitingPayment,
        isSameClient,
        not(hasPaid(tx, sql`${orders.userId}`)),
      ),
    )
  const held = row!.held
  const allowed = Math.max(Math.floor(((left + quantity + held) * share) / 100), part.minQuantity) - held
  if (quantity <= allowed) return
  const message =
    allowed >= part.minQuantity
      ? `Until you have paid for an order, you can reserve at most ${allowed} of this part. ${hint(isConfirmed)}`
      : `New customers on your network already hold much of this part. Please try again in an hour. ${hint(isConfirmed)}`
  throw new ShopError('conflict', message.trim(), { fields: { quantity: [message.trim()] } })
}

function hint(isConfirmed: boolean) {
  return isConfirmed ? '' : 'Confirm your email address on My Profile to reserve more.'
}

function hasPaid(tx: Queries, userId: ReturnType<typeof sql>) {
  const paid = alias(orders, 'paid')
  return exists(
    tx
      .select({ one: sql`1` })
      .from(paid)
      .where(and(eq(paid.userId, userId), isNotNull(paid.paidAt))),
  )
}

/** When the hold of an unconfirmed customer without a paid order ends; null when it lasts HOLD_HOURS. */
export function shortHoldEnd(
  { holdHours }: Pick<Shop, 'holdHours'>,
  allowance: Allowance | null,
  now = Date.now(),
): string | null {
  const isShort = holdHours > 0 && allowance !== null && !allowance.isConfirmed
  return isShort ? new Date(now + shortHoldHours * hourMs).toISOString() : null
}

export async function extendShortHold(tx: Queries, orderId: string, now = Date.now()) {
  const shortHoldUntil = new Date(now + shortHoldHours * hourMs).toISOString()
  await tx
    .update(orders)
    .set({ shortHoldUntil })
    .where(and(eq(orders._id, orderId), isNotNull(orders.shortHoldUntil)))
}

export async function endShortHolds(tx: Queries, userId: string) {
  await tx
    .update(orders)
    .set({ shortHoldUntil: null })
    .where(and(eq(orders.userId, userId), isNotNull(orders.shortHoldUntil), awaitingPayment))
}

export function hashNetwork({ secret }: Pick<Shop, 'secret'>, network: string): string {
  return createHmac('sha256', secret).update(`network ${network}`).digest('base64url').slice(0, 22)
}
