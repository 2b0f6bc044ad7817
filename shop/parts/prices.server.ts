import { createHash } from 'node:crypto'
import { and, asc, inArray, type SQL, sql } from 'drizzle-orm'
import { parts } from '#db/schema.ts'
import { type Actor, recordChanges } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatCount } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import {
  changePart,
  type PriceChange,
  type PriceChangeRequest,
  type PriceChangeRow,
  type PricePreview,
} from './price-change.ts'
import { readSearch } from './search.server.ts'

const maxParts = 10_000
const maxRows = 500

/** Throws 'invalid' for more than 10,000 parts. */
export async function previewPrices({ db }: Pick<Shop, 'db'>, change: PriceChange): Promise<PricePreview> {
  const found = await db
    .select()
    .from(parts)
    .where(await matchParts(db, change))
    .orderBy(asc(parts.number))
    .limit(maxParts + 1)
  const rows = toRows(found, change)
  const problems = rows.filter(({ problem }) => problem !== null)
  const changed = rows.filter(isChanged)
  const others = rows.filter((row) => row.problem === null && !isChanged(row))
  return {
    rows: [...problems, ...changed, ...others].slice(0, maxRows),
    changed: changed.length,
    unchanged: others.length,
    problems: problems.length,
    digest: computeDigest(changed),
  }
}

/**
 * All or none. `digest` is that of the preview: throws 'conflict' when the change would not be what it showed. Orders that were placed
 * before keep their prices.
 */
export async function changePrices(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  request: PriceChangeRequest,
  key?: string,
): Promise<{ modifiedCount: number }> {
  const where = await matchParts(db, request)
  const call = { userId: admin._id, call: 'changePrices', key, body: request }
  return idempotent(db, call, async (tx) => {
    const found = await tx
      .select()
      .from(parts)
      .where(where)
      .orderBy(asc(parts._id))
      .limit(maxParts + 1)
      .for('update')
    found.sort((a, b) => a.number - b.number)
    const changed = toRows(found, request).filter(isChanged)
    if (computeDigest(changed) !== request.digest)
      throw new ShopError('conflict', 'Parts have changed since this preview. Check the new preview.')
    if (changed.length === 0) return { modifiedCount: 0 }
    const values = changed.map(({ _id: id, after }) => ({ id, ...after }))
    await tx.execute(sql`update ${parts} set per_unit_price = change."perUnitPrice", price_breaks = change."priceBreaks"
      from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
        as change(id text, "perUnitPrice" integer, "priceBreaks" jsonb)
      where ${parts._id} = change.id`)
    await recordChanges(
      tx,
      admin,
      changed.map(({ _id: id, name: subject, before, after }) => {
        return { action: 'changePrices', kind: 'part', id, subject, before, after }
      }),
    )
    return { modifiedCount: changed.length }
  })
}

async function matchParts(
  db: Shop['db'],
  { ids, q, brand, category, stock }: PriceChange,
): Promise<SQL | undefined> {
  const { where } = await readSearch(db, { brand, category, stock })
  const { id, source, where: hasWords } = await readSearch(db, { q })
  return and(
    where,
    q ? inArray(parts._id, sql`(select ${id} from ${source} where ${hasWords})`) : undefined,
    ids === undefined ? undefined : inArray(parts._id, ids.split(',')),
  )
}

function toRows(found: (typeof parts.$inferSelect)[], change: PriceChange): PriceChangeRow[] {
  if (found.length > maxParts)
    throw new ShopError('invalid', `At most ${formatCount(maxParts)} parts at a time. Choose a category.`)
  return found.map((part) => {
    const { _id, name, partNumber } = part
    return { _id, name, partNumber, ...changePart(part, change) }
  })
}

function isChanged({ before, after }: PriceChangeRow) {
  return JSON.stringify(before) !== JSON.stringify(after)
}

function computeDigest(rows: PriceChangeRow[]) {
  const changes = rows.map(({ _id, before, after }) => [_id, before, after])
  return createHash('sha256').update(JSON.stringify(changes)).digest('hex')
}
