import { Link } from 'react-router'
import { PersonPicture } from '#app/account/person-picture.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Stars } from '#app/ui/stars.tsx'
import type { Review } from '#shop/reviews/review.ts'

interface Props {
  reviews: Review[]
  /** Counts those that are not shown, too. */
  total?: number
  title?: string
}

export function Reviews({ reviews, total = reviews.length, title = 'What Our Beloved Client Says' }: Props) {
  if (reviews.length === 0) return null
  return (
    <section className="mt-20">
      <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2>{title}</h2>
        {total > reviews.length && (
          <Link to="/reviews" className="flex items-center gap-1.5 whitespace-nowrap hover:underline">
            {`Show all ${total} reviews`} <Icon name="arrow" className="size-4" />
          </Link>
        )}
      </div>
      <ReviewGrid reviews={reviews} />
    </section>
  )
}

export function ReviewGrid({ reviews, heading }: { reviews: Review[]; heading?: 'h2' | 'h3' }) {
  return (
    <div className="grid gap-x-6 gap-y-10 md:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {reviews.map((review) => (
        <ReviewCard key={review._id} review={review} heading={heading} />
      ))}
    </div>
  )
}

interface ReviewCardProps {
  review: Omit<Review, '_id'>
  heading?: 'h2' | 'h3' | undefined
}

export function ReviewCard({ review, heading: Heading = 'h3' }: ReviewCardProps) {
  return (
    <article className="flex flex-col gap-3 border-t-2 border-base-content pt-4">
      <header className="flex items-center gap-3">
        <PersonPicture src={review.image} size={44} />
        <div>
          <Heading className="text-base leading-tight">{review.name}</Heading>
          <Stars rating={review.rating} />
        </div>
      </header>
      <p>{`Review: ${review.reviews}`}</p>
      <p className="mt-auto text-sm text-base-content/75">{`Address: ${review.address}`}</p>
    </article>
  )
}
