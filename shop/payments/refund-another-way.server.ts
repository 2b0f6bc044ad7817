import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { ledger, type Queries, refundLines, refundShares, refunds } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { refundedAnotherWayEmail } from '#shop/orders/emails/emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { chargedCents, type OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { failureReference } from './failed-refund.ts'
import { concernedLines, externalRefundReason, findRefundItems, restock } from './refund-items.server.ts'

/** A refund that an admin has made: the customer is told, and the parts that were to return to stock do. */
export async function completeAnotherWay(shop: Shop, tx: Queries, order: OrderRow, id: string) {
  const [made] = await tx
    .update(refunds)
    .set({ endedAt: new Date().toISOString(), madeAnotherWay: true })
    .where(and(eq(refunds._id, id), isNull(refunds.endedAt)))
    .returning()
  if (!made) return
  const items = await findRefundItems(tx, id)
  await restock(tx, order, items)
  const refunded = { ...order, lines: concernedLines(order, items) }
  const isSurplus = !order.lines.some(({ transactionId }) => transactionId === made.paymentId)
  await emailCustomer(shop, tx, refunded, (order) =>
    refundedAnotherWayEmail(shop, order, { ...made, isSurplus }),
  )
}

interface FailedRefund {
  paymentId: string
  amountCents: number
  deliveryCents: number
  reason: string | null
  lines: { lineId: string; amountCents: number }[]
}

/**
 * A refund that failed, by the reference of its task, and that an admin has made another way: it counts again. Its parts stay where they
 * are. Throws 'conflict' when less is left, since it was refunded again.
 */
export async function repeatAnotherWay(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  { reference, by }: { reference: string; by: Member },
) {
  const failed = await findFailedRefund(tx, order._id, reference)
  if (!failed || failed.amountCents > (await readRest(tx, failed)) || exceedsRest(order, failed))
    throw new ShopError(
      'conflict',
      'Less than this is left to refund. If you refunded it again here, mark the task as resolved.',
    )
  const { lines, reason, ...amounts } = failed
  const values = {
    ...amounts,
    orderId: order._id,
    reason: reason ?? externalRefundReason,
    requestedBy: by._id,
  }
  const [{ _id: refundId } = { _id: '' }] = await tx
    .insert(refunds)
    .values(values)
    .returning({ _id: refunds._id })
  const shares = lines.map(({ lineId, amountCents }) => ({ refundId, lineId, amountCents, restocked: 0 }))
  if (shares.length > 0) await tx.insert(refundShares).values(shares)
  await completeAnotherWay(shop, tx, order, refundId)
}

/** As the bank returned it, or else as it was asked for before the provider refused it. */
async function findFailedRefund(
  tx: Queries,
  orderId: string,
  reference: string,
): Promise<FailedRefund | undefined> {
  const { number, paymentId, amountCents, deliveryCents } = ledger
  const [returned] = await tx
    .select({ number, paymentId, amountCents, deliveryCents, reason: refunds.reason })
    .from(ledger)
    .leftJoin(refunds, eq(refunds._id, ledger.refundId))
    .where(and(eq(ledger.orderId, orderId), eq(ledger.reference, failureReference(reference))))
  if (returned) {
    const { number, ...refund } = returned
    return {
      ...refund,
      lines: await tx.select().from(refundLines).where(eq(refundLines.ledgerNumber, number)),
    }
  }
  const [refused] = await tx.select().from(refunds).where(eq(refunds._id, reference))
  return refused && { ...refused, lines: await findRefundItems(tx, reference) }
}

/** Cents of the payment that were not given back, whether an order took it or not. */
async function readRest(tx: Queries, { paymentId }: FailedRefund): Promise<number> {
  const [row] = await tx
    .select({ inLedger: sql<number>`coalesce(sum(${ledger.amountCents}), 0)::int` })
    .from(ledger)
    .where(eq(ledger.paymentId, paymentId))
  const [other] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), or(isNull(refunds.endedAt), refunds.madeAnotherWay)))
  return row!.inLedger - other!.cents
}

/** Whether a line or the delivery has less left than it had of the refund. */
function exceedsRest(order: OrderRow, { paymentId, deliveryCents, lines }: FailedRefund) {
  const left = new Map(
    order.lines.map((line) => [line._id, chargedCents(line) - line.refundedCents - line.pendingRefundCents]),
  )
  // A payment that the order could not accept has paid no line.
  const isPaid = order.lines.some(({ transactionId }) => transactionId === paymentId)
  const deliveryLeft = order.deliveryCents - order.refundedDeliveryCents - order.pendingDeliveryCents
  return (
    isPaid &&
    (deliveryCents > deliveryLeft ||
      lines.some(({ lineId, amountCents }) => amountCents > (left.get(lineId) ?? 0)))
  )
}
