import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { NavLink, Outlet, useLocation, useNavigate, useNavigation, useParams } from 'react-router'
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
import { ListTools, type ListToolsProps } from '#app/ui/table/list-tools.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { type Message, messageQuery } from '#shop/messages/message.ts'
import type { Route } from './+types/messages'

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
  useFirstNew(list.rows, isOpen)
  const tools: ListToolsProps & { list: typeof list } = {
    list,
    columns,
    noun: ['message', 'messages'],
    searchPlaceholder: 'Name, email or text',
    filters: [
      { name: 'status', label: 'Status', options: statuses },
      { name: 'assignee', label: 'Assigned to', options: assignees(session?.email) },
    ],
    defaultSort: { label: 'Latest first' },
  }

  /** Back from the conversation to its place in the list. */
  function leave({ key }: KeyboardEvent) {
    if (key === 'Escape') pane.current?.querySelector<HTMLElement>('[aria-current=page]')?.focus()
  }

  return (
    <>
      <div className={isOpen ? 'max-lg:hidden' : ''}>
        <PageHeading title="Messages">
          <ExportButtons
            download={(format, options) =>
              adminClient.exportMessages({ body: { ...withoutPage(list.query), format }, ...options })
            }
          />
        </PageHeading>
        <ListTools {...tools} />
      </div>
      <div className="grid items-start gap-x-5 lg:grid-cols-[18rem_minmax(0,1fr)] xl:grid-cols-[20.5rem_minmax(0,1fr)] min-[90rem]:grid-cols-[22rem_minmax(0,1fr)] min-[90rem]:gap-x-8">
        <section
          ref={pane}
          aria-label="Messages"
          onClickCapture={rememberPlace}
          onKeyDown={goToNext}
          className={`inbox min-w-0 lg:not-print:sticky lg:not-print:top-4 lg:not-print:-mx-2 lg:not-print:max-h-[calc(100dvh-2rem)] lg:not-print:overflow-y-auto lg:not-print:px-2 ${isOpen ? 'max-lg:hidden' : ''}`}
        >
          <SavedViews list="messages" views={views} />
          <ListTable
            {...tools}
            hasTools={false}
            cells={(message) => cells(message, search)}
            rowName={({ name, startedBy, createdAt }) =>
              `message ${startedBy === null ? 'from' : 'to'} ${name}, ${formatAuditTime(createdAt)}`
            }
            empty={<p>No messages yet. Messages of customers appear here.</p>}
          />
        </section>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape leads back to the list */}
        <div
          className={`min-w-0 lg:self-stretch lg:border-l lg:border-base-300 lg:pl-5 ${isOpen ? '' : 'max-lg:hidden'}`}
          onKeyDown={leave}
        >
          {isOpen && <Outlet />}
          {!isOpen && list.rows.length > 0 && !list.rows.some(isNew) && (
            <p className="py-24 text-center text-base-content/75">All of these are answered.</p>
          )}
        </div>
      </div>
    </>
  )
}

const isNew = ({ answeredAt }: Message) => answeredAt === null

/** Opens the first message that waits for an answer, where there is room for it beside the list. */
function useFirstNew(rows: Message[], isOpen: boolean) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const isIdle = useNavigation().state === 'idle'
  const first = isOpen ? undefined : rows.find(isNew)?._id
  useEffect(() => {
    if (first && isIdle && matchMedia('(width >= 64rem)').matches)
      navigate(`/dashboard/messages/${first}${search}`, { replace: true, preventScrollReset: true })
  }, [first, isIdle, search, navigate])
}

function goToNext(event: KeyboardEvent<HTMLElement>) {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody a')]
  const at = links.indexOf(event.target as HTMLElement)
  const next = { ArrowDown: links[at + 1], ArrowUp: links[at - 1] }[event.key]
  if (at < 0 || !next) return
  event.preventDefault()
  next.focus()
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
  const { _id, name, message: text, latestAt, assignee, order } = message
  return [
    <div key="from" className="contents">
      <p className="flex min-w-0 items-center gap-2">
        <span
          title={isNew(message) ? 'New' : undefined}
          className={`size-2 shrink-0 rounded-full ${isNew(message) ? 'bg-primary print:border' : ''}`}
        />
        <span className="sr-only">{isNew(message) ? 'New' : 'Answered'}</span>
        <NavLink
          to={`/dashboard/messages/${_id}${search}`}
          preventScrollReset
          className={`truncate outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 ${isNew(message) ? 'font-semibold' : ''}`}
        >
          {name}
        </NavLink>
      </p>
      <div className="col-span-2 row-start-2 flex gap-3 pl-4 text-sm text-base-content/75">
        <p className="grow truncate">
          {order && <span className="text-base-content">{`#${order.number} `}</span>}
          {text}
        </p>
        {assignee && <p className="max-w-28 shrink-0 truncate">{assignee.name}</p>}
      </div>
    </div>,
    <p
      key="latest"
      className="text-sm whitespace-nowrap text-base-content/75"
      title={formatAuditTime(latestAt)}
    >
      {`${timeSince(latestAt)} ago`}
    </p>,
  ]
}
