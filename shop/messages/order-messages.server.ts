import { messages } from '#db/schema.ts'
import { orderSubject, recordChange } from '#shop/audit/record.server.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { formatOrderNumber, withNumber } from '#shop/orders/order-number.ts'
import { findVisibleOrder, type OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { OrderQuestion } from './message.ts'
import type { MessageRow } from './messages.server.ts'

/**
 * Begins a conversation with the customer of an order, who gets it by email and in the dashboard; it counts as answered. Throws 'invalid'
 * for an item of another order.
 */
export async function writeAboutOrder(
  shop: Shop,
  admin: Member,
  id: string,
  { message, items }: OrderQuestion,
  key?: string,
) {
  const order = await findVisibleOrder(shop, admin, id)
  const lines = chooseLines(order, items)
  const request = { userId: admin._id, call: 'writeAboutOrder', key, body: { id, message, items } }
  return idempotent(shop.db, request, async (tx) => {
    const now = new Date().toISOString()
    const started = { startedBy: admin._id, startedByName: admin.name }
    const written = { createdAt: now, latestAt: now, answeredAt: now, unread: true }
    const values = { ...messageAbout(order, lines), message, ...started, ...written }
    const [added] = await tx.insert(messages).values(values).returning()
    await shop.mail.send(orderMessageEmail(shop, added!, order, lines), tx)
    const subject = orderSubject(withNumber(shop, { orderId: order._id, number: order.number }))
    await recordChange(tx, admin, { ...subject, action: 'writeAboutOrder', after: { message } })
    return { insertedId: added!._id }
  })
}

/** Throws 'invalid' for an item of another order. */
export function chooseLines(order: OrderRow, items: string[]): OrderRow['lines'] {
  const chosen = order.lines.filter(({ _id }) => items.includes(_id))
  if (chosen.length < new Set(items).size) {
    const message = 'Choose items of this order.'
    throw new ShopError('invalid', message, { fields: { items: [message] } })
  }
  return chosen
}

/** Of the customer’s account, about an order or some of its lines. */
export function messageAbout(order: OrderRow, lines: OrderRow['lines']) {
  const { _id: orderId, userId, name, email, phoneNumber: phone } = order
  return { orderId, userId, name, email, phone, lineIds: lines.map(({ _id }) => _id) }
}

/** The subject of all emails of a conversation that the shop began. */
export const aboutOrder = (number: string) => `About your order #${number}`

function orderMessageEmail(shop: Shop, added: MessageRow, order: OrderRow, lines: OrderRow['lines']) {
  const { mail, origin } = shop
  const items = lines.map(describeLine)
  return composeEmail(mail.shop, {
    to: added.email,
    replyTo: mail.owner,
    thread: `message-${added._id}`,
    subject: aboutOrder(formatOrderNumber(shop, order.number)),
    paragraphs: [added.message],
    after: [
      ...(items.length > 0 ? [`This is about:\n${items.join('\n')}`] : []),
      { label: 'View conversation', url: `${origin}/dashboard/questions/${added._id}` },
    ],
  })
}
