import { brand } from '#app/brand.ts'
import type { Page } from '#shop/fields.ts'
import { formatTotal } from '#shop/money.ts'
import type { Review } from '#shop/reviews/review.ts'

/** Written on the server, so that browsers need no script for it. */
export interface ReviewCardContent extends Pick<Review, '_id' | 'name' | 'image' | 'rating'> {
  lines: [text: string, className?: string][]
}

export interface ReviewSection {
  title: string
  reviews: ReviewCardContent[]
  /** A link to all of them, when there are more. */
  all?: { to: string; label: string } | undefined
}

export function toReviewCard(review: Review): ReviewCardContent {
  const { _id, name, image, rating, reviews, answer, verifiedBuyer, address } = review
  const lines: (ReviewCardContent['lines'][number] | false)[] = [
    verifiedBuyer && ['Verified buyer', 'text-sm font-medium text-primary'],
    [`Review: ${reviews}`, 'whitespace-pre-line'],
    answer !== null && [
      `${brand.name} answered: ${answer}`,
      'border-l-2 border-base-300 pl-3 whitespace-pre-line',
    ],
    [`Address: ${address}`, 'mt-auto text-sm text-base-content/75'],
  ]
  return { _id, name, image, rating, lines: lines.filter((line) => line !== false) }
}

/** Without a link `to` all of them, or when it shows all, it has none. */
export function reviewSection(
  { rows, total }: Page<Review>,
  { title, to }: { title: string; to?: string },
): ReviewSection {
  const all = to && total > rows.length && { to, label: `Show all ${formatTotal(total)} reviews` }
  return { title, reviews: rows.map(toReviewCard), ...(all && { all }) }
}
