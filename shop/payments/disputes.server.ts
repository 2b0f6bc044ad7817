import { eq } from 'drizzle-orm'
import { disputes, type Queries } from '#db/schema.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import { disputeStaffEmail, inquiryStaffEmail } from '#shop/orders/emails/staff-emails.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import type { OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import type { Dispute, Payment, Shop } from '#shop/ports.ts'
import { addLedgerEntry } from './record-refund.server.ts'
import { concernedLines } from './refund-items.server.ts'
import { reopenPaymentTask, resolvePaymentTask } from './tasks.server.ts'

/** Returns whether anything is new. */
export async function recordDispute(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  payment: Payment,
  dispute: Dispute,
): Promise<boolean> {
  const { id: _id, amountCents, status, withdrawnCents, returnedCents, reason, respondBy } = dispute
  const { isInquiry: inquiry } = dispute
  const [before] = await tx.select().from(disputes).where(eq(disputes._id, _id))
  const changes = { amountCents, status, reason, respondBy, inquiry }
  const row = { orderId: order._id, paymentId: payment.id }
  await tx
    .insert(disputes)
    .values({ _id, ...row, ...changes, closedAt: closedAt(status) })
    .onConflictDoUpdate({
      target: disputes._id,
      set: { ...changes, ...(before?.status !== status && { closedAt: closedAt(status) }) },
    })
  const isWithdrawn =
    withdrawnCents > 0 &&
    (await addLedgerEntry(tx, { ...row, reference: _id, kind: 'dispute', amountCents: -withdrawnCents })) !==
      null
  const isReturned =
    returnedCents > 0 &&
    (await addLedgerEntry(tx, {
      ...row,
      reference: `${_id} returned`,
      kind: 'dispute reversal',
      amountCents: returnedCents,
    })) !== null
  const isEscalated = before?.inquiry === true && !inquiry
  // An inquiry that becomes a dispute withdraws the payment, and has a deadline of its own.
  if (status === 'open' && (!before || isWithdrawn || isEscalated))
    await alertStaff(shop, tx, order, { ...dispute, paymentId: payment.id })
  if (status !== 'open' || isEscalated) await resolvePaymentTask(tx, { kind: 'inquiry', reference: _id })
  if (status !== 'open') await resolvePaymentTask(tx, { kind: 'dispute', reference: _id })
  return before?.status !== status || isWithdrawn || isReturned || isEscalated
}

async function alertStaff(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  dispute: Dispute & { paymentId: string },
) {
  const { id: reference, isInquiry } = dispute
  const kind = isInquiry ? 'inquiry' : 'dispute'
  await reopenPaymentTask(tx, { orderId: order._id, kind, reference, detail: describeDispute(dispute) })
  const lines = concernedLines(order)
  if (isInquiry)
    return shop.mail.send(inquiryStaffEmail(shop, withNumber(shop, { ...order, lines }), dispute), tx)
  const stopsShipping = order.lines.some(
    ({ transactionId, quantity, shippedQuantity, returnedQuantity }) =>
      transactionId === dispute.paymentId && shippedQuantity + returnedQuantity < quantity,
  )
  const email = disputeStaffEmail(shop, withNumber(shop, { ...order, lines }), { ...dispute, stopsShipping })
  await shop.mail.send(email, tx)
}

function describeDispute({ amountCents, reason, isInquiry }: Dispute) {
  const amount = formatDollars(toDollars(amountCents))
  const why = reason.replaceAll('_', ' ')
  return isInquiry
    ? `The customer’s bank asks about ${amount} (${why}). No money was withdrawn. Answer in the payment provider’s dashboard, or refund the customer: either ends it.`
    : `The customer disputed ${amount} (${why}). Respond in the payment provider’s dashboard.`
}

function closedAt(status: Dispute['status']) {
  return status === 'open' ? null : new Date().toISOString()
}
