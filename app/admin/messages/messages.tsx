import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { useSession } from '#app/auth/session.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList, withoutPage } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useKeptRows } from '#app/ui/behaviour/kept-rows.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { DateTime } from '#app/ui/date.tsx'
import { ListTable } from '#app/ui/list-table.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Column } from '#app/ui/table.tsx'
import { type Message, messageQuery } from '#shop/messages/message.ts'
import type { Route } from './+types/messages'

const columns: Column[] = [
  { head: 'From', sort: 'name' },
  { head: 'Message' },
  { head: 'Received', kind: 'date', sort: 'added' },
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

export default function Messages({ loaderData: { list, views } }: Route.ComponentProps) {
  const { rows, keep } = useKeptRows(list.rows)
  const session = useSession()
  return (
    <>
      <PageHeading title="Messages">
        <ExportButtons
          download={(format, options) =>
            adminClient.exportMessages({ body: { ...withoutPage(list.query), format }, ...options })
          }
        />
      </PageHeading>
      <SavedViews list="messages" views={views} />
      <ListTable
        list={{ ...list, rows }}
        columns={columns}
        cells={(message) => cells(message, keep)}
        noun={['message', 'messages']}
        searchPlaceholder="Name, email or text"
        filters={[
          { name: 'status', label: 'Status', options: statuses },
          { name: 'assignee', label: 'Assigned to', options: assignees(session?.email) },
        ]}
        empty={<p>No messages yet. Messages from the contact form appear here.</p>}
      />
    </>
  )
}

const assignees = (own = '') => [
  { value: '', label: 'Assigned to anybody' },
  { value: own, label: 'Assigned to me' },
]

function cells(message: Message, onChange: (message: Message) => void) {
  const { _id, name, email, phone, message: text, createdAt, answeredAt, assignee } = message
  return [
    <address key="from" className="not-italic">
      <span className="block font-medium">{name}</span>
      <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} className="link block break-all">
        {email}
      </a>
      <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="link">
        {phone}
      </a>
      <Link
        to={`/dashboard/manageAllOrders?${new URLSearchParams({ q: email })}`}
        className="link mt-1 block"
      >
        View orders
      </Link>
    </address>,
    <div key="message" className="max-w-prose max-md:text-left">
      <p className="line-clamp-6 whitespace-pre-line wrap-anywhere">{text}</p>
      <Link to={`/dashboard/messages/${_id}`} className="link mt-1 inline-block">
        {answeredAt ? 'View conversation' : 'Reply'}
      </Link>
    </div>,
    <div key="when">
      <DateTime at={createdAt} />
      {assignee && <p className="text-sm text-base-content/75">{`Assigned to ${assignee.name}`}</p>}
      <AnsweredButton message={message} onChange={onChange} />
    </div>,
  ]
}

interface AnsweredProps {
  message: Message
  onChange: (message: Message) => void
}

export function AnsweredButton({ message, onChange }: AnsweredProps) {
  const { _id: id, answeredAt } = message
  const { busy, run } = useAction()
  const isNew = answeredAt === null
  const mark = () =>
    run(isNew ? 'Marked as answered' : 'Marked as new', async () => {
      await adminClient.markMessage({ params: { id }, body: { answered: isNew } })
      onChange({ ...message, answeredAt: isNew ? new Date().toISOString() : null })
    })
  return (
    <>
      <p className="font-medium">{isNew ? 'New' : 'Answered'}</p>
      <ArmedButton
        key={String(isNew)}
        className="btn btn-sm mt-2 whitespace-nowrap"
        busy={busy}
        onClick={mark}
      >
        {isNew ? 'Mark as answered' : 'Mark as new'}
      </ArmedButton>
    </>
  )
}
