import { and, eq, isNull } from 'drizzle-orm'
import { cancellationRequests, type Queries, refunds } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { describeLine, describeLines } from '#shop/orders/describe-lines.ts'
import {
  cancellationRequestedEmail,
  cancellationRequestedStaffEmail,
  itemsCancelledStaffEmail,
} from '#shop/orders/emails/change-emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { addEvents } from '#shop/orders/events.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import { type Purchase, refundableAmount, refundableDelivery } from '#shop/orders/purchase.ts'
import {
  findVisiblePurchase,
  lockOrder,
  type OrderRow,
  orderNotFoundError,
  toPurchase,
} from '#shop/orders/read/purchase-rows.server.ts'
import { orderStatus } from '#shop/orders/status.ts'
import { executeRefund } from '#shop/payments/settle.server.ts'
import { storeRefund } from '#shop/payments/store-refund.server.ts'
import { addPaymentTask } from '#shop/payments/tasks.server.ts'
import type { Shop } from '#shop/ports.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import type { Member } from '#shop/users/user.ts'
import {
  type CancellationForm,
  type CancellationResult,
  type Cancellations,
  canCancelPaid,
} from './cancellation.ts'

/**
 * Cancels items that their customer has paid and that have not shipped: refunded at once, or asked of an admin, as the shop’s settings say.
 * The refund stays pending while the provider is unavailable. Throws 'conflict' when an item has shipped, or its money is gone.
 */
export async function cancelItems(
  shop: Shop,
  customer: Member,
  id: string,
  form: CancellationForm,
  key?: string,
): Promise<CancellationResult> {
  const { cancelPaid: rule } = (await readSettings(shop)).changes
  const call = { userId: customer._id, call: 'cancelItems', key, body: { id, ...form } }
  const refundId = await idempotent(shop.db, call, async (tx) => {
    const { orderId } = await findVisiblePurchase(shop, customer, id, tx)
    const { order, lines } = await lockItems(shop, tx, orderId, form.lines)
    await refuseRequested(tx, lines)
    const chosen = { ...order, lines: order.lines.filter(({ _id }) => form.lines.includes(_id)) }
    if (rule === 'on request') {
      await requestCancellation(shop, tx, customer, chosen, form.reason ?? null)
      return null
    }
    const reason = form.reason
      ? `You cancelled before shipping: ${form.reason}`
      : 'You cancelled before shipping.'
    await shop.mail.send(itemsCancelledStaffEmail(shop, withNumber(shop, chosen)), tx)
    return refundItems(shop, tx, customer, { order, lines }, reason)
  })
  if (refundId === null) return { outcome: 'requested' }
  return { outcome: await refundNow(shop, refundId, { isAwaited: false }) }
}

/** Of an order, with the requests that no admin has answered yet. */
export async function readCancellations(shop: Shop, reader: Member, id: string): Promise<Cancellations> {
  const { orderId } = await findVisiblePurchase(shop, reader, id)
  const [{ changes }, requests] = await Promise.all([
    readSettings(shop),
    shop.db.select().from(cancellationRequests).where(isOpenRequest(orderId)),
  ])
  return { rule: changes.cancelPaid, requests }
}

/** Throws 'conflict', naming the item, for one that can no longer be cancelled. */
export async function lockItems(shop: Shop, tx: Queries, orderId: string, ids: string[]) {
  const order = await lockOrder(tx, orderId)
  if (!order) throw orderNotFoundError()
  const kept = order.lines.filter(({ _id, cancelledAt }) => ids.includes(_id) && cancelledAt === null)
  if (kept.length < new Set(ids).size) throw new ShopError('conflict', 'This item isn’t in the order.')
  const lines = kept.map((line) => toPurchase(shop, line))
  const problem = lines.map(findProblem).find((found) => found !== undefined)
  if (problem) throw new ShopError('conflict', problem)
  return { order, lines }
}

