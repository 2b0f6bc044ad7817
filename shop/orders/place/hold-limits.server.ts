import { createHmac } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { purchases } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars } from '#shop/money.ts'
import { payNowMinutes } from '#shop/orders/close/short-holds.server.ts'
import { checkOrderLimit, type OrderLimit } from '#shop/orders/order-limit.ts'
import { awaitingPayment } from '#shop/orders/read/purchase-rows.server.ts'
import { lowestQuantity, maxUnpaidOrders } from '#shop/parts/quantity.ts'
import { earnedCents, isRealMoney, paidLedger } from '#shop/payments/earned.server.ts'
import type { HoldLimits, Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { readMember } from '#shop/users/users.server.ts'
import { LinesError, quantityInvalidError } from './line-errors.ts'
import type { SoldLine } from './lines.server.ts'

/** Percent of a part's stock that all customers may hold together beyond what they are trusted with. */
const newcomersShare = 75

/** Percent that first orders of a minimum quantity add to what a network may hold, at most. */
const firstOrdersShare = 10

/** Unpaid orders of up to so many times what a customer has paid are trusted. */
const trustFactor = 10

export interface Allowance extends HoldLimits {
  isConfirmed: boolean
  hasPaid: boolean
  /** Unpaid orders, and dollars of them. */
  count: number
  held: number
  /** Dollars. */
  trusted: number
  /** Dollars of an order that is paid at once: what a confirmed address may leave unpaid. */
  valueToPayNow: number
}

/** Refunded payments do not count as paid. Throws 'rate-limited' above 100 unpaid orders. */
export async function readAllowance(
  shop: Shop,
  db: Pick<Shop['db'], 'select'>,
  buyer: Pick<Member, '_id' | 'emailConfirmedAt'>,
): Promise<Allowance> {
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
  if (count >= maxUnpaidOrders) {
    const message = `You have ${count} unpaid orders. Pay or cancel some of them first.`
    throw new ShopError('rate-limited', message, { retryAfter: 60 })
  }
  const isConfirmed = buyer.emailConfirmedAt !== null
  const { share, value } = shop.holdLimits
  const trusted = trustFactor * paid
  return {
    isConfirmed,
    hasPaid: paid > 0,
    count,
    held,
    trusted,
    share: isConfirmed ? Math.min(100, 5 * share) : share,
    value: Math.max(isConfirmed ? 10 * value : value, trusted),
    // Where unpaid orders never expire, there is no short hold.
    valueToPayNow: isConfirmed || shop.holdHours === 0 ? 0 : 10 * value,
  }
}

/** For screens, before an order is placed. */
export async function readOrderLimit(shop: Shop, caller: Member): Promise<OrderLimit> {
  const buyer = caller.isRecalled ? await readMember(shop, caller) : caller
  const { value, held, valueToPayNow, isConfirmed, hasPaid } = await readAllowance(shop, shop.db, buyer)
  return {
    value: shop.rateLimits ? Math.floor(value) : null,
    held,
    valueToPayNow,
    payNowMinutes,
    isConfirmed,
    hasPaid,
  }
}

/**
 * A first order of a minimum quantity always passes, and one that is paid at once up to `valueToPayNow`. Returns whether the hold depends
 * on that. Throws 'rate-limited'.
 */
export function checkHeldValue(
  allowance: Pick<Allowance, 'held' | 'value' | 'valueToPayNow' | 'isConfirmed' | 'hasPaid'>,
  price: number,
  { isLowest, payNow }: { isLowest: boolean; payNow: boolean },
): boolean {
  const { value, isConfirmed, hasPaid } = allowance
  const check = checkOrderLimit(allowance, price, isLowest)
  if (check === 'within') return false
  if (check === 'pay now' && payNow) return true
  const limit = `unpaid orders can total at most ${formatDollars(value)}.`
  const message = hasPaid ? `Your ${limit}` : `Until you pay for your first order, your ${limit}`
  throw new ShopError('rate-limited', withHint(message, isConfirmed), { retryAfter: 60 })
}

/** Whether the shares of a customer's unpaid orders do not matter. */
export function isTrusted({ held, trusted }: Allowance, price: number) {
  return held + price <= trusted
}

/**
 * What the customers of a network may hold of each part beyond what they are trusted with. First orders of a minimum quantity may go beyond
 * it, so that one customer does not block the others.
 */
export function toShare({ payments: { provider } }: Shop, { share: percent }: Allowance) {
  const percentOfFirst = Math.min(100, 2 * percent, percent + firstOrdersShare)
  return { percent, percentOfFirst, percentOfAll: newcomersShare, trustFactor, provider }
}

/** `allowed`: quantities by part. */
export function shareExceededError(
  { hasPaid, isConfirmed }: Allowance,
  lines: SoldLine[],
  allowed: Record<string, number>,
) {
  const until = hasPaid ? 'you’ve paid for more orders' : 'you’ve paid for your first order'
  const failures = lines.flatMap(({ partId, part }, index) => {
    const quantity = allowed[partId]
    if (quantity === undefined) return []
    const message =
      quantity >= lowestQuantity(part)
        ? `You can reserve at most ${quantity} of this part until ${until}.`
        : 'Most of our stock of this part is reserved for unpaid orders. Try again in an hour.'
    return [
      { index, name: part.name, error: quantityInvalidError('conflict', withHint(message, isConfirmed)) },
    ]
  })
  return new LinesError(failures)
}

function withHint(message: string, isConfirmed: boolean) {
  return isConfirmed ? message : `${message} Confirm your email address in My Profile to reserve more.`
}

export function hashNetwork({ secret }: Pick<Shop, 'secret'>, network: string): string {
  return createHmac('sha256', secret).update(`network ${network}`).digest('base64url').slice(0, 22)
}
