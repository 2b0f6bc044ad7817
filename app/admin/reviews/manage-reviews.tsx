import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { brand } from '#app/brand.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
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
  { head: 'Rating and review', sort: 'rating', sortName: 'Rating', className: 'w-full' },
  { head: 'Written', kind: 'date', sort: 'added' },
  { head: 'Action', isEnd: true },
]

const toggles = [
  { name: 'answer', value: 'missing', label: 'To answer' },
  { name: 'rating', value: 'low', label: 'Low ratings' },
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
        toggles={toggles}
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
  return [
    <Customer key="customer" review={review}>
      {originOf(review)}
    </Customer>,
    // As wide as the column, however long the text is.
    <div key="review" className="w-0 min-w-full text-sm">
      <div className="flex items-center gap-x-3 max-xl:flex-wrap [&>svg]:mt-0 [&>svg]:shrink-0">
        <Stars rating={review.rating} />
        <Subject review={review} />
        <Reason review={review} />
      </div>
      <ReviewText review={review} />
    </div>,
    <div key="written">
      <DateTime at={review.createdAt} />
      {review.answer !== null && <p className="text-sm text-base-content/75">Answered</p>}
    </div>,
    <Actions key="action" review={review} />,
  ]
}

/** On a phone. */
function ReviewRow({ review }: { review: ModeratedReview }) {
  return (
    <div className="py-2 text-sm">
      <div className="flex items-baseline justify-between gap-4">
        <Customer review={review} />
        <Stars rating={review.rating} />
      </div>
      {review.part && <Subject review={review} />}
      <ReviewText review={review} beginning={!review.part && 'The shop: '} />
      <Reason review={review} />
      <div className="-mb-1 flex items-center justify-between gap-4">
        <p className="min-w-0 text-base-content/75">
          <span className="line-clamp-1 wrap-anywhere">
            <DateTime at={review.createdAt} />
            {`, ${originOf(review)}`}
          </span>
        </p>
        <Actions review={review} />
      </div>
    </div>
  )
}

interface CellProps {
  review: ModeratedReview
}

function Customer({ review: { name, userId }, children }: CellProps & { children?: ReactNode }) {
  return (
    <div className="min-w-0 md:max-w-44">
      <p className="truncate font-medium">
        {userId === null ? (
          name
        ) : (
          <RowLink to={`/dashboard/customers/${userId}`} className="link">
            {name}
          </RowLink>
        )}
      </p>
      {children && <p className="truncate text-sm text-base-content/75">{children}</p>}
    </div>
  )
}

function originOf({ verifiedBuyer, address }: ModeratedReview) {
  return [verifiedBuyer && 'Verified buyer', address].filter(Boolean).join(', ')
}

function Actions({ review }: CellProps) {
  return (
    <div className="-me-2 flex shrink-0">
      <AnswerReview review={review} />
      {review.hiddenReason === null ? <HideReview review={review} /> : <ShowReview review={review} />}
    </div>
  )
}

/** About what a line of the list holds; the rest is opened in its place. */
const fewCharacters = 65

function ReviewText({ review, beginning }: CellProps & { beginning?: ReactNode }) {
  const { reviews, answer, part, name } = review
  const text = (
    <>
      <span className="text-base-content/75">{beginning}</span>
      {reviews}
    </>
  )
  const isLong = reviews.length > fewCharacters || reviews.includes('\n') || answer !== null
  return isLong ? (
    <details className="group">
      <summary className="flex cursor-pointer items-end gap-2">
        <span className="line-clamp-2 wrap-anywhere group-open:hidden xl:line-clamp-1">{text}</span>
        <span className="link shrink-0 group-open:hidden">Show all</span>
        <span className="hidden link group-open:block">Show less</span>
        <span className="sr-only">{`, review of ${part?.name ?? 'the shop'} by ${name}`}</span>
      </summary>
      <p className="max-w-prose whitespace-pre-line wrap-anywhere">{reviews}</p>
      {answer !== null && (
        <p className="mt-2 max-w-prose border-l-2 border-base-300 pl-3 whitespace-pre-line wrap-anywhere">
          {`${brand.name} answered: ${answer}`}
        </p>
      )}
    </details>
  ) : (
    <p className="wrap-anywhere">{text}</p>
  )
}

function Reason({ review: { hiddenReason } }: CellProps) {
  return (
    hiddenReason !== null && (
      <p className="min-w-0 text-base-content/75 wrap-anywhere md:truncate">{`Hidden: ${hiddenReason}`}</p>
    )
  )
}

function Subject({ review: { part, order } }: CellProps) {
  if (!part) return <p className="shrink-0 text-base-content/75">The shop</p>
  return (
    <p className="flex min-w-0 gap-x-3">
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
