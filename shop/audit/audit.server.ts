import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import { auditLog } from '#db/schema.ts'
import type { Page, RowStream } from '#shop/fields.ts'
import { orderBy, readPage, rowsPerBatch } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesFoldedWords } from '#shop/search/match-words.server.ts'
import { type AuditEntry, type AuditQuery, sameActions } from './audit.ts'

/** Newest first. */
export async function listAuditLog(
  { db }: Pick<Shop, 'db'>,
  { sort, limit, page, ...query }: Partial<AuditQuery> = {},
): Promise<Page<AuditEntry>> {
  const order = orderBy({ added: auditLog.number }, sort)
  const { rows, total } = await readPage(db, auditLog, {
    where: auditConditions(query),
    orderBy: order,
    limit,
    page,
  })
  return { rows: rows.map(toEntry), total }
}

/** All pages of `listAuditLog`. */
export function streamAuditLog(
  { db }: Pick<Shop, 'db'>,
  { sort = '-added', ...query }: Omit<Partial<AuditQuery>, 'limit' | 'page'> = {},
): Pick<RowStream<AuditEntry>, 'batches'> {
  const isAfter = sort === 'added' ? gt : lt

  async function* batches() {
    for (let last: number | undefined; ; ) {
      const rows = await db
        .select()
        .from(auditLog)
        .where(and(auditConditions(query), last === undefined ? undefined : isAfter(auditLog.number, last)))
        .orderBy(...orderBy({ added: auditLog.number }, sort))
        .limit(rowsPerBatch)
      yield rows.map(toEntry)
      if (rows.length < rowsPerBatch) return
      last = rows.at(-1)!.number
    }
  }
  return { batches: batches() }
}

export function auditConditions({ q, subjectKind, subjectId, action }: Partial<AuditQuery>) {
  const { subject, byName, byEmail } = auditLog
  return and(
    q ? matchesFoldedWords(sql`fold(${subject} || ' ' || ${byName} || ' ' || ${byEmail})`, q) : undefined,
    subjectKind && eq(auditLog.subjectKind, subjectKind),
    subjectId ? eq(auditLog.subjectId, subjectId) : undefined,
    action && inArray(auditLog.action, sameActions(action)),
  )
}

function toEntry({ number, by, byName, byEmail, ...entry }: typeof auditLog.$inferSelect): AuditEntry {
  return { ...entry, _id: String(number), by: { _id: by, name: byName, email: byEmail } }
}