function findProblem(line: Purchase): string | undefined {
  if (canCancelPaid(line)) return undefined
  if (!line.paid) return 'This order isn’t paid, so there’s nothing to refund.'
  if (line.shippedQuantity > 0)
    return `${describeLine(line)} has shipped, so it can’t be cancelled any more. Contact us to return it.`
  if (line.testPayment) return 'This order was paid in test mode, so it can’t be refunded.'
  if (line.dispute === 'open' || line.dispute === 'lost' || line.disputed > 0)
    return 'The payment for this order is disputed, so nothing of it can be refunded.'
  return `${describeLine(line)} is refunded already, or its refund is under way.`
}

async function refuseRequested(tx: Queries, lines: Purchase[]) {
  const open = await tx.select().from(cancellationRequests).where(isOpenRequest(lines[0]!.orderId))
  const asked = lines.find(({ _id }) => open.some(({ lineIds }) => lineIds.includes(_id)))
  if (asked)
    throw new ShopError(
      'conflict',
      `You’ve already asked to cancel ${describeLine(asked)}. We’ll email you when we’ve answered.`,
    )
}

function isOpenRequest(orderId: string) {
  return and(eq(cancellationRequests.orderId, orderId), isNull(cancellationRequests.decidedAt))
}

async function requestCancellation(
  shop: Shop,
  tx: Queries,
  customer: Member,
  order: OrderRow,
  reason: string | null,
) {
  const lineIds = order.lines.map(({ _id }) => _id)
  const [added] = await tx
    .insert(cancellationRequests)
    .values({ orderId: order._id, lineIds, reason })
    .returning({ _id: cancellationRequests._id })
  await addEvents(tx, order._id, { kind: 'cancellation requested', by: customer, lineIds })
  const asked = `The customer asks to cancel ${describeLines(order.lines)}.`
  await addPaymentTask(tx, {
    orderId: order._id,
    kind: 'cancellation requested',
    reference: added!._id,
    detail: reason ? `${asked} “${reason}”` : asked,
  })
  await emailCustomer(shop, tx, order, (order) => cancellationRequestedEmail(shop, order))
  await shop.mail.send(cancellationRequestedStaffEmail(shop, withNumber(shop, order), reason), tx)
}

/** Stores what is to be refunded of locked items, so that it is even after a crash, and keeps them from being shipped. Returns its id. */
export function refundItems(
  shop: Shop,
  tx: Queries,
  by: Member,
  { order, lines }: { order: OrderRow; lines: Purchase[] },
  reason: string,
) {
  const shares = lines.map((line) => ({
    line,
    amount: refundableAmount(line),
    returned: line.toShip,
    quantity: line.toShip,
  }))
  const delivery = isAll(shop, order, lines) ? refundableDelivery(lines[0]!) : 0
  return storeRefund(tx, by, { reason, shares, delivery, line: lines[0]!, field: 'lines' })
}

/** Whether nothing of the order is delivered then. */
function isAll(shop: Shop, order: OrderRow, lines: Purchase[]) {
  const others = order.lines.filter(
    ({ _id, cancelledAt }) => cancelledAt === null && !lines.some((line) => line._id === _id),
  )
  return others.every(
    (line) => line.shippedQuantity === 0 && orderStatus(toPurchase(shop, line)) === 'refunded',
  )
}

/** Throws 'conflict' when the provider refuses permanently: then the items are left to ship. */
export async function refundNow(shop: Shop, id: string, options: { isAwaited: boolean }) {
  const read = async () => (await shop.db.select().from(refunds).where(eq(refunds._id, id)))[0]!
  const refund = await read()
  if (!refund.endedAt) await executeRefund(shop, refund, options).catch(ignoreUnavailable)
  const { finalRefusal, endedAt } = await read()
  if (finalRefusal !== null) throw new ShopError('conflict', finalRefusal)
  return endedAt === null ? 'refund pending' : 'refunded'
}

function ignoreUnavailable(error: unknown) {
  if (!(error instanceof ShopError && error.code === 'unavailable')) throw error
}
