import { eq } from 'drizzle-orm'
import { disputes, type Queries } from '#db/schema.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import { disputeStaffEmail } from '#shop/orders/emails/staff-emails.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import type { OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import type { Dispute, Payment, Shop } from '#shop/ports.ts'
import { addLedgerEntry, concernedLines } from './record-refund.server.ts'
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
  const [before] = await tx.select().from(disputes).where(eq(disputes._id, _id))
  const changes = { amountCents, status, reason, respondBy }
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
  // An inquiry that becomes a dispute withdraws the payment, and has a deadline of its own.
  if (status === 'open' && (!before || isWithdrawn))
    await alertStaff(shop, tx, order, { ...dispute, paymentId: payment.id })
  if (status !== 'open') await resolvePaymentTask(tx, { kind: 'dispute', reference: _id })
  return before?.status !== status || isWithdrawn || isReturned
}

async function alertStaff(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  dispute: Dispute & { paymentId: string },
) {
  const { id: reference, amountCents, reason } = dispute
  const detail = `The customer disputed ${formatDollars(toDollars(amountCents))} (${reason.replaceAll('_', ' ')}). Respond in the payment provider’s dashboard.`
  await reopenPaymentTask(tx, { orderId: order._id, kind: 'dispute', reference, detail })
  const lines = concernedLines(order)
  const stopsShipping = order.lines.some(
    ({ transactionId, quantity, shippedQuantity, returnedQuantity }) =>
      transactionId === dispute.paymentId && shippedQuantity + returnedQuantity < quantity,
  )
  const email = disputeStaffEmail(shop, withNumber(shop, { ...order, lines }), { ...dispute, stopsShipping })
  await shop.mail.send(email, tx)
}

function closedAt(status: Dispute['status']) {
  return status === 'open' ? null : new Date().toISOString()
}
