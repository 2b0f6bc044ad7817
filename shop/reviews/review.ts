import { z } from 'zod'
import { requiredText, wholeNumber } from '#shop/fields.ts'

export const reviewForm = z.object({
  address: requiredText('Address is required', 200),
  reviews: requiredText('review is required', 2_000),
  rating: wholeNumber('Rating is required').pipe(z.int().min(1, 'From 1 to 5').max(5, 'From 1 to 5')),
  /** Of a part that the customer has paid for; a review of the shop has none. */
  partId: z.string('partId must be text').max(64).optional(),
})
export type ReviewForm = z.output<typeof reviewForm>

export const review = z.object({
  _id: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  address: z.string(),
  reviews: z.string(),
  rating: z.int(),
  /** Whether the author had paid for an order, of the part if it is of one. */
  verifiedBuyer: z.boolean(),
  /** Of the shop. */
  answer: z.string().nullable(),
})
export type Review = z.output<typeof review>

/** What the signed-in customer may do: review a part that they have `bought` and not `reviewed`. */
export const partReviewStatus = z.object({ bought: z.boolean(), reviewed: z.boolean() })

/** What a review of their own may be about, of the parts that a customer has paid for. */
export const reviewablePart = z.object({
  _id: z.string(),
  name: z.string(),
  image: z.string(),
  /** When the last of it shipped; null when none has. */
  shippedAt: z.string().nullable(),
})
export type ReviewablePart = z.output<typeof reviewablePart>

/** `token`: of the link in an email that asks for a review. */
export const reviewEmailChoice = z.object({
  token: z.string('The token is required').max(500),
  wanted: z.boolean('wanted must be true or false'),
})
