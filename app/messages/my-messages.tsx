import { Link } from 'react-router'
import { requireSignedIn, signOutIfRefused } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { listUrl } from '#app/query-url.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { Pagination } from '#app/ui/table/pagination.tsx'
import type { MyMessage } from '#shop/messages/conversation.ts'
import { myMessageQuery } from '#shop/messages/message.ts'
import type { Route } from './+types/my-messages'

export const meta = () => noindex('Messages')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  const read = readList(request, myMessageQuery, (body) => client.listMyMessages({ body }))
  return read.catch(signOutIfRefused(request))
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function MyMessages({ loaderData }: Route.ComponentProps) {
  const { rows, pages, isCounted, query } = loaderData
  const path = '/dashboard/questions'
  return (
    <div className="max-w-3xl">
      <h1 className="mb-2">Messages</h1>
      <p className="mb-5 text-base-content/75">
        {'To ask about an order, open it in '}
        <Link to="/dashboard/myOrders" className="link">
          My Orders
        </Link>
        {'. About anything else, '}
        <Link to="/#contact" className="link">
          write to us
        </Link>
        .
      </p>
      {rows.length === 0 ? (
        <p>No messages yet. What you ask us, and our answers, appear here.</p>
      ) : (
        <ul className="divide-y divide-base-300 border-y border-base-300">
          {rows.map((message) => (
            <Row key={message._id} message={message} />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <Pagination
          page={query.page ?? 1}
          pages={pages}
          isCounted={isCounted}
          to={(page) => listUrl(path, { ...query, page })}
        />
      )}
    </div>
  )
}

function Row({
  message: { _id, message, order, answeredAt, latestAt, startedBy, unread },
}: {
  message: MyMessage
}) {
  return (
    <li className="relative grid grid-cols-[1fr_auto] gap-x-6 px-2 py-3 hover:bg-base-200">
      <div className="min-w-0">
        <Link
          to={`/dashboard/questions/${_id}`}
          className="font-semibold hover:underline after:absolute after:inset-0"
        >
          {order ? `Order #${order.number}` : `Message ${startedBy === null ? 'to' : 'from'} the shop`}
        </Link>
        {unread && (
          <span className="ml-2 inline-block rounded-full bg-primary px-2 text-sm font-semibold text-primary-content">
            Unread
          </span>
        )}
        <p className="line-clamp-2 wrap-anywhere text-base-content/75">{message}</p>
      </div>
      <div className="text-right text-sm">
        <DateTime at={latestAt} />
        <p className="font-medium empty:hidden">
          {answeredAt === null ? 'Waiting for our answer' : startedBy === null && 'Answered'}
        </p>
      </div>
    </li>
  )
}
