import type { Review } from '#shop/reviews/review.ts'

/** What customers say; nothing where nobody has said anything yet. */
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

function ReviewCard({ review }: { review: Review }) {
  return (
    <article className="flex flex-col gap-3 border-t-2 border-base-content pt-4">
      <header className="flex items-center gap-3">
        <img
          src={review.image ?? '/person.svg'}
          alt=""
          width="44"
          height="44"
          loading="lazy"
          className="size-11 rounded-full object-cover"
        />
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

function Stars({ rating }: { rating: number }) {
  return (
    <p role="img" aria-label={`${rating} of 5 stars`} className="mt-1 flex gap-0.5">
      {[1, 2, 3, 4, 5].map((star) => (
        <svg key={star} viewBox="0 0 20 20" className="size-4" aria-hidden="true">
          <path
            d="m10 1.8 2.5 5.3 5.8.8-4.2 4 1 5.8L10 14.9l-5.1 2.8 1-5.8-4.2-4 5.8-.8z"
            className={star <= rating ? 'fill-primary' : 'fill-base-300'}
          />
        </svg>
      ))}
    </p>
  )
}
