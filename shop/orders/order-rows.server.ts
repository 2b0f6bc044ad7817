import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { orders, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { type Order, order } from './order.ts'

/** Refunds from the ledger. A paid order counts only its own payment, not refunds of surplus payments. */
export const refunded = sql<number>`(
  select coalesce(-sum(ledger.amount), 0) from ledger
  where ledger.order_id = orders.id and ledger.kind <> 'payment'
    and ledger.payment_id = coalesce(orders.transaction_id, ledger.payment_id)
)`.mapWith(Number)

const columns = { ...getTableColumns(orders), refunded }
export type OrderRow = typeof orders.$inferSelect & { refunded: number }
export const notCancelled = isNull(orders.cancelledAt)
/** Neither paid nor expired nor cancelled; like `orderStatus`. */
export const awaitingPayment = and(isNull(orders.paidAt), isNull(orders.expiredAt), notCancelled)!

export function findVisibleOrder({ db }: { db: Queries }, reader: Member, id: string): Promise<OrderRow> {
  return findWhere(db, id, reader.role === 'admin' ? undefined : notCancelled)
}

/** Throws 'not-found' for a cancelled order. */
export function findOrder({ db }: { db: Queries }, id: string): Promise<OrderRow> {
  return findWhere(db, id, notCancelled)
}

async function findWhere(db: Queries, id: string, condition: SQL | undefined): Promise<OrderRow> {
  const [row] = await db
    .select(columns)
    .from(orders)
    .where(and(eq(orders._id, id), condition))
  if (!row) throw orderNotFoundError()
  return row
}

export async function lockOrder(tx: Queries, id: string): Promise<OrderRow> {
  await tx.select({ _id: orders._id }).from(orders).where(eq(orders._id, id)).for('update')
  return findOrder({ db: tx }, id)
}

export function orderNotFoundError() {
  return new ShopError('not-found', 'There is no such order.')
}

export const orderExpiredError = () => new ShopError('conflict', 'This order has expired.')

export const hourMs = 60 * 60 * 1000

export function toOrder({ holdHours }: Pick<Shop, 'holdHours'>, row: OrderRow): Order {
  const [paid, expired, cancelled] = [row.paidAt, row.expiredAt, row.cancelledAt].map((at) => at !== null)
  const isHeld = holdHours > 0 && !paid && !expired && !cancelled
  const fullHold = new Date(Date.parse(row.createdAt) + holdHours * hourMs).toISOString()
  const isShort = row.shortHoldUntil !== null && row.shortHoldUntil < fullHold
  const heldUntil = isHeld ? (isShort ? row.shortHoldUntil : fullHold) : null
  return order.parse({ ...row, paid, expired, cancelled, heldUntil, shipping: row.shippedAt !== null })
}
