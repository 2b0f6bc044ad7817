import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { messageReplies, messages, type Queries, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { formatDate } from '#shop/dates.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import { findUser } from '#shop/users/users.server.ts'
import type { Conversation, ReplyForm } from './conversation.ts'
import { isNewMessage, withAssignees } from './messages.server.ts'

/** Throws 'not-found'. */
export async function readMessage({ db }: Pick<Shop, 'db'>, id: string): Promise<Conversation> {
  const row = await findMessage(db, id)
  const [[message], replies, accounts] = await Promise.all([
    withAssignees(db, [row]),
    db
      .select({
        _id: messageReplies._id,
        createdAt: messageReplies.createdAt,
        by: messageReplies.byName,
        text: messageReplies.text,
      })
      .from(messageReplies)
      .where(eq(messageReplies.messageId, id))
      .orderBy(asc(messageReplies.number)),
    db.$count(users, eq(users.email, normalizeEmail(row.email))),
  ])
  return { ...message!, replies, isCustomer: accounts > 0 }
}

/** Emails the reply and keeps it; a new message is answered then. Throws 'conflict' after a reply that was not read. */
export function replyToMessage(shop: Shop, admin: Actor, id: string, form: ReplyForm, key?: string) {
  const { text, seen } = form
  const request = { userId: admin._id, call: 'replyToMessage', key, body: { id, text } }
  return idempotent(shop.db, request, async (tx) => {
    const message = await findMessage(tx, id)
    if (seen !== undefined) await checkReplies(tx, id, seen)
    const reply = { messageId: id, by: admin._id, byName: admin.name, text }
    const [added] = await tx.insert(messageReplies).values(reply).returning({ _id: messageReplies._id })
    await tx
      .update(messages)
      .set({ answeredAt: sql`coalesce(${messages.answeredAt}, now())` })
      .where(eq(messages._id, id))
    await shop.mail.send(replyEmail(shop, message, text), tx)
    const after = { reply: text }
    await recordChange(tx, admin, { ...messageSubject(message), action: 'replyToMessage', after })
    return { insertedId: added!._id }
  })
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
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  id: string,
  email: string | null,
): Promise<{ modifiedCount: number }> {
  const assignee = email === null ? null : await findUser({ db }, email)
  if (assignee && assignee.role !== 'admin')
    throw new ShopError('conflict', `${assignee.email} isn’t an admin.`)
  return db.transaction(async (tx) => {
    const [message] = await tx.select().from(messages).where(eq(messages._id, id)).for('update')
    if (!message) throw messageNotFoundError()
    const assigneeId = assignee?._id ?? null
    if (message.assigneeId === assigneeId) return { modifiedCount: 0 }
    const [before] = await withAssignees(tx, [message])
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

function messageNotFoundError() {
  return new ShopError('not-found', 'This message doesn’t exist.')
}

function messageSubject({ _id: id, name: subject }: { _id: string; name: string }) {
  return { kind: 'message', id, subject } as const
}

function replyEmail({ mail, timeZone }: Shop, message: typeof messages.$inferSelect, text: string) {
  const { _id, email, message: asked, createdAt } = message
  const quoted = asked.replace(/^/gm, '> ')
  return composeEmail(mail.shop, {
    to: email,
    replyTo: mail.owner,
    thread: `message-${_id}`,
    subject: `Re: your message to ${mail.shop.name}`,
    paragraphs: [text, `On ${formatDate(createdAt, timeZone)} you wrote:\n${quoted}`],
  })
}
