import { and, asc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { orders, parts } from '#db/schema.ts'
import { ShopError, traceOf } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { orderCan } from './order.ts'
import { findOrder, standing, toOrder, unpaid } from './orders.server.ts'
import { settle } from './payments.server.ts'

type Row = typeof orders.$inferSelect

const hour = 60 * 60 * 1000

/**
 * Takes an order that is not paid off every list and gives its stock back, once; an expired one has given it back
 * before. Throws 'conflict' when the order is paid, or turns out to be.
 */
export async function cancelOrder(shop: Shop, id: string): Promise<{ deletedCount: number }> {
  const order = await findOrder(shop, id)
  if (!orderCan.beCancelled(toOrder(shop, order)))
    throw new ShopError('conflict', 'A paid order cannot be cancelled.')

  // Another tab opened a payment, paid or cancelled meanwhile, or its time was over: look again.
  return (await end(shop, order, 'cancelledAt')) ? { deletedCount: 1 } : cancelOrder(shop, id)
}

/**
 * Expires every unpaid order whose time is over and gives its stock back, once, in however many processes it runs. An
 * order that turns out paid is settled; one whose payment is under way, or that fails, is left for the next time and
 * stops no other. Throws at the end when one or more have failed. Times are in milliseconds since 1970.
 */
export async function expireOrders(shop: Shop, now = Date.now()): Promise<void> {
  if (shop.holdHours === 0) return
  const overdue = and(unpaid, lt(orders.createdAt, new Date(now - shop.holdHours * hour).toISOString()))
  const failures: Error[] = []
  for (let last = 0; ; ) {
    const batch = await shop.db
      .select()
      .from(orders)
      .where(and(overdue, gt(orders.number, last)))
      .orderBy(asc(orders.number))
      .limit(100)
    for (const order of batch) {
      await end(shop, order, 'expiredAt').catch((error) => {
        if (!(error instanceof ShopError && error.code === 'conflict')) failures.push(error)
      })
      last = order.number
    }
    if (batch.length < 100) break
  }
  if (failures[0])
    throw new Error(
      `Orders that could not be expired: ${failures.length}. The first: ${traceOf(failures[0])}`,
    )
}

/**
 * Ends an order that is not paid. Its payment is cancelled at the card provider first, so it cannot succeed afterwards;
 * if it did succeed before, the order is paid and this throws 'conflict', as it does for a payment under way. False
 * when the order has changed since it was read.
 */
async function end(shop: Shop, order: Row, how: 'cancelledAt' | 'expiredAt'): Promise<boolean> {
  const expired = order.expiredAt !== null
  if (order.paymentId && !expired) {
    const payment = await shop.payments.cancel(order.paymentId)
    if (payment.status === 'paid') await settle(shop, payment)
    if (payment.status !== 'cancelled') {
      throw new ShopError('conflict', 'A payment for this order has arrived or is under way.')
    }
  }
  const asRead = and(
    isNull(orders.paidAt),
    standing,
    expired ? isNotNull(orders.expiredAt) : isNull(orders.expiredAt),
    sql`${orders.paymentId} is not distinct from ${order.paymentId}`,
  )
  return shop.db.transaction(async (tx) => {
    const [ended] = await tx
      .update(orders)
      .set({ [how]: new Date().toISOString() })
      .where(and(eq(orders._id, order._id), asRead))
      .returning({ _id: orders._id })
    if (ended && !expired) {
      await tx
        .update(parts)
        .set({ availableQuantity: sql`${parts.availableQuantity} + ${order.quantity}` })
        .where(eq(parts._id, order.partId))
    }
    return Boolean(ended)
  })
}
