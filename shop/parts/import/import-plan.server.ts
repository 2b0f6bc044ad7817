import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { and, isNull, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { parts, pictures } from '#db/schema.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { Product } from '#shop/parts/part.ts'
import type { Shop } from '#shop/ports.ts'
import { type FileRow, readCatalogueFile } from './import-file.server.ts'
import { type PlannedRow, planRow } from './import-row.server.ts'
import { unwrapNumber } from './imported-text.ts'
import { listNearKeys } from './near-numbers.ts'

interface ImportPlan {
  rows: PlannedRow[]
  /** Of what would change. */
  digest: string
}

type Db = Pick<Shop, 'db'>

/** Throws 'invalid' for a file that cannot be read. */
export async function planImport({ db }: Db, csv: string): Promise<ImportPlan> {
  const file = await readCatalogueFile(csv)
  const found = await findParts({ db }, file)
  const near = await findNearNumbers(
    { db },
    file.map(toKey).filter((key) => !found.has(key)),
  )
  const rows: PlannedRow[] = []
  const seen = new Map<string, number>()
  for (const [i, fileRow] of file.entries()) {
    const key = toKey(fileRow)
    const planned = refuseNear(planRow(fileRow, found.get(key) ?? null), near.get(key))
    const first = seen.get(key)
    if (first === undefined || key === '') rows.push(planned)
    else rows.push(withError(planned, 'Part number', `This part number is in row ${first}, too`))
    if (first === undefined) seen.set(key, fileRow.row)
    // Others get the processor between batches.
    if (i % 100 === 99) await nextTurn()
  }
  const checked = await checkPictures({ db }, await checkNames({ db }, rows))
  return { rows: checked, digest: computeDigest(checked) }
}

/** As the unique index has it: part numbers are ASCII. */
function toKey({ cells }: FileRow) {
  return unwrapNumber(cells['Part number']!).replace(/[a-z]+/g, (letters) => letters.toUpperCase())
}

async function findParts({ db }: Db, file: FileRow[]): Promise<Map<string, Product>> {
  const keys = [...new Set(file.map(toKey))]
  const found = await db
    .select()
    .from(parts)
    .where(and(notDeleted, sql`upper(${parts.partNumber}) = any(${sql.param(keys)})`))
  return new Map(found.map((part) => [part.partNumber.toUpperCase(), part]))
}

const numbersPerTurn = 2_000

/** The part numbers that those of new parts were probably meant to be. */
async function findNearNumbers({ db }: Db, unknown: string[]): Promise<Map<string, string>> {
  const near = new Map<string, string>()
  const wanted = new Map<string, string[]>()
  for (const number of new Set(unknown))
    for (const key of listNearKeys(number, 'spreadsheet')) {
      const numbers = wanted.get(key)
      if (numbers) numbers.push(number)
      else wanted.set(key, [number])
    }
  if (wanted.size === 0) return near
  const existing = await db.select({ partNumber: parts.partNumber }).from(parts).where(notDeleted)
  for (const [i, { partNumber }] of existing.entries()) {
    for (const key of listNearKeys(partNumber, 'catalogue'))
      for (const number of wanted.get(key) ?? []) if (!near.has(number)) near.set(number, partNumber)
    if (i % numbersPerTurn === numbersPerTurn - 1) await nextTurn()
  }
  return near
}

function refuseNear(planned: PlannedRow, likely: string | undefined): PlannedRow {
  if (likely === undefined) return planned
  const typed = planned.partNumber
  const message = `Did a spreadsheet change ${likely} to ${typed}? Write ${likely}, or add ${typed} as a new part in Add A Product`
  return { ...withError(planned, 'Part number', message), errors: [{ column: 'Part number', message }] }
}

function withError(planned: PlannedRow, column: string, message: string): PlannedRow {
  const errors = [...planned.errors, { column, message }]
  return { ...planned, kind: 'error', errors, changes: [], after: null }
}

/** Names are unique once all rows are imported: parts may take each other’s names. */
async function checkNames({ db }: Db, rows: PlannedRow[]): Promise<PlannedRow[]> {
  const isRenamed = ({ part, after }: PlannedRow) => after !== null && after.name !== part?.name
  const names = rows.filter(isRenamed).map(({ after }) => after!.name)
  if (names.length === 0) return rows
  const wanted = await executeRows<{ name: string; key: string; id: string | null }>(
    db,
    sql`select wanted.name, key, part_id as id from unnest(${sql.param(names)}::text[]) as wanted (name),
      lateral (select name_key(wanted.name) as key) as keys left join part_words on name_key = key`,
  )
  const keys = new Map(wanted.map(({ name, key }) => [name, key]))
  const renamedIds = new Set(rows.filter(isRenamed).map(({ part }) => part?._id))
  const taken = new Set(wanted.filter(({ id }) => id !== null && !renamedIds.has(id)).map(({ key }) => key))
  return rows.map((row) => {
    if (!isRenamed(row)) return row
    const key = keys.get(row.after!.name)!
    if (taken.has(key)) return withError(row, 'Name', `A part named ${row.after!.name} already exists`)
    taken.add(key)
    return row
  })
}

/** A picture must have been uploaded, or belong to a part. */
async function checkPictures({ db }: Db, rows: PlannedRow[]): Promise<PlannedRow[]> {
  const isNew = ({ part, after }: PlannedRow) => after !== null && after.image !== part?.image
  const urls = [...new Set(rows.filter(isNew).map(({ after }) => after!.image))]
  if (urls.length === 0) return rows
  const isWanted = sql`any(${sql.param(urls)})`
  const known = await executeRows<{ url: string }>(
    db,
    sql`select url from ${pictures} where ${and(isNull(pictures.removedAt), sql`url = ${isWanted}`)}
      union select image from ${parts} where ${and(notDeleted, sql`image = ${isWanted}`)}
      union select view from ${parts}, unnest(views) view where ${and(notDeleted, sql`view = ${isWanted}`)}`,
  )
  const internal = new Set(known.map(({ url }) => url))
  const message = 'The shop doesn’t have this picture. Add the part with its photo in Add A Product'
  return rows.map((row) =>
    isNew(row) && !internal.has(row.after!.image) ? withError(row, 'Picture', message) : row,
  )
}

function computeDigest(rows: PlannedRow[]) {
  const hash = createHash('sha256')
  for (const { part, changes, after, partNumber, kind } of rows) {
    if (kind === 'change') hash.update(JSON.stringify([part!._id, changes]))
    if (kind === 'add') hash.update(JSON.stringify([partNumber, after]))
  }
  return hash.digest('hex')
}
