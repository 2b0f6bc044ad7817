import { and, asc, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { messageReplies, messages, orderLines, orders, type Queries, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { formatDate } from '#shop/dates.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { digitsOfOrderNumber, formatOrderNumber } from '#shop/orders/order-number.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import { findUser } from '#shop/users/users.server.ts'
import type { Conversation, ReplyForm } from './conversation.ts'
import { describeMessages, isNewMessage, type MessageRow } from './messages.server.ts'
import { aboutOrder } from './order-messages.server.ts'

/** Throws 'not-found'. */
export async function readMessage(shop: Context, id: string): Promise<Conversation> {
  return describeConversation(shop, await findMessage(shop.db, id))
}

type Context = Pick<Shop, 'db' | 'settings'>

export async function describeConversation(shop: Context, row: MessageRow): Promise<Conversation> {
  const { db } = shop
  const [[message], named, replies, items, accounts] = await Promise.all([
    describeMessages(shop, [row]),
    row.orderId === null ? findNamedOrder(shop, row) : null,
    db
      .select({
        _id: messageReplies._id,
        createdAt: messageReplies.createdAt,
        by: messageReplies.byName,
        fromCustomer: messageReplies.fromCustomer,
        text: messageReplies.text,
      })
      .from(messageReplies)
      .where(eq(messageReplies.messageId, row._id))
      .orderBy(asc(messageReplies.number)),
    readItems(db, row.lineIds),
    row.userId !== null
      ? [{ _id: row.userId }]
      : db
          .select({ _id: users._id })
          .from(users)
          .where(eq(users.email, normalizeEmail(row.email))),
  ])
  const order = message!.order ?? named
  return { ...message!, order, replies, items, customerId: accounts[0]?._id ?? null }
}

/** The first order that the message names, if it is of the same customer. */
async function findNamedOrder(shop: Context, { message, email }: MessageRow) {
  const named = /#[A-Z]{0,8}-?\d{3,12}\b/.exec(message)?.[0] ?? ''
  const digits = digitsOfOrderNumber(shop, named)
  if (digits === null) return null
  const [found] = await shop.db
    .select({ _id: orders._id, number: orders.number })
    .from(orders)
    .where(and(eq(orders.number, Number(digits)), eq(orders.email, normalizeEmail(email))))
  return found ? { _id: found._id, number: formatOrderNumber(shop, found.number) } : null
}

async function readItems(db: Queries, ids: string[]) {
  if (ids.length === 0) return []
  return db
    .select({ _id: orderLines._id, parts: orderLines.parts, quantity: orderLines.quantity })
    .from(orderLines)
    .where(inArray(orderLines._id, ids))
    .orderBy(asc(orderLines.position))
}

/** Emails the reply and keeps it; a new message is answered then. Throws 'conflict' after a reply that was not read. */
export function replyToMessage(shop: Shop, admin: Actor, id: string, form: ReplyForm, key?: string) {
  const { text, seen } = form
  const request = { userId: admin._id, call: 'replyToMessage', key, body: { id, text } }
  return idempotent(shop.db, request, async (tx) => {
    const message = await findMessage(tx, id)
    if (seen !== undefined) await checkReplies(tx, id, seen)
    const asked = await findLatestQuestion(tx, message)
    const reply = { messageId: id, by: admin._id, byName: admin.name, text }
    const [added] = await tx.insert(messageReplies).values(reply).returning({ _id: messageReplies._id })
    const answeredAt = sql`coalesce(${messages.answeredAt}, now())`
    await tx
      .update(messages)
      .set({ answeredAt, latestAt: new Date().toISOString(), unread: true })
      .where(eq(messages._id, id))
    const subject = await findSubject(shop, tx, message)
    await shop.mail.send(replyEmail(shop, { message, subject, asked, text }), tx)
    const after = { reply: text }
    await recordChange(tx, admin, { ...messageSubject(message), action: 'replyToMessage', after })
    return { insertedId: added!._id }
  })
}

async function findSubject(shop: Shop, tx: Queries, message: MessageRow) {
  const [found] = message.startedBy === null ? [] : await describeMessages(shop, [message], tx)
  return found?.order ? aboutOrder(found.order.number) : `your message to ${shop.mail.shop.name}`
}

/** What the customer wrote last; undefined while only the shop has written. */
async function findLatestQuestion(tx: Queries, { _id, message, createdAt, startedBy }: MessageRow) {
  const [latest] = await tx
    .select({ message: messageReplies.text, createdAt: messageReplies.createdAt })
    .from(messageReplies)
    .where(and(eq(messageReplies.messageId, _id), messageReplies.fromCustomer))
    .orderBy(desc(messageReplies.number))
    .limit(1)
  return latest ?? (startedBy === null ? { message, createdAt } : undefined)
}

async function checkReplies(tx: Queries, id: string, seen: number) {
  await tx.select({ _id: messages._id }).from(messages).where(eq(messages._id, id)).for('update')
  const there = await tx.$count(messageReplies, eq(messageReplies.messageId, id))
  if (there > seen)
    throw new ShopError(
      'conflict',
      'There’s a newer reply. Read it above, then send yours again if it’s still needed.',
    )
}

/** Marking it twice keeps the first time. Throws 'not-found' for an unknown message. */
export function markMessage({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, answered: boolean) {
  return db.transaction(async (tx) => {
    const message = await findMessage(tx, id)
    const marked = await tx
      .update(messages)
      .set({ answeredAt: answered ? new Date().toISOString() : null })
      .where(and(eq(messages._id, id), answered ? isNewMessage : isNotNull(messages.answeredAt)))
      .returning({ _id: messages._id })
    const values = { before: { answered: !answered }, after: { answered } }
    if (marked.length > 0)
      await recordChange(tx, admin, { ...messageSubject(message), action: 'markMessage', ...values })
    return { modifiedCount: marked.length }
  })
}

/** Throws 'not-found' for an unknown message or user, 'conflict' for a user who is no admin. */
export async function assignMessage(
  shop: Context,
  admin: Actor,
  id: string,
  email: string | null,
): Promise<{ modifiedCount: number }> {
  const { db } = shop
  const assignee = email === null ? null : await findUser({ db }, email)
  if (assignee && assignee.role !== 'admin')
    throw new ShopError('conflict', `${assignee.email} isn’t an admin.`)
  return db.transaction(async (tx) => {
    const [message] = await tx.select().from(messages).where(eq(messages._id, id)).for('update')
    if (!message) throw messageNotFoundError()
    const assigneeId = assignee?._id ?? null
    if (message.assigneeId === assigneeId) return { modifiedCount: 0 }
    const [before] = await describeMessages(shop, [message], tx)
    await tx.update(messages).set({ assigneeId }).where(eq(messages._id, id))
    await recordChange(tx, admin, {
      ...messageSubject(message),
      action: 'assignMessage',
      before: { assignee: before!.assignee?.email ?? null },
      after: { assignee: assignee?.email ?? null },
    })
    return { modifiedCount: 1 }
  })
}

async function findMessage(db: Queries, id: string) {
  const [found] = await db.select().from(messages).where(eq(messages._id, id))
  if (!found) throw messageNotFoundError()
  return found
}

export function messageNotFoundError() {
  return new ShopError('not-found', 'This message doesn’t exist.')
}

function messageSubject({ _id: id, name: subject }: { _id: string; name: string }) {
  return { kind: 'message', id, subject } as const
}

interface ReplyEmail {
  message: MessageRow
  subject: string
  asked: Pick<MessageRow, 'message' | 'createdAt'> | undefined
  text: string
}

function replyEmail({ mail, timeZone, origin }: Shop, { message, subject, asked, text }: ReplyEmail) {
  const { _id, email, userId } = message
  const quoted = asked?.message.replace(/^/gm, '> ')
  const link = { label: 'View conversation', url: `${origin}/dashboard/questions/${_id}` }
  return composeEmail(mail.shop, {
    to: email,
    replyTo: mail.owner,
    thread: `message-${_id}`,
    subject: `Re: ${subject}`,
    paragraphs: [
      text,
      ...(asked ? [`On ${formatDate(asked.createdAt, timeZone)} you wrote:\n${quoted}`] : []),
    ],
    ...(userId !== null && { after: [link] }),
  })
}
