import { z } from 'zod'
import { requiredText, wholeNumber } from '#shop/fields.ts'

export const reviewForm = z.object({
  address: requiredText('Address is required', 200),
  reviews: requiredText('review is required', 2_000),
  rating: wholeNumber('Rating is required').pipe(z.int().min(1, 'From 1 to 5').max(5, 'From 1 to 5')),
})
export type ReviewForm = z.output<typeof reviewForm>

export const review = z.object({
  _id: z.string(),
  name: z.string(),
  image: z.string().nullable(),
  address: z.string(),
  reviews: z.string(),
  rating: z.int(),
})
export type Review = z.output<typeof review>
