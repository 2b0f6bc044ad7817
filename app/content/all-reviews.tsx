import { shopContext } from '#app/context.ts'
import { readList } from '#app/list.ts'
import { indexable } from '#app/meta.ts'
import { listUrl } from '#app/query-url.ts'
import { Pagination } from '#app/ui/table/pagination.tsx'
import { optionalText, paging } from '#shop/fields.ts'
import { formatTotal } from '#shop/money.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import { listPartReviews, listReviews, readPartRating } from '#shop/reviews/reviews.server.ts'
import type { Route } from './+types/all-reviews'
import { toReviewCard } from './review-card.ts'
import { ReviewGrid } from './reviews.tsx'

const path = '/reviews'

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const { title = 'Reviews', query = {} } = loaderData ?? {}
  const { page } = query
  return indexable(matches, {
    title: page ? `${title} · Page ${page}` : title,
    description: 'What workshops, clubs and wheel builders say about our parts, delivery and service.',
    path: listUrl(path, query),
  })
}

/** With `?part`, those of a part; of one that is not for sale, those of the shop. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { reader: shop } = context.get(shopContext)
  const partId = new URL(request.url).searchParams.get('part')
  const part = partId ? await readPart(shop, partId).catch(() => null) : null
  const query = part ? paging.extend({ part: optionalText(64) }) : paging
  const { rows, ...list } = await readList(request, query, (query) =>
    part ? listPartReviews(shop, part._id, query) : listReviews(shop, query),
  )
  return {
    ...list,
    title: part ? `Reviews of ${part.name}` : 'Reviews',
    summary: await summarize(shop, list.total, part),
    rows: rows.map(toReviewCard),
  }
}

/** Written on the server, so that browsers need no script for it. */
async function summarize(shop: Shop, total: number, part: { _id: string } | null) {
  if (total === 0) return 'No reviews yet.'
  const average = part && (await readPartRating(shop, part._id))
  const count = `${formatTotal(total)} ${total === 1 ? 'review' : 'reviews'}`
  return `${average ? `${average} of 5 stars from ` : ''}${count}, newest first`
}

export default function AllReviews({ loaderData }: Route.ComponentProps) {
  const { title, summary, rows, pages, isCounted, query } = loaderData
  return (
    <>
      <h1 className="mt-10">{title}</h1>
      <p className="mt-3 mb-8 text-base-content/80">{summary}</p>
      <ReviewGrid reviews={rows} heading="h2" />
      {pages > 1 && (
        <Pagination
          page={query.page ?? 1}
          pages={pages}
          isCounted={isCounted}
          to={(page) => listUrl(path, { ...query, page })}
        />
      )}
    </>
  )
}
