import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import type { AuditEntry, AuditSubject } from '#shop/audit/audit.ts'
import { formatTotal } from '#shop/money.ts'
import { AuditChange, AuditTime } from './audit-change.tsx'

const count = 5

export interface Changes {
  rows: AuditEntry[]
  total: number
}

/** Null when they can’t be read: the page shows the rest. */
export function readRecentChanges(subjectKind: AuditSubject, subjectId: string): Promise<Changes | null> {
  return adminClient.listAuditLog({ body: { subjectKind, subjectId, limit: count } }).catch(() => null)
}

export function RecentChanges({ changes }: { changes: Changes | null }) {
  const [first] = changes?.rows ?? []
  if (!changes || !first) return null
  const all = new URLSearchParams({ subjectKind: first.subjectKind, subjectId: first.subjectId })
  return (
    <section className="mt-10 max-w-3xl" aria-labelledby="changes">
      <h2 id="changes" className="mb-3">
        Changes by admins
      </h2>
      <ol className="divide-y divide-base-300">
        {changes.rows.map((entry) => (
          <li key={entry._id} className="py-3">
            <p className="text-sm text-base-content/75">
              <AuditTime at={entry.at} />
              {`, ${entry.by.name}`}
            </p>
            <AuditChange entry={entry} />
          </li>
        ))}
      </ol>
      {changes.total > changes.rows.length && (
        <Link to={`/dashboard/auditLog?${all}`} className="link">
          {`Show all ${formatTotal(changes.total)} changes`}
        </Link>
      )}
    </section>
  )
}
