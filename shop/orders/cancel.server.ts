import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { orders, parts } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { findOpenPayment } from '#shop/payments/payments.server.ts'
import { markPaymentSettled, settlePayment } from '#shop/payments/settle.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { orderCancelledEmail } from './emails.ts'
import { addEvent } from './events.server.ts'
import { emailCustomer } from './notify.server.ts'
import { findOrder, notCancelled, type OrderRow, toPurchase } from './purchase-rows.server.ts'
import { canBeCancelled } from './status.ts'

/** Cancels an unpaid order and restocks it, unless it has expired before. Throws 'conflict' when it is paid. */
export async function cancelPurchase(shop: Shop, by: Member, id: string): Promise<{ deletedCount: number }> {
  const order = await findOrder(shop, id)
  if (!canBeCancelled(toPurchase(shop, order)))
    throw new ShopError(
      'conflict',
      'This order is paid, so it can’t be cancelled. Contact us to ask for a refund.',
    )

  // Retried when the order was paid, cancelled or expired, or a payment was opened, in the meantime.
  return (await closeOrder(shop, order, 'cancelled', by)) ? { deletedCount: 1 } : cancelPurchase(shop, by, id)
}

/** Cancels the payment first, so that it cannot succeed afterwards. Returns false when the order has changed meanwhile. */
export async function closeOrder(
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
    if (kind === 'cancelled' && !wasExpired && by?._id !== order.userId)
      await emailCustomer(shop, tx, order, (order) => orderCancelledEmail(shop, order))
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
  else await markPaymentSettled(shop.db, id)
  if (payment && payment.status !== 'cancelled') {
    throw new ShopError(
      'conflict',
      'A payment for this order is in progress or complete, so the order can’t be cancelled. Reload the page to see its status.',
    )
  }
}
