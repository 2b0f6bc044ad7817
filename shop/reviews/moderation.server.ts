import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { parts, type Queries, reviews } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { changedMeanwhile, ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { orderBy, readPage } from '#shop/pagination.server.ts'
import { ownPictureUrl } from '#shop/photos/photos.server.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesFoldedWords } from '#shop/search/match-words.server.ts'
import type { AnswerForm, ModeratedReview, ReviewQuery } from './moderation.ts'

type Row = typeof reviews.$inferSelect

export function reviewConditions({ q, status, of }: Partial<ReviewQuery>) {
  const { name, address, reviews: text, hiddenAt, partId } = reviews
  return and(
    q ? matchesFoldedWords(sql`fold(${name} || ' ' || ${address} || ' ' || ${text})`, q) : undefined,
    status && (status === 'hidden' ? isNotNull(hiddenAt) : isNull(hiddenAt)),
    of && (of === 'parts' ? isNotNull(partId) : isNull(partId)),
  )
}

/** Those of the shop and of all parts, also hidden ones; newest first. */
export async function listAllReviews(
  shop: Shop,
  { q, status, of, sort, limit, page }: Partial<ReviewQuery> = {},
): Promise<Page<ModeratedReview>> {
  const { name, number, rating } = reviews
  const where = reviewConditions({ q, status, of })
  const columns = { added: number, name: sql`lower(${name})`, rating }
  const { rows, total } = await readPage(shop.db, reviews, {
    where,
    orderBy: orderBy(columns, sort),
    limit,
    page,
  })
  const names = await readPartNames(shop.db, rows)
  return { rows: rows.map((row) => toModerated(shop, row, names)), total }
}

/** Also of parts that are no longer for sale. */
async function readPartNames(db: Queries, rows: Row[]) {
  const ids = rows.flatMap(({ partId }) => partId ?? [])
  if (ids.length === 0) return new Map<string, string>()
  const found = await db
    .select({ _id: parts._id, name: parts.name })
    .from(parts)
    .where(inArray(parts._id, ids))
  return new Map(found.map(({ _id, name }) => [_id, name]))
}

function toModerated(shop: Shop, { partId, image, ...row }: Row, names: Map<string, string>) {
  const part = partId === null ? null : { _id: partId, name: names.get(partId)! }
  return { ...row, image: ownPictureUrl(shop, image), part }
}

/** Nobody but admins sees it then; its text stays. Throws 'not-found'. */
export function hideReview({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, reason: string) {
  return changeReview(db, id, async (tx, { name, hiddenReason }) => {
    if (hiddenReason === reason) return false
    await tx
      .update(reviews)
      .set({ hiddenAt: new Date().toISOString(), hiddenReason: reason })
      .where(eq(reviews._id, id))
    await recordChange(tx, admin, {
      ...reviewSubject(id, name),
      action: 'hideReview',
      before: { hidden: hiddenReason !== null, reason: hiddenReason },
      after: { hidden: true, reason },
    })
    return true
  })
}

/** Throws 'not-found'. */
export function showReview({ db }: Pick<Shop, 'db'>, admin: Actor, id: string) {
  return changeReview(db, id, async (tx, { name, hiddenReason }) => {
    if (hiddenReason === null) return false
    await tx.update(reviews).set({ hiddenAt: null, hiddenReason: null }).where(eq(reviews._id, id))
    await recordChange(tx, admin, {
      ...reviewSubject(id, name),
      action: 'showReview',
      before: { hidden: true, reason: hiddenReason },
      after: { hidden: false, reason: null },
    })
    return true
  })
}

/** Replaces an earlier answer. Throws 'not-found', and 'conflict' when it is not the one that was read. */
export function answerReview(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  id: string,
  { answer, before: seen }: AnswerForm,
) {
  return changeReview(db, id, async (tx, { name, answer: before }) => {
    if (before === answer) return false
    if (seen !== undefined && seen !== before) {
      const message = changedMeanwhile(before)
      throw new ShopError('conflict', message, { fields: { answer: [message] } })
    }
    await tx.update(reviews).set({ answer, answeredAt: new Date().toISOString() }).where(eq(reviews._id, id))
    const values = { before: { answer: before }, after: { answer } }
    await recordChange(tx, admin, { ...reviewSubject(id, name), action: 'answerReview', ...values })
    return true
  })
}

/** `change` returns whether there was something to change. */
function changeReview(
  db: Shop['db'],
  id: string,
  change: (tx: Queries, review: Row) => Promise<boolean>,
): Promise<{ modifiedCount: number }> {
  return db.transaction(async (tx) => {
    const [review] = await tx.select().from(reviews).where(eq(reviews._id, id)).for('update')
    if (!review) throw new ShopError('not-found', 'This review doesn’t exist.')
    return { modifiedCount: (await change(tx, review)) ? 1 : 0 }
  })
}

function reviewSubject(id: string, subject: string) {
  return { kind: 'review', id, subject } as const
}
