import { and, eq, inArray } from 'drizzle-orm'
import { interfaces, partInterfaces, type Queries } from '#db/schema.ts'
import { recordChanges } from '#shop/audit/record.server.ts'
import type { DataError, DataKind, DataPart, DataRow, PlannedFact } from '#shop/part-data/data-kind.ts'
import { sameNameKey } from './fact-values.ts'
import type { InterfaceRole, KindRow } from './interface.ts'
import { parseInterface, printInterface } from './notation.ts'
import { writeInterfaces } from './part-interfaces.server.ts'
import { interfaceKinds } from './vocabulary.ts'

interface StoredInterface {
  partId: string
  text: string
  kind: string
  role: InterfaceRole
  source: string
  date: string
}

interface InterfaceChange {
  part: { _id: string; name: string }
  /** Undefined where all of the kind go. */
  after: { interface: string; source: string; date: string } | undefined
  /** What the part has of this kind, and the file doesn’t. */
  removed: string[]
}

/** `Name` is the kind, `Value` its facts. The rows of a part and a kind stand for all that the part has of the kind. */
function interfaceData(role: InterfaceRole): DataKind<InterfaceChange> {
  return {
    name: role,

    async read(db, parts) {
      const stored = await readStoredInterfaces(db, role, parts)
      const ofParts = Map.groupBy(stored, ({ partId }) => partId)
      return parts.flatMap(({ _id }) =>
        (ofParts.get(_id) ?? []).map(({ partId, kind, text, source, date }) => {
          return { partId, name: kind, value: text.slice(kind.length + 1), source, date, note: '' }
        }),
      )
    },

    async plan(db, rows) {
      const stored = await readStoredInterfaces(
        db,
        undefined,
        rows.map(({ part }) => part),
      )
      const ofParts = Map.groupBy(stored, ({ partId }) => partId)
      const read = rows.map((row) => readInterfaceRow(row))
      const named = Map.groupBy(
        read.flatMap((one) => ('text' in one ? [one] : [])),
        ({ row, kind }) => `${row.part._id} ${kind.id}`,
      )
      const seen = new Set<string>()
      return read.map((one): PlannedFact<InterfaceChange> => {
        if ('error' in one) return refuse(one.error)
        const group = named.get(`${one.row.part._id} ${one.kind.id}`)!
        return planInterface(one, group, ofParts.get(one.row.part._id) ?? [], role, seen)
      })
    },

    async write(tx, admin, changes) {
      const removed = changes.flatMap(({ part, removed }) =>
        removed.map((text) => ({ partId: part._id, text })),
      )
      for (const { partId, text } of removed) {
        const ids = tx.select({ id: interfaces.id }).from(interfaces).where(eq(interfaces.text, text))
        await tx
          .delete(partInterfaces)
          .where(and(eq(partInterfaces.partId, partId), inArray(partInterfaces.interfaceId, ids)))
      }
      const written = changes.flatMap(({ part, after }) =>
        after ? [{ ...after, partId: part._id, role }] : [],
      )
      await writeInterfaces(tx, written)
      const ofParts = Map.groupBy(changes, ({ part }) => part._id)
      await recordChanges(
        tx,
        admin,
        [...ofParts].map(([id, those]) => ({
          kind: 'part',
          id,
          subject: those[0]!.part.name,
          action: 'importPartData',
          before: listTexts(those.flatMap((one) => one.removed)),
          after: listTexts(those.flatMap(({ after }) => after?.interface ?? [])),
        })),
      )
    },
  }

  function listTexts(texts: string[]) {
    return texts.length > 0 ? { [role]: texts.join(' · ') } : null
  }
}

export const hasData = interfaceData('has')
export const needsData = interfaceData('needs')

type ReadRow = { row: DataRow; kind: KindRow; text: string } | { error: DataError }

/** `text` is empty for an empty value. */
function readInterfaceRow(row: DataRow): ReadRow {
  const key = sameNameKey(row.name)
  const kind = interfaceKinds.find(({ id, label }) => sameNameKey(id) === key || sameNameKey(label) === key)
  if (!kind)
    return {
      error: {
        column: 'Name',
        message: row.name ? `No interface is called ${row.name}` : 'The kind is required',
      },
    }
  if (row.note) return { error: { column: 'Note', message: 'Interfaces have no note' } }
  if (row.value === '') return { row, kind, text: '' }
  const parsed = parseInterface(`${kind.id}:${row.value}`)
  if ('problem' in parsed) return { error: { column: 'Value', message: parsed.problem.replace(/\.$/, '') } }
  return { row, kind, text: printInterface(parsed.interface) }
}

function planInterface(
  { row, kind, text }: { row: DataRow; kind: KindRow; text: string },
  group: { row: DataRow; text: string }[],
  stored: StoredInterface[],
  role: InterfaceRole,
  seen: Set<string>,
): PlannedFact<InterfaceChange> {
  const part = { _id: row.part._id, name: row.part.name }
  const own = stored.filter((one) => one.role === role && one.kind === kind.id)
  if (text === '' && group.length > 1)
    return refuse({ column: 'Value', message: `Other rows say what the part has of ${kind.id}` })
  const key = `${part._id} ${text}`
  if (text !== '' && seen.has(key))
    return refuse({ column: 'Value', message: 'The part’s interface is in the file twice' })
  seen.add(key)
  if (stored.some((one) => one.text === text && one.role !== role))
    return refuse({
      column: 'Kind',
      message: `The part has this as “${role === 'has' ? 'needs' : 'has'}”. Remove it there first`,
    })
  const isFirst = group[0]!.row === row
  const kept = group.map((one) => one.text)
  const removed = isFirst ? own.map((one) => one.text).filter((one) => !kept.includes(one)) : []
  const before = own.find((one) => one.text === text)
  const after = text === '' ? undefined : { interface: text, source: row.source, date: row.date }
  const changes = [
    {
      column: 'Value' as const,
      before: [before?.text ?? '', ...removed].filter(Boolean).join(' · '),
      after: text,
    },
    { column: 'Source' as const, before: before?.source ?? '', after: after?.source ?? '' },
    { column: 'Date' as const, before: before?.date ?? '', after: after?.date ?? '' },
  ].filter((one) => one.before !== one.after)
  if (changes.length === 0) return { errors: [], change: null, does: 'nothing', changes: [] }
  const does = after === undefined ? 'remove' : before || removed.length > 0 ? 'change' : 'add'
  return { errors: [], change: { part, after, removed }, does, changes }
}

function refuse(error: DataError): PlannedFact<InterfaceChange> {
  return { errors: [error], change: null, does: 'nothing', changes: [] }
}

/** In the order in which the vocabulary got to know them. */
async function readStoredInterfaces(
  db: Queries,
  role: InterfaceRole | undefined,
  ofParts: DataPart[],
): Promise<StoredInterface[]> {
  const ids = [...new Set(ofParts.map(({ _id }) => _id))]
  if (ids.length === 0) return []
  const { partId, kind, source, sourceDate } = partInterfaces
  const rows = await db
    .select({ partId, kind, source, date: sourceDate, role: partInterfaces.role, text: interfaces.text })
    .from(partInterfaces)
    .innerJoin(interfaces, eq(interfaces.id, partInterfaces.interfaceId))
    .where(and(inArray(partId, ids), role && eq(partInterfaces.role, role)))
    .orderBy(interfaces.id)
  return rows.map(({ date, ...row }) => ({ ...row, date: date ?? '' }))
}
