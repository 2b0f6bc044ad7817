import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders, parts } from '#db/schema.ts'
import { ShopError, stackTraceOf } from '#shop/errors.ts'
import { findOpenPayment } from '#shop/payments/payments.server.ts'
import { closePayment, settlePayment } from '#shop/payments/settle.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { expiryReminderEmail } from './emails.ts'
import { addEvent } from './events.server.ts'
import { orderRules } from './order.ts'
import { findOrder, hourMs, notCancelled, type OrderRow, refunded, toOrder, unpaid } from './orders.server.ts'

/** Cancels an unpaid order and restocks it, unless it has expired before. Throws 'conflict' when it is paid. */
export async function cancelOrder(shop: Shop, by: Member, id: string): Promise<{ deletedCount: number }> {
  const order = await findOrder(shop, id)
  if (!orderRules.beCancelled(toOrder(shop, order)))
    throw new ShopError('conflict', 'A paid order cannot be cancelled.')

  // Retried when the order was paid, cancelled or expired, or a payment was opened, in the meantime.
  return (await closeOrder(shop, order, 'cancelled', by)) ? { deletedCount: 1 } : cancelOrder(shop, by, id)
}

/** Safe to run concurrently. Skips processing payments. Throws after the run when any failed. `now` is Unix time in ms. */
export async function expireOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const isOverdue = and(unpaid, lt(orders.createdAt, new Date(now - shop.holdHours * hourMs).toISOString()))
  const failures: Error[] = []
  const collectFailure = (error: Error) => {
    if (!(error instanceof ShopError && error.code === 'conflict')) failures.push(error)
  }
  const limit = pLimit(10)
  for (let last = 0; ; ) {
    const batch = await shop.db
      .select({ ...getTableColumns(orders), refunded })
      .from(orders)
      .where(and(isOverdue, gt(orders.number, last)))
      .orderBy(asc(orders.number))
      .limit(100)
    const expire = (order: OrderRow) => closeOrder(shop, order, 'expired', null).catch(collectFailure)
    await Promise.all(batch.map((order) => limit(() => expire(order))))
    if (batch.length < 100) break
    last = batch.at(-1)!.number
  }
  if (failures[0])
    throw new Error(
      `Orders that could not be expired: ${failures.length}. The first: ${stackTraceOf(failures[0])}`,
    )
}

/** Sends one reminder per order after three quarters of the hold time. */
export async function remindOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const holdMs = shop.holdHours * hourMs
  const toIso = (ms: number) => new Date(ms).toISOString()
  const isDue = and(
    unpaid,
    isNull(orders.remindedAt),
    lt(orders.createdAt, toIso(now - holdMs * 0.75)),
    gt(orders.createdAt, toIso(now - holdMs)),
  )
  const batch = await shop.db.select({ _id: orders._id }).from(orders).where(isDue).limit(500)
  for (const { _id } of batch) {
    await shop.db.transaction(async (tx) => {
      const [order] = await tx
        .update(orders)
        .set({ remindedAt: toIso(now) })
        .where(and(eq(orders._id, _id), isDue))
        .returning()
      if (!order) return
      const heldUntil = toIso(Date.parse(order.createdAt) + holdMs)
      await shop.mail.send(expiryReminderEmail(shop, order, { heldUntil }), tx)
    })
  }
}

/** Cancels the payment first, so that it cannot succeed afterwards. Returns false when the order has changed meanwhile. */
async function closeOrder(
  shop: Shop,
  order: OrderRow,
  kind: 'cancelled' | 'expired',
  by: Member | null,
): Promise<boolean> {
  const openPayment = await findOpenPayment(shop.db, order._id)
  if (openPayment) await cancelPayment(shop, openPayment._id)
  const wasExpired = order.expiredAt !== null
  return shop.db.transaction(async (tx) => {
    const unchanged = and(
      eq(orders._id, order._id),
      isNull(orders.paidAt),
      notCancelled,
      wasExpired ? isNotNull(orders.expiredAt) : isNull(orders.expiredAt),
    )
    const [locked] = await tx.select({ _id: orders._id }).from(orders).where(unchanged).for('update')
    if (!locked || (await findOpenPayment(tx, order._id))) return false
    const now = new Date().toISOString()
    await tx
      .update(orders)
      .set(kind === 'expired' ? { expiredAt: now } : { cancelledAt: now })
      .where(eq(orders._id, order._id))
    await addEvent(tx, order._id, kind, by)
    if (!wasExpired) {
      await tx
        .update(parts)
        .set({ availableQuantity: sql`${parts.availableQuantity} + ${order.quantity}` })
        .where(eq(parts._id, order.partId))
    }
    return true
  })
}

async function cancelPayment(shop: Shop, id: string) {
  const payment = await shop.payments.cancel(id)
  if (payment) await settlePayment(shop, payment)
  else await closePayment(shop.db, id)
  if (payment && payment.status !== 'cancelled') {
    throw new ShopError('conflict', 'A payment for this order has arrived or is under way.')
  }
}
