import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { brand } from '#app/brand.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { Thumb } from '#app/orders/part-thumbs.tsx'
import type { ListQuery } from '#app/query-url.ts'
import { useIsPhone } from '#app/ui/behaviour/phone.ts'
import { useSelection } from '#app/ui/behaviour/selection.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { Stars } from '#app/ui/stars.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import { maxSelected } from '#app/ui/table/selection-bar.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { type ModeratedReview, reviewQuery } from '#shop/reviews/moderation.ts'
import type { Route } from './+types/manage-reviews'
import { AnswerReview, HideReview, ShowReview } from './review-actions.tsx'
import { ReviewSelectionActions } from './review-selection.tsx'

const columns: Column[] = [
  { head: 'Customer', sort: 'name' },
  { head: 'Rating', sort: 'rating' },
  { head: 'Review', className: 'xl:w-2/5' },
  { head: 'Written', kind: 'date', sort: 'added' },
  { head: 'Action', isEnd: true },
]

const statuses = [
  { value: '', label: 'Shown and hidden' },
  { value: 'shown', label: 'Shown' },
  { value: 'hidden', label: 'Hidden' },
]
const subjects = [
  { value: '', label: 'All reviews' },
  { value: 'parts', label: 'Reviews of parts' },
  { value: 'shop', label: 'Reviews of the shop' },
]

export const meta = () => noindex('Reviews')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const reading = readList(request, reviewQuery, (body) => adminClient.listAllReviews({ body }))
  const [list, views] = await Promise.all([reading, readViews('reviews')])
  return { list, views }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ManageReviews({ loaderData: { list, views } }: Route.ComponentProps) {
  const isOnPhone = useIsPhone()
  const selection = useSelection(list.rows)
  return (
    <>
      <h1 className="mb-5">Reviews</h1>
      <SavedViews list="reviews" views={views} />
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        {...(isOnPhone && { card: (review: ModeratedReview) => <ReviewRow review={review} /> })}
        // Who reviews the shop twice has two rows.
        rowName={({ name, part, reviews }) =>
          `review of ${part?.name ?? `the shop, “${reviews.slice(0, 30)}…”,`} by ${name}`
        }
        noun={['review', 'reviews']}
        searchPlaceholder="Name, address or text"
        filters={[
          { name: 'status', label: 'Status', options: statuses },
          { name: 'of', label: 'Reviews of', options: subjects },
        ]}
        selecting={{
          selection,
          readAll: () => readFirst(list.query),
          actions: <ReviewSelectionActions selection={selection} />,
        }}
        empty={<p>No reviews yet. Reviews that customers write appear here.</p>}
      />
    </>
  )
}

/** In the order of the page, as many as the call gives at a time. */
async function readFirst({ page: _, ...query }: ListQuery) {
  const rows: ModeratedReview[] = []
  for (let page = 1; rows.length < maxSelected; page++) {
    const read = await adminClient.listAllReviews({ body: { ...query, limit: 100, page } })
    rows.push(...read.rows)
    if (rows.length >= read.total || read.rows.length === 0) break
  }
  return rows
}

function cells(review: ModeratedReview) {
  const { rating } = review
  return [
    <Customer key="customer" review={review} />,
    <Stars key="rating" rating={rating} />,
    <ReviewText key="text" review={review} />,
    <Written key="written" review={review} />,
    <Actions key="action" review={review} />,
  ]
}

/** On a phone. */
function ReviewRow({ review }: { review: ModeratedReview }) {
  return (
    <div className="grid gap-1.5 py-3">
      <div className="flex items-start justify-between gap-4">
        <Customer review={review} />
        <Stars rating={review.rating} />
      </div>
      <ReviewText review={review} />
      <div className="flex items-center justify-between gap-4">
        <Written review={review} />
        <Actions review={review} />
      </div>
    </div>
  )
}

interface CellProps {
  review: ModeratedReview
}

function Customer({ review: { name, userId, address, verifiedBuyer } }: CellProps) {
  return (
    <div className="md:max-w-48">
      <p className="truncate font-medium max-md:whitespace-normal">
        {userId === null ? (
          name
        ) : (
          <RowLink to={`/dashboard/customers/${userId}`} className="link">
            {name}
          </RowLink>
        )}
      </p>
      <p className="truncate text-sm text-base-content/75 max-md:whitespace-normal">
        {[verifiedBuyer && 'Verified buyer', address].filter(Boolean).join(', ')}
      </p>
    </div>
  )
}

function Written({ review: { createdAt, hiddenReason } }: CellProps) {
  return (
    <div className="max-md:flex max-md:items-baseline max-md:gap-2">
      <DateTime at={createdAt} />
      <p className="text-sm font-medium">{hiddenReason === null ? 'Shown' : 'Hidden'}</p>
    </div>
  )
}

function Actions({ review }: CellProps) {
  return (
    <div className="flex">
      <AnswerReview review={review} />
      {review.hiddenReason === null ? <HideReview review={review} /> : <ShowReview review={review} />}
    </div>
  )
}

/** About what two lines of the list hold; the rest is opened in its place. A part and its order take one of them. */
const fewCharacters = 90

function ReviewText({ review }: CellProps) {
  const { part, reviews, answer, hiddenReason } = review
  const isLong = reviews.length > fewCharacters || reviews.includes('\n') || answer !== null
  const beginning = !part && <span className="text-base-content/75">The shop: </span>
  return (
    <div className="flex max-w-prose items-start gap-3 max-md:text-left">
      {part && <Thumb src={part.image} alt="" />}
      <div className="min-w-0 text-sm">
        <Subject review={review} />
        {isLong ? (
          <details className="group">
            <summary className="flex cursor-pointer items-end gap-2">
              <span className={`${part ? 'line-clamp-1' : 'line-clamp-2'} wrap-anywhere group-open:hidden`}>
                {beginning}
                {reviews}
              </span>
              <span className="link shrink-0 group-open:hidden">Show all</span>
              <span className="hidden link group-open:block">Show less</span>
            </summary>
            <p className="whitespace-pre-line wrap-anywhere">{reviews}</p>
            {answer !== null && (
              <p className="mt-2 border-l-2 border-base-300 pl-3 whitespace-pre-line wrap-anywhere">
                {`${brand.name} answered: ${answer}`}
              </p>
            )}
          </details>
        ) : (
          <p className="wrap-anywhere">
            {beginning}
            {reviews}
          </p>
        )}
        {hiddenReason !== null && (
          <p className="wrap-anywhere text-base-content/75">{`Hidden: ${hiddenReason}`}</p>
        )}
      </div>
    </div>
  )
}

function Subject({ review: { part, order } }: CellProps) {
  if (!part) return null
  return (
    <p className="flex gap-x-2 max-md:flex-wrap">
      <Link to={`/parts/${part._id}`} className="link truncate">
        {part.name}
      </Link>
      {order && (
        <Link to={`/dashboard/orders/${order._id}`} className="link shrink-0 text-base-content/75">
          {`Order #${order.number}`}
        </Link>
      )}
    </p>
  )
}
