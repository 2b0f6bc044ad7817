import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList, withoutPage } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import {
  type AuditAction,
  type AuditEntry,
  auditActions,
  auditQuery,
  sameActions,
} from '#shop/audit/audit.ts'
import type { Route } from './+types/audit-log'
import { AuditChange, AuditTime, formatAuditTime } from './audit-change.tsx'

const columns: Column[] = [
  { head: 'Date', kind: 'date', sort: 'added' },
  { head: 'Admin' },
  { head: 'Change', className: 'md:w-full' },
  { head: 'Network' },
]

const actions = [
  { value: '', label: 'All changes' },
  ...(Object.keys(auditActions) as AuditAction[])
    .filter((action) => sameActions(action)[0] === action)
    .map((action) => ({ value: action, label: auditActions[action] })),
]

export const meta = () => noindex('Audit log')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const reading = readList(request, auditQuery, (body) => adminClient.listAuditLog({ body }))
  const [list, views] = await Promise.all([reading, readViews('audit log')])
  return { list, views }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function AuditLog({ loaderData: { list, views } }: Route.ComponentProps) {
  const { subjectId } = list.query
  const [first] = list.rows
  return (
    <>
      <PageHeading title="Audit log">
        <ExportButtons
          download={(format, options) =>
            adminClient.exportAuditLog({ body: { ...withoutPage(list.query), format }, ...options })
          }
        />
      </PageHeading>
      {subjectId && (
        <p className="mb-4">
          {`Changes of ${first ? first.subject : 'one item'} only. `}
          <Link to="/dashboard/auditLog" className="link">
            Show all changes
          </Link>
        </p>
      )}
      <SavedViews list="audit log" views={views} />
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        rowName={({ subject, at }) => `${subject}, ${formatAuditTime(at)}`}
        noun={['change', 'changes']}
        searchPlaceholder="Part, order #, email or admin"
        filters={[{ name: 'action', label: 'Change', options: actions }]}
        empty={<p>No changes yet. Everything that admins change appears here.</p>}
      />
    </>
  )
}

function cells(entry: AuditEntry) {
  const { at, by, network } = entry
  return [
    <span key="at" className="whitespace-nowrap">
      <AuditTime at={at} />
    </span>,
    <span key="by" className="md:whitespace-nowrap" title={by.email}>
      {/* The command line has no address. */}
      {by.email ? (
        <Link to={`/dashboard/customers/${by._id}`} className="link">
          {by.name}
        </Link>
      ) : (
        by.name
      )}
    </span>,
    <AuditChange key="change" entry={entry} />,
    network ?? '–',
  ]
}
