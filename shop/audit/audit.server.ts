import { and, eq, sql } from 'drizzle-orm'
import { auditLog } from '#db/schema.ts'
import type { Page } from '#shop/fields.ts'
import { matchesWords, orderBy, readPage } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { AuditEntry, AuditQuery } from './audit.ts'

/** Newest first. */
export async function listAuditLog(
  { db }: Pick<Shop, 'db'>,
  { q, subjectKind, subjectId, action, sort, limit, page }: Partial<AuditQuery> = {},
): Promise<Page<AuditEntry>> {
  const { subject, byName, byEmail } = auditLog
  const where = and(
    q ? matchesWords(sql`${subject} || ' ' || ${byName} || ' ' || ${byEmail}`, q) : undefined,
    subjectKind && eq(auditLog.subjectKind, subjectKind),
    subjectId ? eq(auditLog.subjectId, subjectId) : undefined,
    action && eq(auditLog.action, action),
  )
  const { rows, total } = await readPage(db, auditLog, {
    where,
    orderBy: orderBy({ added: auditLog.number }, sort),
    limit,
    page,
  })
  return { rows: rows.map(toEntry), total }
}

function toEntry({ number, by, byName, byEmail, ...entry }: typeof auditLog.$inferSelect): AuditEntry {
  return { ...entry, _id: String(number), by: { _id: by, name: byName, email: byEmail } }
}
