import { PersonPicture } from '#app/account/person-picture.tsx'
import { Stars } from '#app/ui/stars.tsx'
import type { Review } from '#shop/reviews/review.ts'

export function Reviews({ reviews }: { reviews: Review[] }) {
  if (reviews.length === 0) return null
  return (
    <section className="mt-20">
      <h2 className="mb-6">What Our Beloved Client Says</h2>
      <div className="grid gap-x-6 gap-y-10 md:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
        {reviews.map((review) => (
          <ReviewCard key={review._id} review={review} />
        ))}
      </div>
    </section>
  )
}

export function ReviewCard({ review }: { review: Omit<Review, '_id'> }) {
  return (
    <article className="flex flex-col gap-3 border-t-2 border-base-content pt-4">
      <header className="flex items-center gap-3">
        <PersonPicture src={review.image} size={44} />
        <div>
          <h3 className="text-base leading-tight">{review.name}</h3>
          <Stars rating={review.rating} />
        </div>
      </header>
      <p>{`Review: ${review.reviews}`}</p>
      <p className="mt-auto text-sm text-base-content/75">{`Address: ${review.address}`}</p>
    </article>
  )
}
