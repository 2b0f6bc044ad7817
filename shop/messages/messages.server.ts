import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { messages, type Queries, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { orderBy, readPage } from '#shop/pagination.server.ts'
import type { Mail, Shop } from '#shop/ports.ts'
import { searchTokens } from '#shop/search/tokenize.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import type { Message, MessageForm, MessageQuery } from './message.ts'

export async function sendMessage({ db, mail }: Shop, form: MessageForm, key?: string) {
  return idempotent(db, { userId: form.email, call: 'sendMessage', key, body: form }, async (tx) => {
    const [added] = await tx.insert(messages).values(form).returning()
    await mail.send(composeMessageEmail(mail, form), tx)
    return { insertedId: added!._id }
  })
}

function composeMessageEmail({ shop, owner }: Mail, { name, email, phone, message }: MessageForm) {
  return composeEmail(shop, {
    to: owner,
    replyTo: email,
    subject: `Message from ${name}`,
    paragraphs: [message, `${name}\n${email}\n${phone}`],
  })
}

export async function listMessages(
  { db }: Pick<Shop, 'db'>,
  query: Partial<MessageQuery> = {},
): Promise<Page<Message>> {
  const { q, status, assignee, sort, limit, page } = query
  const where = and(
    q === undefined ? undefined : matchesSearch(q),
    status && (status === 'new' ? isNewMessage : isNotNull(messages.answeredAt)),
    assignee === undefined ? undefined : inArray(messages.assigneeId, usersWithEmail(db, assignee)),
  )
  const columns = { added: messages.number, name: sql`lower(${messages.name})` }
  const { rows, total } = await readPage(db, messages, {
    where,
    orderBy: orderBy(columns, sort),
    limit,
    page,
  })
  return { rows: await withAssignees(db, rows), total }
}

function usersWithEmail(db: Queries, email: string) {
  return db
    .select({ _id: users._id })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
}

export async function withAssignees(db: Queries, rows: (typeof messages.$inferSelect)[]): Promise<Message[]> {
  const ids = rows.flatMap(({ assigneeId }) => assigneeId ?? [])
  const found =
    ids.length === 0
      ? []
      : await db
          .select({ _id: users._id, email: users.email, name: users.name })
          .from(users)
          .where(inArray(users._id, ids))
  const assignees = new Map(found.map(({ _id, ...user }) => [_id, user]))
  return rows.map(({ assigneeId, ...row }) => ({ ...row, assignee: assignees.get(assigneeId ?? '') ?? null }))
}

export const isNewMessage = isNull(messages.answeredAt)

/** Marking it twice keeps the first time. Throws 'not-found' for an unknown message. */
export async function markMessage({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, answered: boolean) {
  const [found] = await db.select({ name: messages.name }).from(messages).where(eq(messages._id, id))
  if (!found) throw new ShopError('not-found', 'This message doesn’t exist.')
  return db.transaction(async (tx) => {
    const marked = await tx
      .update(messages)
      .set({ answeredAt: answered ? new Date().toISOString() : null })
      .where(and(eq(messages._id, id), answered ? isNewMessage : isNotNull(messages.answeredAt)))
      .returning({ _id: messages._id })
    const subject = { kind: 'message', id, subject: found.name } as const
    const values = { before: { answered: !answered }, after: { answered } }
    if (marked.length > 0) await recordChange(tx, admin, { ...subject, action: 'markMessage', ...values })
    return { modifiedCount: marked.length }
  })
}

/** Of a word of nothing but accents, fold() leaves nothing. */
function hasLetters(word: string) {
  return word.normalize('NFD').replace(/[\u0300-\u036f]/g, '') !== ''
}

function matchesSearch(q: string) {
  const { name, email, message } = messages
  const terms = searchTokens(q)
    .filter(hasLetters)
    .map((word) => `${word}:*`)
  if (terms.length === 0) return sql`false`
  return sql`to_tsvector('simple', plain_words(fold(${name} || ' ' || ${email} || ' ' || ${message})))
    @@ to_tsquery('simple', fold(${terms.join(' & ')}))`
}
