import { z } from 'zod'
import { optionalText, paging, requiredText, searchText, sortField } from '#shop/fields.ts'
import { review } from './review.ts'

export const moderatedReview = review.extend({
  createdAt: z.string(),
  /** Null for a review from before accounts were kept with it. */
  userId: z.string().nullable(),
  /** Null for a review of the shop. */
  part: z.object({ _id: z.string(), name: z.string(), image: z.string() }).nullable(),
  /** The author's latest paid order of the part; null for a review of the shop. */
  order: z.object({ _id: z.string(), number: z.string() }).nullable(),
  /** Why it is hidden; null when everybody sees it. */
  hiddenReason: z.string().nullable(),
})
export type ModeratedReview = z.output<typeof moderatedReview>

/** `q` searches name, address and text. */
export const reviewQuery = paging.extend({
  q: searchText,
  status: z.enum(['shown', 'hidden'], 'status must be shown or hidden').optional(),
  of: z.enum(['shop', 'parts'], 'of must be shop or parts').optional(),
  /** Those that are shown and have no answer yet. */
  answer: z.enum(['missing'], 'answer must be missing').optional(),
  /** Those of one or two stars. */
  rating: z.enum(['low'], 'rating must be low').optional(),
  sort: sortField(['added', 'name', 'rating']),
})
export type ReviewQuery = z.output<typeof reviewQuery>

export const hideForm = z.object({ reason: requiredText('Reason is required', 300) })
export const answerForm = z.object({
  answer: requiredText('Answer is required', 2_000),
  /** The answer that was read, null without one: another one that was saved meanwhile is not replaced. */
  before: optionalText(2_000).nullable(),
})
export type AnswerForm = z.output<typeof answerForm>
