import { and, desc, eq, or, sql } from 'drizzle-orm'
import { messageReplies, messages, type Queries } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import type { Paging } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import { findVisibleOrder, type OrderRow } from '#shop/orders/read/purchase-rows.server.ts'
import { readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { MyConversation, MyMessageList, MyReplyForm } from './conversation.ts'
import { describeConversation, messageNotFoundError } from './conversations.server.ts'
import type { Message, OrderQuestion } from './message.ts'
import { describeMessages, type MessageRow } from './messages.server.ts'
import { chooseLines, messageAbout } from './order-messages.server.ts'

/** Like a message of the contact form, but of an account and about an order. Throws 'invalid' for an item of another order. */
export async function askAboutOrder(
  shop: Shop,
  user: Member,
  id: string,
  { message, items }: OrderQuestion,
  key?: string,
) {
  const order = await findVisibleOrder(shop, user, id)
  const asked = chooseLines(order, items)
  const body = { id, message, items }
  return idempotent(shop.db, { userId: user._id, call: 'askAboutOrder', key, body }, async (tx) => {
    await lockMember(tx, user)
    const { _id: userId, name, email } = user
    const values = { ...messageAbout(order, asked), userId, name, email, message }
    const [added] = await tx.insert(messages).values(values).returning()
    await shop.mail.send(questionEmail(shop, added!, message, describeSubject(shop, order, asked)), tx)
    return { insertedId: added!._id }
  })
}

function describeSubject(shop: Shop, order: OrderRow, asked: OrderRow['lines']) {
  return [`About order #${formatOrderNumber(shop, order.number)}`, ...asked.map(describeLine)].join('\n')
}

/** Those with the latest replies first. */
export async function listMyMessages(
  shop: Shop,
  user: Member,
  { limit = 20, page }: Partial<Paging>,
): Promise<MyMessageList> {
  const [{ rows, total }, unread] = await Promise.all([
    readPage(shop.db, messages, {
      where: isOwn(user),
      orderBy: [desc(messages.latestAt), desc(messages.number)],
      limit,
      page,
    }),
    shop.db.$count(messages, and(isOwn(user), messages.unread)),
  ])
  const described = await describeMessages(shop, rows)
  return {
    rows: described.map((message, i) => ({ ...withoutAdmin(shop, message), unread: rows[i]!.unread })),
    total,
    unread,
  }
}

/** Throws 'not-found', also for another customer's message. */
export async function readMyMessage(shop: Shop, user: Member, id: string): Promise<MyConversation> {
  const row = await findOwn(shop.db, user, id)
  const { replies, ...found } = await describeConversation(shop, row)
  const shown = replies.map((reply) => (reply.fromCustomer ? reply : { ...reply, by: shop.mail.shop.name }))
  return { ...withoutAdmin(shop, found), replies: shown, unread: row.unread }
}

/** Customers read the name of the shop for that of an admin. */
function withoutAdmin<T extends Pick<Message, 'startedBy'>>({ mail }: Shop, message: T): T {
  return { ...message, startedBy: message.startedBy && mail.shop.name }
}

/** Once it is opened. A reply that came meanwhile keeps it unread. Throws 'not-found', also for another customer's message. */
export function markMyMessage({ db }: Shop, user: Member, id: string, replies: number) {
  return db.transaction(async (tx) => {
    const { _id } = await findOwn(tx, user, id)
    const [message] = await tx.select().from(messages).where(eq(messages._id, _id)).for('update')
    const there = await tx.$count(messageReplies, eq(messageReplies.messageId, _id))
    if (!message!.unread || there > replies) return { modifiedCount: 0 }
    await tx.update(messages).set({ unread: false }).where(eq(messages._id, _id))
    return { modifiedCount: 1 }
  })
}

/** The conversation is new for the admins again. Throws 'not-found', also for another customer's message. */
export function replyToMyMessage(shop: Shop, user: Member, id: string, { text }: MyReplyForm, key?: string) {
  const request = { userId: user._id, call: 'replyToMyMessage', key, body: { id, text } }
  return idempotent(shop.db, request, async (tx) => {
    await lockMember(tx, user)
    const message = await findOwn(tx, user, id)
    // Before the reply, so that an admin who answers meanwhile waits for it and is told.
    await tx
      .update(messages)
      .set({ answeredAt: null, latestAt: new Date().toISOString() })
      .where(eq(messages._id, id))
    const reply = { messageId: id, by: user._id, byName: user.name, text, fromCustomer: true }
    const [added] = await tx.insert(messageReplies).values(reply).returning({ _id: messageReplies._id })
    await shop.mail.send(questionEmail(shop, message, text), tx)
    return { insertedId: added!._id }
  })
}

/** Also what came through the contact form from the address of the account, once it is confirmed that it is the customer's. */
function isOwn({ _id, email, emailConfirmedAt }: Member) {
  const isFromAddress = emailConfirmedAt === null ? undefined : eq(sql`lower(${messages.email})`, email)
  return or(eq(messages.userId, _id), isFromAddress)!
}

async function findOwn(db: Queries, user: Member, id: string): Promise<MessageRow> {
  const [found] = await db
    .select()
    .from(messages)
    .where(and(eq(messages._id, id), isOwn(user)))
  if (!found) throw messageNotFoundError()
  return found
}

function questionEmail({ mail, origin }: Shop, message: MessageRow, text: string, about?: string) {
  const { _id, name, email, phone } = message
  return composeEmail(mail.shop, {
    to: mail.owner,
    replyTo: email,
    thread: `message-${_id}`,
    subject: `Message from ${name}`,
    paragraphs: [...(about === undefined ? [] : [about]), text, `${name}\n${email}\n${phone}`],
    action: { label: 'Answer', url: `${origin}/dashboard/messages/${_id}` },
  })
}
