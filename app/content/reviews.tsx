import { Link } from 'react-router'
import { PersonPicture } from '#app/account/person-picture.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Stars } from '#app/ui/stars.tsx'
import type { ReviewCardContent, ReviewSection } from './review-card.ts'

export function Reviews({ title, reviews, all }: ReviewSection) {
  return (
    reviews[0] && (
      <section id="reviews" tabIndex={-1} className="mt-20 outline-none">
        <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2>{title}</h2>
          {all && (
            <Link to={all.to} className="flex items-center gap-1.5 whitespace-nowrap hover:underline">
              {all.label} <Icon name="arrow" className="size-4" />
            </Link>
          )}
        </div>
        <ReviewGrid reviews={reviews} />
      </section>
    )
  )
}

export function ReviewGrid({ reviews, heading }: { reviews: ReviewCardContent[]; heading?: 'h2' | 'h3' }) {
  return (
    <div className="grid gap-x-6 gap-y-10 md:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
      {reviews.map((review) => (
        <ReviewCard key={review._id} review={review} heading={heading} />
      ))}
    </div>
  )
}

interface ReviewCardProps {
  review: ReviewCardContent
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
      {review.lines.map(([text, className]) => (
        <p key={text} className={className}>
          {text}
        </p>
      ))}
    </article>
  )
}
