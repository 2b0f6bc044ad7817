import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { parts, type Queries } from '#db/schema.ts'

export interface PartQuantity {
  partId: string
  quantity: number
}

/** By id. Locked in one order, because orders that share parts could deadlock. */
async function lockParts(
  tx: Queries,
  lines: PartQuantity[],
): Promise<Map<string, typeof parts.$inferSelect>> {
  const rows = await tx
    .select()
    .from(parts)
    .where(
      inArray(
        parts._id,
        lines.map(({ partId }) => partId),
      ),
    )
    .orderBy(asc(parts._id))
    .for('no key update')
  return new Map(rows.map((part) => [part._id, part]))
}

/** For lines whose stock had been returned. False, without taking any, when too few of one are left. */
export async function retakeStock(tx: Queries, lines: PartQuantity[]): Promise<boolean> {
  const stock = await lockParts(tx, lines)
  if (lines.some(({ partId, quantity }) => stock.get(partId)!.availableQuantity < quantity)) return false
  await changeStock(tx, lines, minus)
  return true
}

export async function returnStock(tx: Queries, lines: PartQuantity[]): Promise<void> {
  if (lines.length > 1) await lockParts(tx, lines)
  if (lines.length > 0) await changeStock(tx, lines, plus)
}

const minus = sql`-`
const plus = sql`+`

async function changeStock(tx: Queries, lines: PartQuantity[], sign: SQL) {
  const rows = lines.map(({ partId, quantity }) => sql`(${partId}, ${quantity}::int)`)
  await tx
    .update(parts)
    .set({ availableQuantity: sql`${parts.availableQuantity} ${sign} changed.quantity` })
    .from(sql`(values ${sql.join(rows, sql`, `)}) as changed (part_id, quantity)`)
    .where(eq(parts._id, sql`changed.part_id`))
}
