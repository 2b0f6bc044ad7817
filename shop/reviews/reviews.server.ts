import { desc } from 'drizzle-orm'
import { reviews } from '#db/schema.ts'
import type { Page, Paging } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import type { Review, ReviewForm } from './review.ts'

/** Newest first. */
export function listReviews({ db }: Shop, paging: Partial<Paging> = {}): Promise<Page<Review>> {
  return readPage(db, reviews, { orderBy: [desc(reviews.number)], ...paging })
}

/** Name and picture are those of the signed-in person, whatever the browser says. */
export function addReview({ db }: Shop, writer: Member, form: ReviewForm, key?: string) {
  return idempotent(db, { userId: writer._id, call: 'addReview', key, body: form }, async (tx) => {
    const { _id: userId, name, photoURL: image } = writer
    const [added] = await tx
      .insert(reviews)
      .values({ ...form, userId, name, image })
      .returning()
    return { insertedId: added!._id }
  })
}
