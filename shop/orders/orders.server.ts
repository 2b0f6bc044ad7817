import { and, eq, getTableColumns, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { orders, parts, type Queries, users } from '#db/schema.ts'
import { check, ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatDollars } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { orderPlacedEmail, orderShippedEmail } from './emails.ts'
import { addEvent } from './events.server.ts'
import { maxUnpaidOrders, type Order, order, orderRules, type Purchase, purchaseForm } from './order.ts'
import { stockExceededMessage } from './quantity.ts'

/** Refunds from the ledger. A paid order counts only its own payment, not refunds of surplus payments. */
export const refunded = sql<number>`(
  select coalesce(-sum(ledger.amount), 0) from ledger
  where ledger.order_id = orders.id and ledger.kind <> 'payment'
    and ledger.payment_id = coalesce(orders.transaction_id, ledger.payment_id)
)`.mapWith(Number)

const columns = { ...getTableColumns(orders), refunded }
export type OrderRow = typeof orders.$inferSelect & { refunded: number }
type SoldPart = typeof parts.$inferSelect

export const notCancelled = isNull(orders.cancelledAt)
export const unpaid = and(isNull(orders.paidAt), isNull(orders.expiredAt), notCancelled)!

/** Throws 'missing' (part), 'invalid' (quantity), 'conflict' (price or stock changed) or 'limited' (20 unpaid orders). */
export function placeOrder(shop: Shop, buyer: Member, purchase: Purchase, key?: string): Promise<Order> {
  return idempotent(shop.db, { userId: buyer._id, call: 'placeOrder', key, body: purchase }, async (tx) => {
    const part = await findPart(tx, purchase)
    const { quantity, ...delivery } = check(purchaseForm(part), purchase)
    const price = quantity * part.perUnitPrice
    if (purchase.price !== undefined && purchase.price !== price) throw priceChanged(price)
    if (shop.rateLimits) await checkUnpaidOrders(tx, buyer)

    await takeStock(tx, part, quantity)
    const { _id: userId, name, email } = buyer
    const { _id: partId, name: partName, perUnitPrice: unitPrice } = part
    const lineItem = { partId, parts: partName, unitPrice, quantity, price }
    const [placed] = await tx
      .insert(orders)
      .values({ userId, name, email, ...delivery, ...lineItem })
      .returning()
    const order = toOrder(shop, { ...placed!, refunded: 0 })
    await shop.mail.send(orderPlacedEmail(shop, order, order), tx)
    return order
  })
}

type PartKey = Pick<Purchase, 'partId' | 'parts'>

async function findPart(tx: Queries, { partId, parts: name }: PartKey): Promise<SoldPart> {
  if (!partId && !name) {
    throw new ShopError('invalid', 'Part Name is required', { fields: { parts: ['Part Name is required'] } })
  }
  const isRequested = partId ? eq(parts._id, partId) : eq(parts.name, name!)
  const [part] = await tx
    .select()
    .from(parts)
    .where(and(isRequested, isNull(parts.deletedAt)))
  if (!part) throw new ShopError('missing', 'That part is no longer sold.')
  return part
}

function priceChanged(price: number) {
  return new ShopError('conflict', `The price is now ${formatDollars(price)}.`)
}

async function checkUnpaidOrders(tx: Queries, buyer: Member) {
  // Locks the user: concurrent orders would all pass the check.
  await tx.select({ _id: users._id }).from(users).where(eq(users._id, buyer._id)).for('update')
  const count = await tx.$count(orders, and(eq(orders.userId, buyer._id), unpaid))
  if (count < maxUnpaidOrders) return
  const message = `You have ${count} unpaid orders. Please pay or cancel some of them first.`
  throw new ShopError('limited', message, { retryAfter: 60 })
}

/** A single conditional update, so that concurrent orders cannot oversell. */
async function takeStock(tx: Queries, part: SoldPart, quantity: number) {
  const [updated] = await tx
    .update(parts)
    .set({ availableQuantity: sql`${parts.availableQuantity} - ${quantity}` })
    .where(
      and(
        eq(parts._id, part._id),
        isNull(parts.deletedAt),
        gte(parts.availableQuantity, quantity),
        lte(parts.minQuantity, quantity),
        eq(parts.perUnitPrice, part.perUnitPrice),
      ),
    )
    .returning({ left: parts.availableQuantity })
  if (updated) return

  const current = await findPart(tx, { partId: part._id })
  if (current.perUnitPrice !== part.perUnitPrice) throw priceChanged(quantity * current.perUnitPrice)
  const message = stockExceededMessage(current)
  throw new ShopError('conflict', message, { fields: { quantity: [message] } })
}

/** Throws 'missing' for a cancelled order, except for admins. */
export async function readOrder(shop: Shop, reader: Member, id: string): Promise<Order> {
  return toOrder(shop, await findVisibleOrder(shop, reader, id))
}

/** Throws 'missing' for another user's order, so as not to reveal that it exists. */
export async function checkOwner(shop: Shop, member: Member, id: string, adminsPass: boolean) {
  if (adminsPass && member.role === 'admin') return
  const order = await findOrder(shop, id)
  if (order.userId !== member._id) throw noSuchOrder()
}

export function findVisibleOrder({ db }: { db: Queries }, reader: Member, id: string): Promise<OrderRow> {
  return findWhere(db, id, reader.role === 'admin' ? undefined : notCancelled)
}

/** Throws 'missing' for a cancelled order. */
export function findOrder({ db }: { db: Queries }, id: string): Promise<OrderRow> {
  return findWhere(db, id, notCancelled)
}

async function findWhere(db: Queries, id: string, condition: SQL | undefined): Promise<OrderRow> {
  const [row] = await db
    .select(columns)
    .from(orders)
    .where(and(eq(orders._id, id), condition))
  if (!row) throw noSuchOrder()
  return row
}

export async function lockOrder(tx: Queries, id: string): Promise<OrderRow> {
  await tx.select({ _id: orders._id }).from(orders).where(eq(orders._id, id)).for('update')
  return findOrder({ db: tx }, id)
}

function noSuchOrder() {
  return new ShopError('missing', 'There is no such order.')
}

export const orderExpired = () => new ShopError('conflict', 'This order has expired.')

/** Throws 'conflict' when the order is unpaid, expired or fully refunded. */
export function shipOrder(
  shop: Shop,
  admin: Member,
  id: string,
  shipping = true,
): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const order = toOrder(shop, await lockOrder(tx, id))
    if (order.shipping === shipping) return { modifiedCount: 0 }
    if (shipping) checkShippable(order)
    const shippedAt = shipping ? new Date().toISOString() : null
    await tx.update(orders).set({ shippedAt }).where(eq(orders._id, id))
    await addEvent(tx, id, shipping ? 'shipped' : 'not shipped', admin)
    if (shipping) await shop.mail.send(orderShippedEmail(shop, order), tx)
    return { modifiedCount: 1 }
  })
}

function checkShippable(order: Order) {
  if (order.expired) throw orderExpired()
  if (!order.paid) throw new ShopError('conflict', 'This order is not paid yet.')
  if (!orderRules.beShipped(order)) throw new ShopError('conflict', 'This order was refunded.')
}

export const hourMs = 60 * 60 * 1000

export function toOrder({ holdHours }: Pick<Shop, 'holdHours'>, row: OrderRow): Order {
  const [paid, expired, cancelled] = [row.paidAt, row.expiredAt, row.cancelledAt].map((at) => at !== null)
  const isHeld = holdHours > 0 && !paid && !expired && !cancelled
  const heldUntil = isHeld ? new Date(Date.parse(row.createdAt) + holdHours * hourMs).toISOString() : null
  return order.parse({ ...row, paid, expired, cancelled, heldUntil, shipping: row.shippedAt !== null })
}
