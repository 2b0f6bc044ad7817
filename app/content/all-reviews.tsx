import { shopContext } from '#app/context.ts'
import { listUrl, readList } from '#app/list.ts'
import { indexable } from '#app/meta.ts'
import { Pagination } from '#app/ui/pagination.tsx'
import { paging } from '#shop/fields.ts'
import { review } from '#shop/reviews/review.ts'
import { listReviews } from '#shop/reviews/reviews.server.ts'
import type { Route } from './+types/all-reviews'
import { ReviewGrid } from './reviews.tsx'

const path = '/reviews'

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const { page } = loaderData?.query ?? {}
  return indexable(matches, {
    title: page ? `Reviews · Page ${page}` : 'Reviews',
    description: 'What workshops, clubs and wheel builders say about our parts, delivery and service.',
    path: listUrl(path, { page }),
  })
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const { shop } = context.get(shopContext)
  const list = await readList(request, paging, (query) => listReviews(shop, query))
  return { ...list, rows: list.rows.map((row) => review.parse(row)) }
}

export default function AllReviews({ loaderData: { rows, total, pages, query } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mt-10">Reviews</h1>
      <p className="mt-3 mb-8 text-base-content/80">
        {total === 0 ? 'No reviews yet.' : `${total} ${total === 1 ? 'review' : 'reviews'}, newest first`}
      </p>
      <ReviewGrid reviews={rows} heading="h2" />
      {pages > 1 && (
        <Pagination page={query.page ?? 1} pages={pages} to={(page) => listUrl(path, { page })} />
      )}
    </>
  )
}
