import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm'
import { orders, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { toDollars } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { type Purchase, purchase } from './purchase.ts'

/** Cents. A paid order counts only its own payment, not surplus payments. */
export const moneyColumns = {
  refundedCents: ledgerSum(sql`('refund', 'failed refund')`),
  disputedCents: ledgerSum(sql`('dispute', 'dispute reversal')`),
  /** Owed: asked for, and not made by the provider yet. */
  pendingRefundCents: sql<number>`(
    select coalesce(sum(refunds.amount_cents), 0) from refunds
    where refunds.order_id = orders.id and refunds.completed_at is null
      and refunds.payment_id = coalesce(orders.transaction_id, refunds.payment_id)
  )`.mapWith(Number),
  dispute: sql<'open' | 'won' | 'lost' | null>`(
    select disputes.status from disputes where disputes.order_id = orders.id
    order by array_position(array['open', 'lost', 'won'], disputes.status) limit 1
  )`,
}

function ledgerSum(kinds: SQL) {
  return sql<number>`(
    select coalesce(-sum(ledger.amount_cents), 0) from ledger
    where ledger.order_id = orders.id and ledger.kind in ${kinds}
      and ledger.payment_id = coalesce(orders.transaction_id, ledger.payment_id)
  )`.mapWith(Number)
}

export const noMoney = { refundedCents: 0, disputedCents: 0, pendingRefundCents: 0, dispute: null }

const columns = { ...getTableColumns(orders), ...moneyColumns }
type MoneyFields = Record<'refundedCents' | 'disputedCents' | 'pendingRefundCents', number>
export type OrderRow = typeof orders.$inferSelect & MoneyFields & { dispute: Purchase['dispute'] }
export const notCancelled = isNull(orders.cancelledAt)
/** Neither paid nor expired nor cancelled; like `orderStatus`. */
export const awaitingPayment = and(isNull(orders.paidAt), isNull(orders.expiredAt), notCancelled)!

/** Also by number. */
export function findVisibleOrder({ db }: { db: Queries }, reader: Member, id: string): Promise<OrderRow> {
  return findWhere(db, hasIdOrNumber(id), reader.role === 'admin' ? undefined : notCancelled)
}

function hasIdOrNumber(id: string) {
  return /^\d{1,15}$/.test(id) ? eq(orders.number, Number(id)) : eq(orders._id, id)
}

/** Throws 'not-found' for a cancelled order. */
export function findOrder({ db }: { db: Queries }, id: string): Promise<OrderRow> {
  return findWhere(db, eq(orders._id, id), notCancelled)
}

async function findWhere(db: Queries, isWanted: SQL, condition: SQL | undefined): Promise<OrderRow> {
  const [row] = await db.select(columns).from(orders).where(and(isWanted, condition))
  if (!row) throw orderNotFoundError()
  return row
}

export async function lockOrder(tx: Queries, id: string): Promise<OrderRow> {
  await tx.select({ _id: orders._id }).from(orders).where(eq(orders._id, id)).for('update')
  return findOrder({ db: tx }, id)
}

export function orderNotFoundError() {
  return new ShopError('not-found', 'This order doesn’t exist.')
}

export const testPaymentError = () =>
  new ShopError('conflict', 'This order was paid in test mode, so it can’t be shipped or refunded.')

export const orderExpiredError = () => new ShopError('conflict', 'This order has expired.')

export const hourMs = 60 * 60 * 1000

type OrderSettings = Pick<Shop, 'holdHours'> & { payments: Pick<Shop['payments'], 'provider'> }

export function toPurchase({ holdHours, payments }: OrderSettings, row: OrderRow): Purchase {
  const [paid, expired, cancelled] = [row.paidAt, row.expiredAt, row.cancelledAt].map((at) => at !== null)
  const isHeld = holdHours > 0 && !paid && !expired && !cancelled
  const fullHold = new Date(Date.parse(row.createdAt) + holdHours * hourMs).toISOString()
  const isShort = row.shortHoldUntil !== null && row.shortHoldUntil < fullHold
  const heldUntil = isHeld ? (isShort ? row.shortHoldUntil : fullHold) : null
  return purchase.parse({
    ...row,
    ...{ paid, expired, cancelled, heldUntil },
    shipping: row.shippedAt !== null,
    refunded: toDollars(row.refundedCents),
    refundPending: toDollars(row.pendingRefundCents),
    disputed: toDollars(row.disputedCents),
    testPayment: isTestPayment(payments, row),
  })
}

function isTestPayment({ provider }: OrderSettings['payments'], { paymentProvider }: OrderRow) {
  return provider === 'stripe live' && paymentProvider !== null && paymentProvider !== provider
}
