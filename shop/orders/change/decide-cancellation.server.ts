import { eq } from 'drizzle-orm'
import { cancellationRequests, type Queries } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { cancellationDeclinedEmail } from '#shop/orders/emails/change-emails.ts'
import { emailCustomer } from '#shop/orders/emails/notify.server.ts'
import { addEvents } from '#shop/orders/events.server.ts'
import { withNumber } from '#shop/orders/order-number.ts'
import { lockOrder, type OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import { resolvePaymentTask } from '#shop/payments/tasks.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { lockItems, refundItems, refundNow } from './cancel-items.server.ts'
import type { CancellationDecision } from './cancellation.ts'

/**
 * Refunds what a customer asked to cancel, or declines it with a message. The same answer again changes nothing. Throws 'not-found', and
 * 'conflict' when another admin has answered otherwise, an item has shipped meanwhile, or the provider refuses the refund.
 */
export async function decideCancellation(
  shop: Shop,
  admin: Member,
  id: string,
  { decision, message }: CancellationDecision,
): Promise<{ modifiedCount: number }> {
  const refundId = await shop.db.transaction(async (tx) => {
    const [found] = await tx.select().from(cancellationRequests).where(eq(cancellationRequests._id, id))
    if (!found) throw requestNotFoundError()
    const order = await lockOrder(tx, found.orderId)
    const [request] = await tx.select().from(cancellationRequests).where(eq(cancellationRequests._id, id))
    if (!order || !request) throw requestNotFoundError()
    if (request.decision === decision) return undefined
    if (request.decision !== null)
      throw new ShopError('conflict', `Another admin has ${answers[request.decision]} this already.`)
    const { lineIds } = request
    const asked = { ...order, lines: order.lines.filter(({ _id }) => lineIds.includes(_id)) }
    await tx
      .update(cancellationRequests)
      .set({ decision, decidedAt: new Date().toISOString() })
      .where(eq(cancellationRequests._id, id))
    await resolvePaymentTask(tx, { kind: 'cancellation requested', reference: id })
    await recordChange(tx, admin, {
      ...orderSubject(withNumber(shop, { orderId: order._id, number: order.number })),
      action: 'decideCancellation',
      after: { items: asked.lines.map(describeLine), answer: answers[decision], message: message ?? null },
    })
    if (decision === 'decline') {
      await decline(shop, tx, admin, asked, message!)
      return null
    }
    const items = await lockItems(shop, tx, order._id, lineIds)
    return refundItems(shop, tx, admin, items, message ?? 'You asked to cancel before shipping.')
  })
  if (refundId) await refundNow(shop, refundId, { isAwaited: true })
  return { modifiedCount: refundId === undefined ? 0 : 1 }
}

async function decline(shop: Shop, tx: Queries, admin: Member, order: OrderRow, message: string) {
  const lineIds = order.lines.map(({ _id }) => _id)
  await addEvents(tx, order._id, { kind: 'cancellation declined', by: admin, lineIds })
  await emailCustomer(shop, tx, order, (order) => cancellationDeclinedEmail(shop, order, message))
}

const answers = { refund: 'refunded', decline: 'declined' } as const

function requestNotFoundError() {
  return new ShopError('not-found', 'This request doesn’t exist.')
}
