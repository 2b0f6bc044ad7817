import { and, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { orders, purchases } from '#db/schema.ts'
import type { PurchaseQuery } from '#shop/orders/purchase.ts'
import type { Shop } from '#shop/ports.ts'
import { awaitingPayment, hourMs } from './purchase-rows.server.ts'

const { refundedCents, pendingRefundCents } = purchases

export const statusConditions = {
  unpaid: awaitingPayment,
  expired: isNotNull(purchases.expiredAt),
  pending: and(
    isNotNull(purchases.paidAt),
    isNull(purchases.shippedAt),
    // As in the condition of the index.
    sql`${refundedCents} + ${pendingRefundCents} < ${purchases.price} * 100 + ${purchases.addedCents}`,
    sql`${purchases.shippedQuantity} + ${purchases.returnedQuantity} < ${purchases.quantity}`,
  )!,
  shipped: isNotNull(purchases.shippedAt),
  refunded: and(isNotNull(purchases.paidAt), sql`${refundedCents} + ${pendingRefundCents} > 0`)!,
  // An order whose dispute is won is listed like one without a dispute.
  disputed: sql`${purchases.dispute} in ('open', 'lost')`,
} as const satisfies Record<NonNullable<PurchaseQuery['status']>, SQL>

/** With `pending` like `canBeShipped`: no disputed orders and, in a live shop, no test payments. */
export function adminConditions({ payments }: Pick<Shop, 'payments'>) {
  const { dispute, paymentProvider } = purchases
  const notTest = sql`(${paymentProvider} is null or ${paymentProvider} = 'stripe live')`
  const pending = and(
    statusConditions.pending,
    // As in the condition of the index.
    sql`(${dispute} is null or ${dispute} = 'won')`,
    payments.provider === 'stripe live' ? notTest : undefined,
  )!
  return { ...statusConditions, pending }
}

/** Like `expireOrders` a day later. `now` is Unix time in ms. */
export function waitingConditions({ holdHours }: Pick<Shop, 'holdHours'>, now = Date.now()) {
  const endsBy = now + 24 * hourMs
  const isDue = or(
    holdHours > 0 ? lt(orders.createdAt, new Date(endsBy - holdHours * hourMs).toISOString()) : undefined,
    lt(orders.shortHoldUntil, new Date(endsBy).toISOString()),
  )
  return {
    expiring: and(
      awaitingPayment,
      // Not `exists`: Postgres would read all orders.
      sql`(select coalesce(${isDue}, false) from ${orders} where ${orders._id} = ${purchases.orderId})`,
    )!,
    'refund pending': and(
      // A partial index of refunds has them.
      sql`${purchases.orderId} in (select order_id from refunds where completed_at is null)`,
      // Delivery, and a payment that the order could not accept, are of no item: they are listed with the first that is left.
      sql`(${pendingRefundCents} > 0 or ${purchases.orderId} in (
        select order_id from refunds where completed_at is null and line_id is null and (requested_by is null or delivery_cents > 0)
      ) and ${purchases.position} = (
        select coalesce(min(position) filter (where cancelled_at is null), min(position)) from order_lines
        where order_id = ${purchases.orderId}
      ))`,
    )!,
  }
}
