import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { parts, type Queries } from '#db/schema.ts'
import type { ImportRow } from '#shop/parts/import/import.ts'
import { type FileRow, readImportFile } from '#shop/parts/import/import-file.server.ts'
import { clean, unwrapNumber } from '#shop/parts/import/imported-text.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { AnyDataKind, DataPart, DataRow, KindPlan, PlannedFact } from './data-kind.ts'
import { dataKinds } from './kinds.server.ts'
import { maxPartDataRows, type PartDataColumn, partDataColumns } from './part-data.ts'

type PartDataRow = FileRow<PartDataColumn>

export interface PlannedDataRow extends ImportRow {
  does: PlannedFact<unknown>['does']
}

interface NamedPlan extends KindPlan {
  kind: string
}

export interface PartDataPlan {
  rows: PlannedDataRow[]
  /** Of each kind that the file has rows of. */
  plans: NamedPlan[]
  /** Of what would change. */
  digest: string
}

/** Throws 'invalid' for a file that cannot be read. */
export async function readPartData(csv: string): Promise<PartDataRow[]> {
  return readImportFile(csv, { columns: partDataColumns, maxRows: maxPartDataRows })
}

export async function planPartData(db: Queries, file: PartDataRow[]): Promise<PartDataPlan> {
  const found = await findDataParts(db, file)
  const rows: PlannedDataRow[] = new Array(file.length)
  const ofKinds = new Map<AnyDataKind, { place: number; row: DataRow }[]>(dataKinds.map((kind) => [kind, []]))
  for (const [place, fileRow] of file.entries()) {
    const read = readRow(fileRow, found.get(toKey(fileRow)))
    if ('refused' in read) rows[place] = read.refused
    else ofKinds.get(read.kind)!.push({ place, row: read.row })
  }
  const plans: NamedPlan[] = []
  for (const [kind, placed] of ofKinds) {
    if (placed.length === 0) continue
    const plan = await kind.plan(
      db,
      placed.map(({ row }) => row),
    )
    for (const [i, { place, row }] of placed.entries()) rows[place] = toPlannedRow(row, plan.facts[i]!)
    plans.push({ kind: kind.name, ...plan })
  }
  return { rows, plans, digest: computeDigest(plans) }
}

export function toKey({ cells }: PartDataRow) {
  return unwrapNumber(cells['Part number'] ?? '').toUpperCase()
}

export async function findDataParts(db: Queries, file: PartDataRow[]): Promise<Map<string, DataPart>> {
  const keys = [...new Set(file.map(toKey))]
  const { _id, name, partNumber, category } = parts
  const rows = await db
    .select({ _id, name, partNumber, category })
    .from(parts)
    .where(sql`${notDeleted} and upper(${parts.partNumber}) = any(${sql.param(keys)})`)
  return new Map(rows.map((part) => [part.partNumber.toUpperCase(), part]))
}

const maxTextLength = 500

function readRow(
  { row, cells, hasSurplus }: PartDataRow,
  part: DataPart | undefined,
): { refused: PlannedDataRow } | { kind: AnyDataKind; row: DataRow } {
  const read = (column: PartDataColumn) => clean(cells[column] ?? '')
  const partNumber = unwrapNumber(cells['Part number'] ?? '')
  const refuse = (column: PartDataColumn | null, message: string) => {
    const errors = [{ column, message }]
    const refused = { row, partNumber, name: part?.name ?? '', errors, changes: [] }
    return { refused: { ...refused, kind: 'error', does: 'nothing' } } as const
  }
  if (hasSurplus) return refuse(null, 'This row has more cells than there are columns')
  if (partNumber === '') return refuse('Part number', 'Part number is required')
  if (!part) return refuse('Part number', 'No part has this number')
  const kind = dataKinds.find(({ name }) => name === read('Kind').toLowerCase())
  if (!kind) return refuse('Kind', `Write one of: ${dataKinds.map(({ name }) => name).join(', ')}`)
  const long = partDataColumns.find((column) => read(column).length > maxTextLength)
  if (long) return refuse(long, `At most ${maxTextLength} characters`)
  const date = readDate(read('Date'))
  if (date === null) return refuse('Date', 'Write a date as 2026-10-31')
  const texts = { name: read('Name'), value: read('Value'), source: read('Source'), date, note: read('Note') }
  return { kind, row: { row, part, ...texts } }
}

/** Also as Excel shows what it takes for dates. Null for another text. */
function readDate(text: string): string | null {
  if (text === '') return ''
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:T00:00.*)?$/.exec(text) ?? []
  if (!year) return null
  const date = `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  const at = new Date(date)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date) ? date : null
}

function toPlannedRow({ row, part, name }: DataRow, planned: PlannedFact<unknown>): PlannedDataRow {
  const { errors, does, changes } = planned
  const shown = { row, partNumber: part.partNumber, name: `${part.name}: ${name}`, does }
  if (errors.length > 0) return { ...shown, kind: 'error', errors, changes: [] }
  return { ...shown, kind: does === 'nothing' ? 'unchanged' : 'change', errors, changes }
}

function computeDigest(plans: NamedPlan[]) {
  const hash = createHash('sha256')
  for (const { kind, facts } of plans)
    for (const { change } of facts) if (change !== null) hash.update(JSON.stringify([kind, change]))
  return hash.digest('hex')
}
