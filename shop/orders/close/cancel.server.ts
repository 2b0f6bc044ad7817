import { and, eq, inArray, sql } from 'drizzle-orm'
import { orderLines, orders, type Queries } from '#db/schema.ts'
import type { AuditAction } from '#shop/audit/audit.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { rememberTaxes } from '#shop/charges/calculate-taxes.server.ts'
import { ShopError } from '#shop/errors.ts'
import { rechargeRest } from '#shop/orders/change/recharge.server.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { orderCancelledEmail } from '#shop/orders/emails/emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { addEvents } from '#shop/orders/events.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import {
  findPurchase,
  findVisibleOrder,
  isUnpaid,
  lockOrder,
  type OrderRow,
  orderNotFoundError,
  type PurchaseRow,
  toPurchase,
} from '#shop/orders/read/purchase-rows.server.ts'
import { canBeCancelled } from '#shop/orders/status.ts'
import { findOpenPayment } from '#shop/payments/payments.server.ts'
import { markPaymentUnknown, settlePayment } from '#shop/payments/settle.server.ts'
import type { Shop } from '#shop/ports.ts'
import { returnStock } from '#shop/stock/line-stock.server.ts'
import type { Member } from '#shop/users/user.ts'

/** Cancels one unpaid line of an order and restocks it, unless it has expired before. Throws 'conflict' when it is paid. */
export async function cancelPurchase(shop: Shop, by: Member, id: string): Promise<{ deletedCount: number }> {
  const line = await findPurchase(shop.db, id)
  requireCancellable(shop, by, line)
  const deletedCount = await closeOrder(shop, line.orderId, {
    kind: 'cancelled',
    action: 'cancelPurchase',
    by,
    select: ({ lines }) =>
      lines.filter((current) => current._id === id && isOpen(current, line.expiredAt !== null)),
  })
  // Retried when it was paid, cancelled or expired, or a payment was opened, in the meantime.
  return deletedCount > 0 ? { deletedCount } : cancelPurchase(shop, by, id)
}

/** Like `cancelPurchase`, with all lines that are left. `id` is that of the order or of a line, or its number. */
export async function cancelOrder(shop: Shop, by: Member, id: string): Promise<{ deletedCount: number }> {
  const order = await findVisibleOrder(shop, by, id)
  const left = order.lines.filter(({ cancelledAt }) => cancelledAt === null)
  if (left.length === 0) throw orderNotFoundError()
  requireCancellable(shop, by, left[0]!)
  const deletedCount = await closeOrder(shop, order._id, {
    kind: 'cancelled',
    action: 'cancelOrder',
    by,
    select: ({ lines }) => lines.filter((current) => isOpen(current, left[0]!.expiredAt !== null)),
  })
  return deletedCount > 0 ? { deletedCount } : cancelOrder(shop, by, id)
}

/** All lines of an order that are not cancelled have been paid, or not, together. */
function requireCancellable(shop: Shop, by: Member, line: PurchaseRow) {
  if (canBeCancelled(toPurchase(shop, line))) return
  throw new ShopError(
    'conflict',
    `This order is paid, so it can’t be cancelled. ${by.role === 'admin' ? 'Refund it instead.' : 'Open the order to cancel items that haven’t shipped.'}`,
  )
}

export async function expireOrder(shop: Shop, id: string): Promise<boolean> {
  const select = ({ lines }: OrderRow) => lines.filter((line) => isOpen(line, false))
  return (await closeOrder(shop, id, { kind: 'expired', action: null, by: null, select })) > 0
}

function isOpen({ paidAt, cancelledAt, expiredAt }: PurchaseRow, isExpired: boolean) {
  return paidAt === null && cancelledAt === null && (expiredAt !== null) === isExpired
}

interface Closing {
  kind: 'cancelled' | 'expired'
  /** In the audit log, when it is not the customer who cancels. */
  action: AuditAction | null
  by: Member | null
  /** The lines to close, of the locked order. */
  select: (order: OrderRow) => PurchaseRow[]
}

/**
 * Cancels the payment first, so that neither a closed line nor an amount that has changed can be paid afterwards. Returns how many lines
 * are closed: none when the order has changed meanwhile.
 */
async function closeOrder(shop: Shop, id: string, { kind, action, by, select }: Closing): Promise<number> {
  const openPayment = await findOpenPayment(shop.db, id)
  if (openPayment) await cancelPayment(shop, openPayment._id)
  return rememberTaxes(shop)((taxes) =>
    shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, id)
      const lines = order ? select(order) : []
      if (!order || lines.length === 0 || (await findOpenPayment(tx, id))) return 0
      const now = new Date().toISOString()
      const ids = lines.map(({ _id }) => _id)
      await tx
        .update(orderLines)
        .set(kind === 'expired' ? { expiredAt: now } : { cancelledAt: now })
        .where(and(eq(orderLines.orderId, id), inArray(orderLines._id, ids)))
      if (kind === 'cancelled') {
        await subtractLines(tx, id, lines)
        const kept = order.lines.filter((line) => line.cancelledAt === null && !ids.includes(line._id))
        await rechargeRest(shop, tx, order, { kept, taxes })
      }
      await addEvents(tx, id, { kind, by, lineIds: kind === 'cancelled' ? ids : null })
      if (action && by && by._id !== order.userId)
        await recordChange(tx, by, {
          ...orderSubject(withNumber(shop, { orderId: id, number: order.number })),
          action,
          before: { items: lines.map(describeLine) },
        })
      const held = lines.filter(({ expiredAt }) => expiredAt === null)
      // Before the email, whose count of unconfirmed addresses is locked last everywhere.
      await returnStock(tx, held)
      if (kind === 'cancelled' && held.length > 0 && by?._id !== order.userId)
        await emailCustomer(shop, tx, { ...order, lines }, (cancelled) =>
          orderCancelledEmail(shop, cancelled, {
            isPart: lines.length < order.lines.filter(isUnpaid).length,
          }),
        )
      return lines.length
    }),
  )
}

async function subtractLines(tx: Queries, id: string, lines: PurchaseRow[]) {
  const price = lines.reduce((sum, { price }) => sum + price, 0)
  await tx
    .update(orders)
    .set({ price: sql`${orders.price} - ${price}`, lineCount: sql`${orders.lineCount} - ${lines.length}` })
    .where(eq(orders._id, id))
}

/** Throws 'conflict' when it is in progress or complete. */
export async function cancelPayment(shop: Shop, id: string) {
  const payment = await shop.payments.cancel(id)
  if (payment) await settlePayment(shop, payment)
  else await markPaymentUnknown(shop, id)
  if (payment && payment.status !== 'cancelled') {
    throw new ShopError(
      'conflict',
      'A payment for this order is in progress or complete, so the order can’t be changed. Reload the page to see its status.',
    )
  }
}
