import { and, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { parts, purchases, type Queries, reviews } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { changedMeanwhile, ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import { orderBy, readPage } from '#shop/pagination.server.ts'
import { ownPictureUrl } from '#shop/photos/photos.server.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesFoldedWords } from '#shop/search/match-words.server.ts'
import type { AnswerForm, ModeratedReview, ReviewQuery } from './moderation.ts'

type Row = typeof reviews.$inferSelect

export function reviewConditions({ q, status, of, answer, rating }: Partial<ReviewQuery>) {
  const { name, address, reviews: text, hiddenAt, partId } = reviews
  return and(
    q ? matchesFoldedWords(sql`fold(${name} || ' ' || ${address} || ' ' || ${text})`, q) : undefined,
    status && (status === 'hidden' ? isNotNull(hiddenAt) : isNull(hiddenAt)),
    of && (of === 'parts' ? isNotNull(partId) : isNull(partId)),
    answer && and(isNull(hiddenAt), isNull(reviews.answer)),
    rating && lte(reviews.rating, 2),
  )
}

/** Those of the shop and of all parts, also hidden ones; newest first. */
export async function listAllReviews(
  shop: Shop,
  { sort, limit, page, ...filters }: Partial<ReviewQuery> = {},
): Promise<Page<ModeratedReview>> {
  const { name, number, rating } = reviews
  const columns = { added: number, name: sql`lower(${name})`, rating }
  const { rows, total } = await readPage(shop.db, reviews, {
    where: reviewConditions(filters),
    orderBy: orderBy(columns, sort),
    limit,
    page,
  })
  const [reviewed, bought] = await Promise.all([readParts(shop.db, rows), readOrders(shop, rows)])
  return { rows: rows.map((row) => toModerated(shop, row, reviewed, bought)), total }
}

type ReviewedPart = NonNullable<ModeratedReview['part']>
type ReviewedOrder = NonNullable<ModeratedReview['order']>

/** Also of parts that are no longer for sale. */
async function readParts(db: Queries, rows: Row[]) {
  const ids = rows.flatMap(({ partId }) => partId ?? [])
  if (ids.length === 0) return new Map<string, ReviewedPart>()
  const found = await db
    .select({ _id: parts._id, name: parts.name, image: parts.image })
    .from(parts)
    .where(inArray(parts._id, ids))
  return new Map(found.map((part) => [part._id, part]))
}

/** By customer and part. */
async function readOrders(shop: Pick<Shop, 'db' | 'settings'>, rows: Row[]) {
  const ofParts = rows.filter(({ userId, partId }) => userId && partId)
  if (ofParts.length === 0) return new Map<string, ReviewedOrder>()
  const { userId, partId, paidAt, orderId, number } = purchases
  const found = await shop.db
    .select({ userId, partId, _id: orderId, number })
    .from(purchases)
    .where(
      and(
        inArray(
          userId,
          ofParts.map((row) => row.userId!),
        ),
        inArray(
          partId,
          ofParts.map((row) => row.partId!),
        ),
        isNotNull(paidAt),
      ),
    )
    .orderBy(paidAt)
  // The latest is the last.
  return new Map(
    found.map((row) => [orderKey(row), { _id: row._id, number: formatOrderNumber(shop, row.number) }]),
  )
}

function orderKey({ userId, partId }: Pick<Row, 'userId' | 'partId'>) {
  return `${userId} ${partId}`
}

function toModerated(
  shop: Shop,
  { partId, image, ...row }: Row,
  reviewed: Map<string, ReviewedPart>,
  bought: Map<string, ReviewedOrder>,
) {
  const part = partId === null ? null : reviewed.get(partId)!
  const order = bought.get(orderKey({ ...row, partId })) ?? null
  return { ...row, image: ownPictureUrl(shop, image), part, order }
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
