import { and, asc, eq, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/rows.ts'
import { parts, type Queries } from '#db/schema.ts'

export interface PartQuantity {
  partId: string
  quantity: number
}

/** What the buyer was promised: the order is refused when a rule has changed since. */
export interface SoldLine extends PartQuantity {
  part: typeof parts.$inferSelect
}

/**
 * Takes all or, when too few are left, maybe some: roll back unless it returns all. Conditional, so that concurrent orders cannot
 * oversell. Returns what is left by part id.
 */
export async function takeStock(tx: Queries, lines: SoldLine[]): Promise<Map<string, number>> {
  const isUnchanged = and(
    isNull(parts.deletedAt),
    lte(parts.minQuantity, wanted),
    eq(parts.perUnitPrice, price),
    eq(parts.multiple, multiple),
    eq(parts.priceBreaks, priceBreaks),
  )
  const rows = lines.map(
    ({ partId, quantity, part }) =>
      sql`(${partId}, ${quantity}::int, ${part.perUnitPrice}::int, ${part.multiple}::int, ${JSON.stringify(part.priceBreaks)}::jsonb)`,
  )
  return changeStock(tx, lines, minus, rows, isUnchanged)
}

/** For lines whose stock had been returned. False, without taking any, when too few of one are left. */
export async function retakeStock(tx: Queries, lines: PartQuantity[]): Promise<boolean> {
  const isOrdered = inArray(
    parts._id,
    lines.map(({ partId }) => partId),
  )
  const stock = await tx
    .select({ _id: parts._id, left: parts.availableQuantity })
    .from(parts)
    .where(isOrdered)
    .orderBy(asc(parts._id))
    .for('no key update')
  const left = new Map(stock.map(({ _id, left }) => [_id, left]))
  if (lines.some(({ partId, quantity }) => left.get(partId)! < quantity)) return false
  await changeStock(tx, lines, minus, toRows(lines), undefined)
  return true
}

export async function returnStock(tx: Queries, lines: PartQuantity[]): Promise<void> {
  if (lines.length > 0) await changeStock(tx, lines, plus, toRows(lines), undefined)
}

const minus = sql`-`
const plus = sql`+`
const wanted = sql`wanted.quantity`
const price = sql`wanted.unit_price`
const multiple = sql`wanted.multiple`
const priceBreaks = sql`wanted.price_breaks`

function toRows(lines: PartQuantity[]) {
  return lines.map(({ partId, quantity }) => sql`(${partId}, ${quantity}::int, 0, 1, '[]'::jsonb)`)
}

async function changeStock(
  tx: Queries,
  lines: PartQuantity[],
  sign: SQL,
  rows: SQL[],
  condition: SQL | undefined,
) {
  const ids = lines.map(({ partId }) => partId)
  // Orders that share parts could deadlock without one order of locking.
  if (ids.length > 1)
    await tx
      .select({ _id: parts._id })
      .from(parts)
      .where(inArray(parts._id, ids))
      .orderBy(asc(parts._id))
      .for('no key update')
  const isEnough = sign === minus ? gte(parts.availableQuantity, wanted) : undefined
  const changed = await executeRows<{ id: string; left: number }>(
    tx,
    sql`update ${parts} set available_quantity = available_quantity ${sign} ${wanted}
      from (values ${sql.join(rows, sql`, `)}) as wanted (part_id, quantity, unit_price, multiple, price_breaks)
      where ${and(sql`${parts._id} = wanted.part_id`, isEnough, condition)}
      returning ${parts._id} as id, ${parts.availableQuantity} as left`,
  )
  return new Map(changed.map(({ id, left }) => [id, left]))
}
