import { eq } from 'drizzle-orm'
import { type Queries, refunds } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { ShopError, validate } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatDollars, toCents, toDollars } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { type Purchase, type RefundRequest, refundableAmount, refundForm } from '#shop/orders/purchase.ts'
import { changeLineCounts } from '#shop/orders/read/line-counts.server.ts'
import { readPurchase } from '#shop/orders/read/orders.server.ts'
import {
  findOrder,
  lockPurchase,
  type PurchaseRow,
  testPaymentError,
  toPurchase,
} from '#shop/orders/read/purchase-rows.server.ts'
import { canBeRefunded } from '#shop/orders/status.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { executeRefund } from './settle.server.ts'

/**
 * The refund stays pending while the provider is unavailable. Throws 'conflict' when the order is unpaid, the amount exceeds what is
 * left to refund, or the provider refuses permanently.
 */
export async function refundPurchase(
  shop: Shop,
  admin: Member,
  id: string,
  request: RefundRequest,
  key?: string,
): Promise<Purchase> {
  const refundId = await idempotent(
    shop.db,
    { userId: admin._id, call: 'refundPurchase', key, body: { id, ...request } },
    (tx) => requestRefund(shop, tx, admin, id, request),
  )
  const [refund] = await shop.db.select().from(refunds).where(eq(refunds._id, refundId))
  if (refund && !refund.completedAt)
    await executeRefund(shop, refund, { isAwaited: true }).catch(ignoreUnavailable)
  const [updated] = await shop.db.select().from(refunds).where(eq(refunds._id, refundId))
  if (updated?.failure) throw new ShopError('conflict', updated.failure)
  return readPurchase(shop, admin, id)
}

/** Stores the refund, so that it is executed even after a crash, and returns its id. */
async function requestRefund(shop: Shop, tx: Queries, admin: Member, id: string, request: RefundRequest) {
  const row = await lockPurchase(tx, id)
  const order = toPurchase(shop, row)
  if (!order.paid) throw new ShopError('conflict', 'This order isn’t paid.')
  if (order.testPayment) throw testPaymentError()
  if (order.disputed > 0)
    throw new ShopError(
      'conflict',
      'This payment is disputed, and the customer’s bank has taken the money back. You can refund it only if you win the dispute.',
    )
  if (!canBeRefunded(order)) throw new ShopError('conflict', 'This item is already fully refunded.')
  const { shipping = order.shipping, shippedQuantity = order.shippedQuantity } = request
  if ((!shipping && order.shipping) || shippedQuantity < order.shippedQuantity)
    throw new ShopError(
      'conflict',
      'This item has just been shipped. To refund it anyway, submit the refund again.',
    )
  const form = refundForm({ ...order, refundPending: 0, returnedQuantity: 0 })
  const { amount, reason, returned } = validate(form, request)

  const refundable = Math.min(refundableAmount(order), await unrefundedAmount(tx, row))
  if (amount > refundable)
    throw limitError(
      'amount',
      `Another refund is pending. You can refund at most ${formatDollars(refundable)}.`,
    )
  const returnable = order.quantity - row.returnedQuantity
  if (returned > returnable)
    throw limitError('returned', `You can return at most ${returnable} more to stock.`)
  if (returned > 0) await changeLineCounts(tx, [{ lineId: id, returned }])
  const [refund] = await tx
    .insert(refunds)
    .values({
      orderId: row.orderId,
      lineId: id,
      paymentId: order.transactionId!,
      amountCents: toCents(amount),
      reason,
      restocked: returned,
      requestedBy: admin._id,
    })
    .returning({ _id: refunds._id })
  const after = { item: describeLine(order), refunded: amount, reason, returnedToStock: returned }
  await recordChange(tx, admin, { ...orderSubject(order), action: 'refundPurchase', after })
  return refund!._id
}

/** Dollars that are left of the payment of an order: a refund made at the provider may be more than the price of a line. */
async function unrefundedAmount(tx: Queries, { orderId, transactionId }: PurchaseRow) {
  const lines = (await findOrder(tx, orderId)).lines.filter((line) => line.transactionId === transactionId)
  return toDollars(
    lines.reduce(
      (cents, { price, refundedCents, pendingRefundCents }) =>
        cents + price * 100 - refundedCents - pendingRefundCents,
      0,
    ),
  )
}

function limitError(field: keyof RefundRequest, message: string) {
  return new ShopError('conflict', message, { fields: { [field]: [message] } })
}

function ignoreUnavailable(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'unavailable')) throw error
}
