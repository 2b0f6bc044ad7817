import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { brand } from '#app/brand.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { DateTime } from '#app/ui/date.tsx'
import { ListTable } from '#app/ui/list-table.tsx'
import { RowLink } from '#app/ui/row-name.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { Stars } from '#app/ui/stars.tsx'
import type { Column } from '#app/ui/table.tsx'
import { type ModeratedReview, reviewQuery } from '#shop/reviews/moderation.ts'
import type { Route } from './+types/manage-reviews'
import { AnswerReview, HideReview, ShowReview } from './review-actions.tsx'

const columns: Column[] = [
  { head: 'Customer', sort: 'name' },
  { head: 'Rating', sort: 'rating' },
  { head: 'Review', className: 'xl:w-2/5' },
  { head: 'Written', kind: 'date', sort: 'added' },
  { head: 'Action' },
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
  return (
    <>
      <h1 className="mb-5">Reviews</h1>
      <SavedViews list="reviews" views={views} />
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
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
        empty={<p>No reviews yet. Reviews that customers write appear here.</p>}
      />
    </>
  )
}

function cells(review: ModeratedReview) {
  const { name, userId, address, verifiedBuyer, rating, createdAt, hiddenReason } = review
  return [
    <div key="customer" className="md:max-w-48">
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
    </div>,
    <Stars key="rating" rating={rating} />,
    <ReviewText key="text" review={review} />,
    <div key="written">
      <DateTime at={createdAt} />
      <p className="text-sm font-medium">{hiddenReason === null ? 'Shown' : 'Hidden'}</p>
    </div>,
    <div key="action" className="flex gap-2 max-md:justify-end">
      <AnswerReview review={review} />
      {hiddenReason === null ? <HideReview review={review} /> : <ShowReview review={review} />}
    </div>,
  ]
}

/** About what two lines of the list hold; the rest is opened in its place. */
const fewCharacters = 90

function ReviewText({ review: { part, reviews, answer, hiddenReason } }: { review: ModeratedReview }) {
  const isLong = reviews.length > fewCharacters || reviews.includes('\n') || answer !== null
  return (
    <div className="max-w-prose max-md:text-left">
      <p className="text-sm">
        {part ? (
          <Link to={`/parts/${part._id}`} className="link">
            {part.name}
          </Link>
        ) : (
          'The shop'
        )}
      </p>
      {isLong ? (
        <details className="group">
          <summary className="flex cursor-pointer gap-2">
            <span className="line-clamp-1 wrap-anywhere group-open:hidden">{reviews}</span>
            <span className="link shrink-0 text-sm group-open:hidden">More</span>
            <span className="hidden link text-sm group-open:block">Less</span>
          </summary>
          <p className="whitespace-pre-line wrap-anywhere">{reviews}</p>
          {answer !== null && (
            <p className="mt-2 border-l-2 border-base-300 pl-3 whitespace-pre-line wrap-anywhere">
              {`${brand.name} answered: ${answer}`}
            </p>
          )}
        </details>
      ) : (
        <p className="wrap-anywhere">{reviews}</p>
      )}
      {hiddenReason !== null && (
        <p className="text-sm wrap-anywhere text-base-content/75">{`Hidden: ${hiddenReason}`}</p>
      )}
    </div>
  )
}
