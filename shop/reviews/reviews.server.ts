import { desc } from 'drizzle-orm'
import { reviews } from '#db/schema.ts'
import type { Page, Paging } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { readPage } from '#shop/pagination.server.ts'
import { ownPictureUrl } from '#shop/photos/photos.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { Review, ReviewForm } from './review.ts'

export async function listReviews(shop: Shop, paging: Partial<Paging> = {}): Promise<Page<Review>> {
  const { rows, total } = await readPage(shop.db, reviews, { orderBy: [desc(reviews.number)], ...paging })
  return { rows: rows.map((row) => ({ ...row, image: ownPictureUrl(shop, row.image) })), total }
}

/** Uses the author's name and picture, never the client's. */
export function addReview({ db }: Shop, author: Member, form: ReviewForm, key?: string) {
  return idempotent(db, { userId: author._id, call: 'addReview', key, body: form }, async (tx) => {
    const { _id: userId, name, photoURL: image } = author
    const [added] = await tx
      .insert(reviews)
      .values({ ...form, userId, name, image })
      .returning()
    return { insertedId: added!._id }
  })
}
