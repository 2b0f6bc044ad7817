import { and, asc, eq, getTableColumns, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { orders, parts } from '#db/schema.ts'
import { ShopError, traceOf } from '#shop/errors.ts'
import { findOpenPayment } from '#shop/payments/payments.server.ts'
import { closePayment, settlePayment } from '#shop/payments/settle.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { expiryReminderEmail } from './emails.ts'
import { addEvent } from './events.server.ts'
import { orderCan } from './order.ts'
import { findOrder, hourMs, notCancelled, type OrderRow, refunded, toOrder, unpaid } from './orders.server.ts'

/**
 * Takes an order that is not paid off every list and gives its stock back, once; an expired one has given it back
 * before. Throws 'conflict' when the order is paid, or turns out to be.
 */
export async function cancelOrder(shop: Shop, by: Member, id: string): Promise<{ deletedCount: number }> {
  const order = await findOrder(shop, id)
  if (!orderCan.beCancelled(toOrder(shop, order)))
    throw new ShopError('conflict', 'A paid order cannot be cancelled.')

  // Another tab opened a payment, paid or cancelled meanwhile, or its time was over: look again.
  return (await endOrder(shop, order, 'cancelled', by)) ? { deletedCount: 1 } : cancelOrder(shop, by, id)
}

/**
 * Expires every unpaid order whose time is over and gives its stock back, once, in however many processes it runs. An
 * order that turns out paid is settled; one whose payment is under way, or that fails, is left for the next time and
 * stops no other. Throws at the end when one or more have failed. Times are in milliseconds since 1970.
 */
export async function expireOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const overdue = and(unpaid, lt(orders.createdAt, new Date(now - shop.holdHours * hourMs).toISOString()))
  const failures: Error[] = []
  const collect = (error: Error) => {
    if (!(error instanceof ShopError && error.code === 'conflict')) failures.push(error)
  }
  // One that the provider is slow about keeps few others waiting.
  const limit = pLimit(10)
  for (let last = 0; ; ) {
    const batch = await shop.db
      .select({ ...getTableColumns(orders), refunded })
      .from(orders)
      .where(and(overdue, gt(orders.number, last)))
      .orderBy(asc(orders.number))
      .limit(100)
    const expire = (order: OrderRow) => endOrder(shop, order, 'expired', null).catch(collect)
    await Promise.all(batch.map((order) => limit(() => expire(order))))
    if (batch.length < 100) break
    last = batch.at(-1)!.number
  }
  if (failures[0])
    throw new Error(
      `Orders that could not be expired: ${failures.length}. The first: ${traceOf(failures[0])}`,
    )
}

/** Tells people once that their time to pay is nearly over: three quarters of it have gone. */
export async function remindOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const hold = shop.holdHours * hourMs
  const at = (moment: number) => new Date(moment).toISOString()
  const due = and(
    unpaid,
    isNull(orders.remindedAt),
    lt(orders.createdAt, at(now - hold * 0.75)),
    gt(orders.createdAt, at(now - hold)),
  )
  const batch = await shop.db.select({ _id: orders._id }).from(orders).where(due).limit(500)
  for (const { _id } of batch) {
    await shop.db.transaction(async (tx) => {
      const [order] = await tx
        .update(orders)
        .set({ remindedAt: at(now) })
        .where(and(eq(orders._id, _id), due))
        .returning()
      if (!order) return
      const heldUntil = at(Date.parse(order.createdAt) + hold)
      await shop.mail.send(expiryReminderEmail(shop, order, { heldUntil }), tx)
    })
  }
}

/**
 * Ends an order that is not paid. Its payment is cancelled at the card provider first, so it cannot succeed afterwards;
 * if it did succeed before, the order is paid and this throws 'conflict', as it does for a payment under way. False
 * when the order has changed since it was read.
 */
async function endOrder(
  shop: Shop,
  order: OrderRow,
  kind: 'cancelled' | 'expired',
  by: Member | null,
): Promise<boolean> {
  const current = await findOpenPayment(shop.db, order._id)
  if (current) await stopPayment(shop, current._id)
  const expired = order.expiredAt !== null
  return shop.db.transaction(async (tx) => {
    const asRead = and(
      eq(orders._id, order._id),
      isNull(orders.paidAt),
      notCancelled,
      expired ? isNotNull(orders.expiredAt) : isNull(orders.expiredAt),
    )
    const [same] = await tx.select({ _id: orders._id }).from(orders).where(asRead).for('update')
    if (!same || (await findOpenPayment(tx, order._id))) return false
    const now = new Date().toISOString()
    await tx
      .update(orders)
      .set(kind === 'expired' ? { expiredAt: now } : { cancelledAt: now })
      .where(eq(orders._id, order._id))
    await addEvent(tx, order._id, kind, by)
    if (!expired) {
      await tx
        .update(parts)
        .set({ availableQuantity: sql`${parts.availableQuantity} + ${order.quantity}` })
        .where(eq(parts._id, order.partId))
    }
    return true
  })
}

/** Makes sure that a payment cannot succeed any more, or settles it when it has. */
async function stopPayment(shop: Shop, id: string) {
  const payment = await shop.payments.cancel(id)
  if (payment) await settlePayment(shop, payment)
  else await closePayment(shop.db, id)
  if (payment && payment.status !== 'cancelled') {
    throw new ShopError('conflict', 'A payment for this order has arrived or is under way.')
  }
}
