import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { NavLink, Outlet, useLocation, useParams } from 'react-router'
import { formatAuditTime } from '#app/admin/audit/audit-change.tsx'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { useSession } from '#app/auth/session.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList, withoutPage } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { timeSince } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { type Message, messageQuery } from '#shop/messages/message.ts'
import type { Route } from './+types/messages'
import { StateBadge } from './state-badge.tsx'

const columns: Column[] = [
  { head: 'From', sort: 'name' },
  { head: 'Latest', kind: 'date', sort: 'latest' },
]

const statuses = [
  { value: '', label: 'All messages' },
  { value: 'new', label: 'New' },
  { value: 'answered', label: 'Answered' },
]

export const meta = () => noindex('Messages')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const reading = readList(request, messageQuery, (body) => adminClient.listMessages({ body }))
  const [list, views] = await Promise.all([reading, readViews('messages')])
  return { list, views }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

/** The list and, beside it or on narrow screens in its place, the conversation that is open. */
export default function Messages({ loaderData: { list, views } }: Route.ComponentProps) {
  const session = useSession()
  const { search } = useLocation()
  const isOpen = useParams().id !== undefined
  const pane = useRef<HTMLElement>(null)
  const rememberPlace = usePlaceInList(isOpen)

  /** Back from the conversation to its place in the list. */
  function leave({ key }: KeyboardEvent) {
    if (key === 'Escape') pane.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus()
  }

  return (
    <div className="grid items-start gap-x-6 gap-y-6 lg:grid-cols-[17rem_minmax(0,1fr)] min-[90rem]:grid-cols-[21rem_minmax(0,1fr)] min-[90rem]:gap-x-8">
      <section
        ref={pane}
        aria-label="Messages"
        onClickCapture={rememberPlace}
        className={`two-lines min-w-0 lg:not-print:sticky lg:not-print:top-4 lg:not-print:-mx-2 lg:not-print:max-h-[calc(100dvh-2rem)] lg:not-print:overflow-y-auto lg:not-print:px-2 [&_tr:has([aria-current=page])]:bg-base-200 [&_tr:has([aria-current=page])]:shadow-[-0.5rem_0_var(--color-base-200),0.5rem_0_var(--color-base-200)] ${isOpen ? 'max-lg:hidden' : ''}`}
      >
        <PageHeading title="Messages">
          <ExportButtons
            download={(format, options) =>
              adminClient.exportMessages({ body: { ...withoutPage(list.query), format }, ...options })
            }
          />
        </PageHeading>
        <SavedViews list="messages" views={views} />
        <ListTable
          list={list}
          columns={columns}
          cells={(message) => cells(message, search)}
          rowName={({ name, startedBy, createdAt }) =>
            `message ${startedBy === null ? 'from' : 'to'} ${name}, ${formatAuditTime(createdAt)}`
          }
          noun={['message', 'messages']}
          searchPlaceholder="Name, email or text"
          filters={[
            { name: 'status', label: 'Status', options: statuses },
            { name: 'assignee', label: 'Assigned to', options: assignees(session?.email) },
          ]}
          defaultSort={{ label: 'Latest first' }}
          empty={<p>No messages yet. Messages of customers appear here.</p>}
        />
      </section>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back to the list */}
      <div
        className={`min-w-0 lg:self-stretch lg:border-l lg:border-base-300 lg:pl-6 ${isOpen ? '' : 'max-lg:hidden'}`}
        onKeyDown={leave}
      >
        {isOpen && <Outlet />}
        {!isOpen && list.rows.length > 0 && (
          <p className="py-24 text-center text-base-content/75">Choose a message.</p>
        )}
      </div>
    </div>
  )
}

/** Where one pane is shown at a time, they scroll with the page: the conversation begins at its top, and the list is as it was left. */
function usePlaceInList(isOpen: boolean) {
  const place = useRef(0)
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current === isOpen) return
    wasOpen.current = isOpen
    if (matchMedia('(width < 64rem)').matches) scrollTo(0, isOpen ? 0 : place.current)
  }, [isOpen])
  return () => {
    place.current = scrollY
  }
}

const assignees = (own = '') => [
  { value: '', label: 'All admins' },
  { value: own, label: 'Assigned to me' },
]

function cells(message: Message, search: string) {
  const { _id, name, message: text, latestAt, answeredAt, assignee, order } = message
  const isNew = answeredAt === null
  return [
    <div key="from">
      <NavLink
        to={`/dashboard/messages/${_id}${search}`}
        preventScrollReset
        className={`link wrap-anywhere ${isNew ? 'font-semibold' : ''}`}
      >
        {name}
      </NavLink>
      <p className="line-clamp-1 text-sm wrap-anywhere text-base-content/75">
        {order && <span className="text-base-content">{`#${order.number} `}</span>}
        {text}
      </p>
    </div>,
    <div key="latest" className="text-sm max-md:flex max-md:flex-col max-md:items-end">
      <p className="whitespace-nowrap text-base-content/75" title={formatAuditTime(latestAt)}>
        {`${timeSince(latestAt)} ago`}
      </p>
      <StateBadge answeredAt={answeredAt} />
      {assignee && <p className="text-base-content/75">{assignee.name}</p>}
    </div>,
  ]
}
