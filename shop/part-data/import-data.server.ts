import { sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { parts, type Queries } from '#db/schema.ts'
import type { Actor } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { shortenRow } from '#shop/parts/import/import.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { PartDataPreview, PartDataRequest, PartDataResult } from './part-data.ts'
import { findDataParts, type PlannedDataRow, planPartData, readPartData } from './plan.server.ts'

const maxShownRows = 500

/** Each holds a whole file in memory. */
const oneFile = pLimit(1)

/** Throws 'invalid' for a file that cannot be read. */
export function previewPartData(
  { db }: Pick<Shop, 'db'>,
  { csv }: Pick<PartDataRequest, 'csv'>,
): Promise<PartDataPreview> {
  return oneFile(async () => {
    const { rows, digest } = await planPartData(db, await readPartData(csv))
    const shown = (['error', 'change'] as const).flatMap((kind) => rows.filter((row) => row.kind === kind))
    return {
      rows: shown.slice(0, maxShownRows).map(({ does, ...row }) => shortenRow(row)),
      errors: rows.filter(({ kind }) => kind === 'error').length,
      ...countRows(rows),
      digest,
    }
  })
}

function countRows(rows: PlannedDataRow[]): PartDataResult {
  const count = (does: PlannedDataRow['does']) => rows.filter((row) => row.does === does).length
  return {
    added: count('add'),
    changed: count('change'),
    removed: count('remove'),
    unchanged: rows.filter(({ kind }) => kind === 'unchanged').length,
  }
}

/**
 * All or nothing. Throws 'invalid' for a row with an error, 'conflict' when the import would not do what the preview with this `digest`
 * showed.
 */
export function importPartData(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  { csv, digest }: PartDataRequest,
  key?: string,
): Promise<PartDataResult> {
  return oneFile(async () => {
    const file = await readPartData(csv)
    const call = { userId: admin._id, call: 'importPartData', key, body: digest }
    return idempotent(db, call, async (tx) => {
      await lockParts(tx, [...(await findDataParts(tx, file)).values()])
      const plan = await planPartData(tx, file)
      if (plan.digest !== digest)
        throw new ShopError('conflict', 'Parts changed since the preview. Check it again.')
      if (plan.rows.some(({ kind }) => kind === 'error'))
        throw new ShopError('invalid', 'Some rows have errors. Nothing was imported.')
      for (const { write } of plan.plans) await write(tx, admin)
      return countRows(plan.rows)
    })
  })
}

async function lockParts(tx: Queries, found: { _id: string }[]) {
  const ids = found.map(({ _id }) => _id)
  // In one order everywhere, so that two do not wait for each other.
  await tx.execute(
    sql`select id from ${parts} where id = any(${sql.param(ids)}::text[]) order by id for update`,
  )
}
