import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { messages, orders, type Queries, users } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import type { Page, RowStream } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import { orderBy, readPage, streamRows } from '#shop/pagination.server.ts'
import type { Mail, Shop } from '#shop/ports.ts'
import { lexemeQuery, matchAll } from '#shop/search/ts-query.ts'
import { readSearchText } from '#shop/search/words.server.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import type { Message, MessageForm, MessageQuery } from './message.ts'

export async function sendMessage({ db, mail, settings }: Shop, form: MessageForm, key?: string) {
  return idempotent(db, { userId: form.email, call: 'sendMessage', key, body: form }, async (tx) => {
    const [added] = await tx.insert(messages).values(form).returning()
    await mail.send(
      composeMessageEmail(mail, settings.current.notifications.messages || mail.owner, form),
      tx,
    )
    return { insertedId: added!._id }
  })
}

function composeMessageEmail({ shop }: Mail, owner: string, { name, email, phone, message }: MessageForm) {
  return composeEmail(shop, {
    to: owner,
    replyTo: email,
    subject: `Message from ${name}`,
    paragraphs: [message, `${name}\n${email}\n${phone}`],
  })
}

type MessageContext = Pick<Shop, 'db' | 'settings'>

/** Those with the latest replies first. */
export async function listMessages(
  shop: MessageContext,
  query: Partial<MessageQuery> = {},
): Promise<Page<Message>> {
  const { db } = shop
  const { limit, page } = query
  const { rows, total } = await readPage(db, messages, { ...(await searchMessages(db, query)), limit, page })
  return { rows: await describeMessages(shop, rows), total }
}

/** All that `listMessages` would list, in its order. */
export async function streamMessages(
  shop: Shop,
  query: Omit<Partial<MessageQuery>, 'limit' | 'page'> = {},
): Promise<RowStream<Message>> {
  const { db } = shop
  const read = async (ids: string[]) =>
    describeMessages(shop, await db.select().from(messages).where(inArray(messages._id, ids)))
  return streamRows(db, messages, { ...(await searchMessages(db, query)), read })
}

async function searchMessages(db: Queries, { q, status, assignee, sort }: Partial<MessageQuery>) {
  const where = and(
    q === undefined ? undefined : await matchesSearch(db, q),
    status && (status === 'new' ? isNewMessage : isNotNull(messages.answeredAt)),
    assignee === undefined ? undefined : inArray(messages.assigneeId, usersWithEmail(db, assignee)),
  )
  const columns = {
    latest: messages.latestAt,
    added: messages.number,
    name: sql`lower(${messages.name})`,
  }
  return { where, orderBy: orderBy(columns, sort, '-latest') }
}

function usersWithEmail(db: Queries, email: string) {
  return db
    .select({ _id: users._id })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
}

export type MessageRow = typeof messages.$inferSelect

/** With their assignees and the numbers of their orders. */
export async function describeMessages(
  shop: MessageContext,
  rows: MessageRow[],
  db: Queries = shop.db,
): Promise<Message[]> {
  const [assignees, numbers] = await Promise.all([
    readAssignees(
      db,
      rows.flatMap(({ assigneeId }) => assigneeId ?? []),
    ),
    readOrderNumbers(
      shop,
      rows.flatMap(({ orderId }) => orderId ?? []),
      db,
    ),
  ])
  return rows.map(({ assigneeId, orderId, startedByName, ...row }) => {
    const number = numbers.get(orderId ?? '')
    return {
      ...row,
      startedBy: startedByName,
      assignee: assignees.get(assigneeId ?? '') ?? null,
      order: orderId !== null && number !== undefined ? { _id: orderId, number } : null,
    }
  })
}

async function readAssignees(db: Queries, ids: string[]) {
  if (ids.length === 0) return new Map<string, NonNullable<Message['assignee']>>()
  const found = await db
    .select({ _id: users._id, email: users.email, name: users.name })
    .from(users)
    .where(inArray(users._id, ids))
  return new Map(found.map(({ _id, ...user }) => [_id, user]))
}

async function readOrderNumbers(shop: MessageContext, ids: string[], db: Queries) {
  if (ids.length === 0) return new Map<string, string>()
  const found = await db
    .select({ _id: orders._id, number: orders.number })
    .from(orders)
    .where(inArray(orders._id, ids))
  return new Map(found.map(({ _id, number }) => [_id, formatOrderNumber(shop, number)]))
}

export const isNewMessage = isNull(messages.answeredAt)

/** Each is compared with every message that the others find; further words are ignored. */
const maxWords = 12

async function matchesSearch(db: Queries, q: string) {
  const { name, email, message } = messages
  const { words } = await readSearchText(db, q)
  const different = [...new Set(words.map(({ word }) => word))]
  const terms = different.slice(0, maxWords).map((word) => lexemeQuery(word, '*'))
  if (terms.length === 0) return sql`false`
  return sql`cut_into_vector(${name} || ' ' || ${email} || ' ' || ${message}) @@ ${matchAll(terms)}::tsquery`
}
