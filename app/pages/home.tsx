import { Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { PartCard } from '#app/ui/part-card.tsx'
import { listParts } from '#shop/parts/parts.server.ts'
import type { Review } from '#shop/reviews/review.ts'
import { listReviews } from '#shop/reviews/reviews.server.ts'
import type { Route } from './+types/home'

export const meta: Route.MetaFunction = () => [
  { title: `${brand.name} · ${brand.tagline}` },
  { name: 'description', content: brand.pitch },
]

export async function loader({ context }: Route.LoaderArgs) {
  const { shop } = context.get(shopContext)
  const [parts, reviews] = await Promise.all([
    listParts(shop, { limit: 3 }),
    listReviews(shop, { limit: 12 }),
  ])
  return { featured: parts.rows, reviews: reviews.rows }
}

export default function Home({ loaderData: { featured, reviews } }: Route.ComponentProps) {
  return (
    <>
      <section className="grid min-h-[500px] content-center gap-6 rounded-box bg-neutral px-6 text-neutral-content sm:px-12">
        <h1 className="max-w-3xl text-4xl font-bold tracking-tight text-balance sm:text-6xl">
          {brand.headline}
        </h1>
        <p className="max-w-xl text-lg">{brand.pitch}</p>
        <Link to="/parts" className="btn btn-primary btn-lg w-fit">
          See the parts
        </Link>
      </section>

      <section className="mt-14">
        <h2 className="mb-6 text-2xl font-semibold tracking-tight">Featured products</h2>
        <div className="grid gap-6 md:grid-cols-3">
          {featured.map((part) => (
            <PartCard key={part._id} part={part} />
          ))}
        </div>
      </section>

      <section className="mt-14 border-y border-base-300 py-8">
        <dl className="grid grid-cols-2 gap-6 md:grid-cols-4">
          {brand.figures.map(({ label, value }) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-base-content/80">{label}</dt>
              <dd className="text-3xl font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
      </section>

      <section className="mt-14">
        <h2 className="mb-6 text-2xl font-semibold tracking-tight">What Our Beloved Client Says</h2>
        <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
          {reviews.map((review) => (
            <ReviewCard key={review._id} review={review} />
          ))}
        </div>
      </section>
    </>
  )
}

function ReviewCard({ review }: { review: Review }) {
  return (
    <article className="flex flex-col gap-3 rounded-box border border-base-300 p-4">
      <header className="flex items-center gap-3">
        <img
          src={review.image ?? '/person.svg'}
          alt=""
          width="40"
          height="40"
          className="size-10 rounded-full object-cover"
        />
        <div>
          <h3 className="font-semibold">{review.name}</h3>
          <p role="img" aria-label={`${review.rating} of 5 stars`} className="text-primary">
            {'★'.repeat(review.rating)}
            <span className="text-base-content/30">{'★'.repeat(5 - review.rating)}</span>
          </p>
        </div>
      </header>
      <p>{`Review: ${review.reviews}`}</p>
      <p className="mt-auto text-sm text-base-content/80">{`Address: ${review.address}`}</p>
    </article>
  )
}
