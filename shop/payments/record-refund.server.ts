import { and, eq, isNull } from 'drizzle-orm'
import { ledger, type Queries, refundLines, refunds } from '#db/schema.ts'
import { splitInShares } from '#shop/charges/shares.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import { changeLineCounts } from '#shop/orders/change/line-counts.server.ts'
import { refundedEmail, refundFailedEmail } from '#shop/orders/emails/emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { refundFailedStaffEmail } from '#shop/orders/emails/staff-emails.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import { chargedCents, findOrder, type OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import type { Payment, Refund, Shop } from '#shop/ports.ts'
import { failureReference, refundReference } from './failed-refund.ts'
import {
  concernedLines,
  externalRefundReason,
  findRefundItems,
  type RefundItem,
  restock,
} from './refund-items.server.ts'
import { addPaymentTask, resolvePaymentTask } from './tasks.server.ts'

/** A refund without a known key was made manually at the provider. Returns whether anything is new. */
export async function recordRefund(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  payment: Payment,
  refund: Refund,
): Promise<boolean> {
  const { id: reference, amountCents, key } = refund
  const stored = key ? await findStoredRefund(tx, payment.id, key) : undefined
  const row = { orderId: order._id, paymentId: payment.id, refundId: stored?._id ?? null }
  if (stored?.madeAnotherWay && refund.status === 'accepted') await reportMadeTwice(tx, stored)
  const isNew = await addRefundEntry(tx, stored, {
    ...row,
    reference,
    kind: 'refund',
    amountCents: -amountCents,
  })
  if (refund.status === 'accepted') {
    if (isNew) await completeRefund(shop, tx, order, { ...refund, paymentId: payment.id, stored })
    return isNew
  }
  // Both entries are added even when it was never seen as succeeded, because a stale response may still arrive.
  const isNewFailure = await addRefundEntry(tx, stored, {
    ...row,
    reference: failureReference(reference),
    kind: 'failed refund',
    amountCents,
  })
  // Nothing changes if the refund had succeeded before: its row stays as it is.
  if (stored) await closeRefund(tx, stored._id, 'The payment provider couldn’t make this refund.')
  if (!isNewFailure) return false
  await addPaymentTask(tx, {
    orderId: order._id,
    kind: 'refund failed',
    reference,
    detail: `The customer’s bank didn’t accept the refund of ${formatDollars(toDollars(amountCents))}. Refund it another way, and tell us here: we email the customer then.`,
  })
  const refunded = { ...order, lines: concernedLines(order, stored?.items) }
  await emailCustomer(shop, tx, refunded, (order) =>
    refundFailedEmail(shop, order, {
      reference,
      amountCents,
      deliveryCents: stored?.deliveryCents ?? 0,
    }),
  )
  await shop.mail.send(
    refundFailedStaffEmail(shop, withNumber(shop, refunded), { amountCents, reference }),
    tx,
  )
  return true
}

/** The provider's refund counts, and an admin had made it another way while it was under way. */
async function reportMadeTwice(tx: Queries, { _id, orderId, amountCents }: typeof refunds.$inferSelect) {
  await tx.update(refunds).set({ madeAnotherWay: false }).where(eq(refunds._id, _id))
  const detail = `The payment provider made this refund of ${formatDollars(toDollars(amountCents))} after an admin had refunded the customer another way. Check whether the customer has the money twice.`
  await addPaymentTask(tx, { orderId, kind: 'refunded twice', reference: _id, detail })
}

type RefundRow = typeof refunds.$inferSelect & { items: RefundItem[] }

async function findStoredRefund(tx: Queries, paymentId: string, key: string): Promise<RefundRow | undefined> {
  const [stored] = await tx
    .select()
    .from(refunds)
    .where(and(eq(refunds._id, key), eq(refunds.paymentId, paymentId)))
  return stored && { ...stored, items: await findRefundItems(tx, stored._id) }
}

async function completeRefund(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  refund: Refund & { paymentId: string; stored: RefundRow | undefined },
) {
  const { id: reference, amountCents, paymentId, stored } = refund
  const isFirst = stored !== undefined && (await closeRefund(tx, stored._id))
  // Otherwise the parts are back already.
  if (isFirst) await restock(tx, order, stored.items)
  // The customer of an unusable payment was emailed when the refund was created.
  if (stored && stored.requestedBy === null) return
  const reason = stored?.reason ?? externalRefundReason
  const lines = concernedLines(order, stored?.items)
  const hasPaid = order.lines.some(({ transactionId }) => transactionId === paymentId)
  await emailCustomer(shop, tx, { ...order, lines }, (order) =>
    refundedEmail(shop, order, {
      reference,
      amountCents,
      reason,
      isSurplus: !hasPaid,
      items: stored?.items ?? [],
      deliveryCents: stored?.deliveryCents ?? 0,
    }),
  )
}

