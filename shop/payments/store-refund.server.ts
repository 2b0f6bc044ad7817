import { type Queries, refundShares, refunds } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars, toCents, toDollars } from '#shop/money.ts'
import { changeLineCounts } from '#shop/orders/change/line-counts.server.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { findOrder, totalCents } from '#shop/orders/read/purchase-rows.server.ts'
import type { Member } from '#shop/users/user.ts'

interface ItemRefund {
  line: Purchase
  amount: number
  returned: number
  /** How many parts it is for, when it is known. */
  quantity?: number | undefined
}

/**
 * So that it is made even after a crash. Returns its id. Throws 'conflict', at `field` of the form, when less is left of the payment: a refund
 * made at the provider may be more than the price of a line.
 */
export async function storeRefund(
  tx: Queries,
  by: Member,
  {
    reason,
    shares,
    delivery = 0,
    line,
    field,
  }: {
    reason: string
    shares: ItemRefund[]
    /** Dollars. */
    delivery?: number
    /** One of those that the payment has paid; all have its provider. */
    line: Purchase
    field: string
  },
) {
  const { orderId, transactionId } = line
  const deliveryCents = toCents(delivery)
  const amounts = shares.map(({ line, amount, returned, quantity = null }) => ({
    lineId: line._id,
    amountCents: toCents(amount),
    restocked: returned,
    quantity,
  }))
  const amountCents = amounts.reduce((sum, { amountCents }) => sum + amountCents, deliveryCents)
  const rest = await unrefundedAmount(tx, line)
  if (toDollars(amountCents) > rest) throw pendingError(rest, field)
  const returned = amounts.filter(({ restocked }) => restocked > 0)
  if (returned.length > 0)
    await changeLineCounts(
      tx,
      returned.map(({ lineId, restocked }) => ({ lineId, returned: restocked })),
    )
  // With delivery, the amount of the one item is less than that of the refund, and is stored as a share.
  const isOfOne = amounts.length === 1 && deliveryCents === 0
  const [refund] = await tx
    .insert(refunds)
    .values({
      orderId,
      lineId: isOfOne ? amounts[0]!.lineId : null,
      paymentId: transactionId!,
      amountCents,
      deliveryCents,
      reason,
      restocked: amounts.reduce((sum, { restocked }) => sum + restocked, 0),
      requestedBy: by._id,
      quantity: isOfOne ? amounts[0]!.quantity : null,
    })
    .returning({ _id: refunds._id })
  const refundId = refund!._id
  if (!isOfOne && amounts.length > 0)
    await tx.insert(refundShares).values(amounts.map((share) => ({ refundId, ...share })))
  return refundId
}

/** Dollars that are left of the payment of an order. */
async function unrefundedAmount(tx: Queries, { orderId, transactionId }: Purchase) {
  const { refundedDeliveryCents, pendingDeliveryCents, ...order } = await findOrder(tx, orderId)
  const lines = order.lines.filter((line) => line.transactionId === transactionId)
  const ofDelivery = refundedDeliveryCents + pendingDeliveryCents
  return toDollars(
    lines.reduce(
      (cents, { refundedCents, pendingRefundCents }) => cents - refundedCents - pendingRefundCents,
      totalCents(lines) - ofDelivery,
    ),
  )
}

export function pendingError(refundable: number, field: string) {
  return limitError(field, `Another refund is pending. You can refund at most ${formatDollars(refundable)}.`)
}

export function limitError(field: string, message: string) {
  return new ShopError('conflict', message, { fields: { [field]: [message] } })
}
