import { and, desc, eq, isNotNull, isNull, max, not, sql } from 'drizzle-orm'
import { parts, purchases, type Queries, reviews } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page, Paging } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { readPage } from '#shop/pagination.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import { ownPictureUrl } from '#shop/photos/photos.server.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { Review, ReviewablePart, ReviewForm } from './review.ts'

const isShown = isNull(reviews.hiddenAt)

/** Of the shop, newest first. */
export function listReviews(shop: Shop, paging: Partial<Paging> = {}): Promise<Page<Review>> {
  return readReviews(shop, isNull(reviews.partId), paging)
}

/** Newest first. Throws 'not-found' for an unknown part. */
export async function listPartReviews(
  shop: Shop,
  partId: string,
  paging: Partial<Paging> = {},
): Promise<Page<Review>> {
  await readPart(shop, partId)
  return readReviews(shop, eq(reviews.partId, partId), paging)
}

async function readReviews(
  shop: Shop,
  condition: ReturnType<typeof isNull>,
  paging: Partial<Paging>,
): Promise<Page<Review>> {
  const where = and(condition, isShown)
  const { rows, total } = await readPage(shop.db, reviews, {
    where,
    orderBy: [desc(reviews.number)],
    ...paging,
  })
  return { rows: rows.map((row) => ({ ...row, image: ownPictureUrl(shop, row.image) })), total }
}

/** Of the reviews that are shown, with one decimal; null without any. */
export async function readPartRating({ db }: Pick<Shop, 'db'>, partId: string) {
  const [row] = await db
    .select({ average: sql<string | null>`round(avg(${reviews.rating}), 1)::text` })
    .from(reviews)
    .where(and(eq(reviews.partId, partId), isShown))
  return row!.average
}

export async function readPartReviewStatus({ db }: Pick<Shop, 'db'>, { _id }: Member, partId: string) {
  const own = and(eq(reviews.userId, _id), eq(reviews.partId, partId))
  const [bought, written] = await Promise.all([hasPaid(db, _id, partId), db.$count(reviews, own)])
  return { bought, reviewed: written > 0 }
}

const reviewableParts = 60

/** Parts for sale that the member has paid for and not reviewed, the last paid first. */
export function listReviewableParts({ db }: Pick<Shop, 'db'>, { _id }: Member): Promise<ReviewablePart[]> {
  const written = sql`exists (select from ${reviews} where ${reviews.userId} = ${_id} and ${reviews.partId} = ${parts._id})`
  const shippedAt = max(purchases.shippedAt)
  return db
    .select({ _id: parts._id, name: parts.name, image: parts.image, shippedAt })
    .from(purchases)
    .innerJoin(parts, and(eq(parts._id, purchases.partId), notDeleted))
    .where(and(eq(purchases.userId, _id), isNotNull(purchases.paidAt), not(written)))
    .groupBy(parts._id)
    .orderBy(sql`${shippedAt} desc nulls last`, desc(max(purchases.paidAt)), desc(parts._id))
    .limit(reviewableParts)
}

/**
 * Uses the author's name and picture, never the client's. Throws 'conflict' for a part that the author has not paid for, or has
 * reviewed before.
 */
export function addReview(shop: Shop, author: Member, form: ReviewForm, key?: string) {
  return idempotent(shop.db, { userId: author._id, call: 'addReview', key, body: form }, async (tx) => {
    await lockMember(tx, author)
    const { _id: userId, name, photoURL: image } = author
    const { partId } = form
    const part = partId === undefined ? null : await readPart({ db: tx }, partId)
    const verifiedBuyer = await hasPaid(tx, userId, partId)
    if (part && !verifiedBuyer)
      throw new ShopError('conflict', `Only customers who have bought ${part.name} can review it.`)
    const [added] = await tx
      .insert(reviews)
      .values({ ...form, userId, name, image, verifiedBuyer })
      .onConflictDoNothing()
      .returning()
    if (!added) throw new ShopError('conflict', `You’ve already reviewed ${part?.name ?? 'this part'}.`)
    return { insertedId: added._id }
  })
}

/** For an order of the part or, without one, for any. */
async function hasPaid(db: Queries, userId: string, partId?: string) {
  const paid = await db
    .select({ _id: purchases._id })
    .from(purchases)
    .where(
      and(
        eq(purchases.userId, userId),
        isNotNull(purchases.paidAt),
        partId === undefined ? undefined : eq(purchases.partId, partId),
      ),
    )
    .limit(1)
  return paid.length > 0
}
