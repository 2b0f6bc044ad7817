import { eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { parts, type Queries, replacements } from '#db/schema.ts'
import type { DataError, DataKind, DataRow, PlannedFact } from '#shop/part-data/data-kind.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { deleteReplacement, refuseCircle, writeReplacement } from './replace.server.ts'
import { type ReplacementForm, replacementForm } from './replacement.ts'

interface ReplacementChange {
  part: { _id: string; partNumber: string }
  /** Null to remove it. */
  form: ReplacementForm | null
}

type Stored = Awaited<ReturnType<typeof readReplacements>>[number]

const by = alias(parts, 'by')

/** `Value` is the number of the new part, `Name` direct or with changes, `Date` the day. What is due starts within a minute. */
export const replacementData: DataKind<ReplacementChange> = {
  name: 'replaced by',

  async read(db, parts) {
    const ids = parts.map(({ _id }) => _id)
    const rows = await readReplacements(db, ids)
    const ofParts = new Map(rows.map((row) => [row.partId, row]))
    return ids.flatMap((partId) => {
      const row = ofParts.get(partId)
      if (!row) return []
      return { partId, name: row.kind, value: row.byNumber, source: '', date: row.startsOn, note: row.note }
    })
  },

  async plan(db, rows) {
    const ids = rows.map(({ part }) => part._id)
    const stored = new Map((await readReplacements(db, ids)).map((row) => [row.partId, row]))
    const sold = await findSold(db, rows)
    const chosen = await readChains(db)
    for (const { part, value } of rows) {
      const next = sold.get(value.toUpperCase())
      if (next) chosen.set(part._id, next)
      else chosen.delete(part._id)
    }
    const seen = new Map<string, number>()
    return rows.map((row) => {
      const first = seen.get(row.part._id)
      if (first !== undefined) return refuse('Part number', `The part is replaced in row ${first}, too`)
      seen.set(row.part._id, row.row)
      return planReplacement(row, stored.get(row.part._id), sold, chosen)
    })
  },

  async write(tx, admin, changes) {
    for (const { part, form } of changes)
      if (form) await writeReplacement(tx, null, admin, part._id, form)
      else await deleteReplacement(tx, admin, part._id)
    for (const { part, form } of changes) if (form) await refuseCircle(tx, part, form.byId)
  },
}

function readReplacements(db: Queries, ids: string[]) {
  const { partId, byId, kind, startsOn, note } = replacements
  return db
    .select({ partId, byId, kind, startsOn, note, byNumber: by.partNumber })
    .from(replacements)
    .innerJoin(by, eq(by._id, byId))
    .where(inArray(partId, ids))
}

/** Ids by numbers in capitals. */
async function findSold(db: Queries, rows: DataRow[]): Promise<Map<string, string>> {
  const numbers = [...new Set(rows.map(({ value }) => value.toUpperCase()))]
  const found = await db
    .select({ _id: parts._id, partNumber: parts.partNumber })
    .from(parts)
    .where(sql`${notDeleted} and upper(${parts.partNumber}) = any(${sql.param(numbers)})`)
  return new Map(found.map(({ _id, partNumber }) => [partNumber.toUpperCase(), _id]))
}

async function readChains(db: Queries): Promise<Map<string, string>> {
  const rows = await db.select({ partId: replacements.partId, byId: replacements.byId }).from(replacements)
  return new Map(rows.map(({ partId, byId }) => [partId, byId]))
}

function planReplacement(
  { part, name, value, source, date, note }: DataRow,
  before: Stored | undefined,
  sold: Map<string, string>,
  chosen: Map<string, string>,
): PlannedFact<ReplacementChange> {
  const change = { part: { _id: part._id, partNumber: part.partNumber } }
  const was = { Name: before?.kind, Value: before?.byNumber, Date: before?.startsOn, Note: before?.note }
  const list = (now: Partial<typeof was>) =>
    (['Name', 'Value', 'Date', 'Note'] as const).flatMap((column) => {
      const [before = '', after = ''] = [was[column], now[column]]
      return before === after ? [] : { column, before, after }
    })
  if (value === '') {
    if (!before) return { errors: [], change: null, does: 'nothing', changes: [] }
    return { errors: [], change: { ...change, form: null }, does: 'remove', changes: list({}) }
  }
  if (source !== '') return refuse('Source', 'Leave the source of a replacement empty')
  const byId = sold.get(value.toUpperCase())
  if (!byId) return refuse('Value', `No part for sale has the number ${value}`)
  const parsed = replacementForm.safeParse({
    byId,
    startsOn: date,
    kind: name.toLowerCase() || 'direct',
    note,
  })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const columns = { startsOn: 'Date', kind: 'Name', note: 'Note', byId: 'Value' } as const
    const column = columns[issue!.path[0] as keyof typeof columns]
    return refuse(column, column === 'Name' ? 'Write direct or with changes' : issue!.message)
  }
  if (isCircle(chosen, part._id)) return refuse('Value', `${value} is itself replaced by this part`)
  const form = parsed.data
  const shown = before?.byId === byId ? before.byNumber : value
  const changes = list({ Name: form.kind, Value: shown, Date: form.startsOn, Note: form.note })
  if (changes.length === 0) return { errors: [], change: null, does: 'nothing', changes: [] }
  return { errors: [], change: { ...change, form }, does: before ? 'change' : 'add', changes }
}

function isCircle(chosen: Map<string, string>, start: string) {
  const passed = new Set([start])
  for (let id = chosen.get(start); id !== undefined; id = chosen.get(id)) {
    if (id === start) return true
    // A circle of others: their rows say so.
    if (passed.has(id)) return false
    passed.add(id)
  }
  return false
}

function refuse(column: DataError['column'], message: string): PlannedFact<ReplacementChange> {
  return { errors: [{ column, message }], change: null, does: 'nothing', changes: [] }
}
