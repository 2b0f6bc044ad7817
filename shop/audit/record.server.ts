import { isDeepStrictEqual } from 'node:util'
import { auditLog, type Queries } from '#db/schema.ts'
import type { Member } from '#shop/users/user.ts'
import type { AuditAction, AuditSubject } from './audit.ts'

/** `network` is absent when the change was not made over the network. */
export type Actor = Pick<Member, '_id' | 'name' | 'email' | 'network'>

/** Who runs a script on the shop’s machine. */
export const commandLine: Actor = { _id: 'command line', name: 'Command line', email: '' }

type Values = Record<string, unknown>

interface RecordedChange {
  action: AuditAction
  kind: AuditSubject
  id: string
  /** What people call the subject: a part’s name, `#1042`, an email address. */
  subject: string
  before?: Values | null
  after?: Values | null
}

const rowsPerInsert = 1_000

/** In the transaction of the change. Of values on both sides, only those that differ are kept. */
export async function recordChanges(tx: Queries, by: Actor, changes: RecordedChange[]) {
  const rows = changes.map(({ action, kind, id, subject, before = null, after = null }) => ({
    by: by._id,
    byName: by.name,
    byEmail: by.email,
    network: by.network,
    action,
    subjectKind: kind,
    subjectId: id,
    subject,
    ...(before && after ? differences(before, after) : { before, after }),
  }))
  for (let i = 0; i < rows.length; i += rowsPerInsert)
    await tx.insert(auditLog).values(rows.slice(i, i + rowsPerInsert))
}

export function orderSubject({ orderId, number }: { orderId: string; number: string }) {
  return { kind: 'order', id: orderId, subject: `#${number}` } as const
}

export function recordChange(tx: Queries, by: Actor, change: RecordedChange) {
  return recordChanges(tx, by, [change])
}

function differences(before: Values, after: Values) {
  const keys = Object.keys(after).filter((key) => !isDeepStrictEqual(before[key], after[key]))
  const pick = (values: Values) => Object.fromEntries(keys.map((key) => [key, values[key] ?? null]))
  return { before: pick(before), after: pick(after) }
}