/** Of a locked order. With a `finalRefusal`, the parts that were to return to stock are left to ship again, or with the customer. */
export async function closeRefund(
  tx: Queries,
  id: string,
  finalRefusal: string | null = null,
): Promise<boolean> {
  const updated = await tx
    .update(refunds)
    .set({ endedAt: new Date().toISOString(), finalRefusal })
    .where(and(eq(refunds._id, id), isNull(refunds.endedAt)))
    .returning({ _id: refunds._id })
  if (finalRefusal !== null && updated.length > 0) {
    const items = (await findRefundItems(tx, id)).filter(({ restocked }) => restocked > 0)
    const kept = items.map(({ lineId, restocked }) => ({ lineId, returned: -restocked }))
    if (kept.length > 0) await changeLineCounts(tx, kept)
  }
  await resolvePaymentTask(tx, { kind: 'refund rejected', reference: id })
  return updated.length > 0
}

export async function addLedgerEntry(tx: Queries, row: typeof ledger.$inferInsert): Promise<number | null> {
  const [added] = await tx
    .insert(ledger)
    .values(row)
    .onConflictDoNothing()
    .returning({ number: ledger.number })
  return added?.number ?? null
}

type RefundEntry = typeof ledger.$inferInsert

async function addRefundEntry(tx: Queries, stored: RefundRow | undefined, entry: RefundEntry) {
  const { delivery, lines } =
    entry.kind === 'failed refund' ? await takeBackShares(tx, entry) : await splitRefund(tx, stored, entry)
  const ledgerNumber = await addLedgerEntry(tx, { ...entry, deliveryCents: delivery })
  if (ledgerNumber === null) return false
  if (lines.length > 0)
    await tx.insert(refundLines).values(lines.map((share) => ({ ledgerNumber, ...share })))
  return true
}

/** What the lines and the delivery of an order have of a refund, in the sign of its entry. */
interface RefundSplit {
  delivery: number
  lines: { lineId: string; amountCents: number }[]
}

/** Of the refund that has failed. */
async function takeBackShares(tx: Queries, { reference, paymentId }: RefundEntry): Promise<RefundSplit> {
  const isRefund = and(
    ...[eq(ledger.reference, refundReference(reference)), eq(ledger.kind, 'refund')],
    eq(ledger.paymentId, paymentId),
  )
  const shares = await tx
    .select({
      lineId: refundLines.lineId,
      amountCents: refundLines.amountCents,
      delivery: ledger.deliveryCents,
    })
    .from(ledger)
    .leftJoin(refundLines, eq(ledger.number, refundLines.ledgerNumber))
    .where(isRefund)
  return {
    delivery: -(shares[0]?.delivery ?? 0),
    lines: shares.flatMap(({ lineId, amountCents }) =>
      lineId === null || amountCents === null ? [] : [{ lineId, amountCents: -amountCents }],
    ),
  }
}

/**
 * Each line and the delivery have what was asked for them, and never more than is left of them: a refund at the provider may have taken it
 * meanwhile. The rest goes to what is left of the others, which is all of a refund that was made at the provider; and what even exceeds
 * the payment goes to the last line.
 */
async function splitRefund(
  tx: Queries,
  stored: RefundRow | undefined,
  { orderId, paymentId, amountCents }: RefundEntry,
): Promise<RefundSplit> {
  const order = await findOrder(tx, orderId)
  const paid = order.lines.filter(({ transactionId }) => transactionId === paymentId)
  // A payment that the order could not accept has paid no line.
  const lines = paid.length > 0 ? paid : concernedLines(order, stored?.items)
  const deliveryCents = paid.length > 0 ? order.deliveryCents : 0
  const left = [
    ...lines.map((line) => chargedCents(line) - line.refundedCents),
    deliveryCents - order.refundedDeliveryCents,
  ].map(atLeastZero)
  const pending = [...lines.map(({ pendingRefundCents }) => pendingRefundCents), order.pendingDeliveryCents]
  const asked = listAsked(stored, lines, -amountCents)
  const shares = left.map((cents, i) => Math.min(cents, asked[i]!))
  const rest = -amountCents - add(shares)
  const rooms = left.map((cents, i) => cents - shares[i]!)
  // What others have asked for stays theirs, as long as what remains suffices.
  const free = rooms.map((room, i) => atLeastZero(room - atLeastZero(pending[i]! - asked[i]!)))
  const within = Math.min(rest, add(rooms))
  for (const [i, share] of splitInShares(within, add(free) >= rest ? free : rooms).entries())
    shares[i]! += share
  const delivery = shares.pop()!
  shares[shares.length - 1]! += rest - within
  return {
    delivery: -delivery || 0,
    lines: lines.flatMap(({ _id: lineId }, i) =>
      shares[i]! > 0 ? [{ lineId, amountCents: -shares[i]! }] : [],
    ),
  }
}

/** What a refund was to be of each line, and last of the delivery. The only line has all but what is of the delivery. */
function listAsked(stored: RefundRow | undefined, lines: { _id: string }[], cents: number) {
  const { items = [], deliveryCents = 0 } = stored ?? {}
  const ofLines = lines.map(({ _id }) => {
    const item = items.find(({ lineId }) => lineId === _id)
    return item ? (items.length === 1 ? cents - deliveryCents : item.amountCents) : 0
  })
  return [...ofLines, deliveryCents]
}

function atLeastZero(cents: number) {
  return Math.max(0, cents)
}

function add(amounts: number[]) {
  return amounts.reduce((sum, cents) => sum + cents, 0)
}
