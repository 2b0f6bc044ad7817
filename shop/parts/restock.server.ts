import { and, eq, lte, sql } from 'drizzle-orm'
import { parts, type Queries } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatCount } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import { notDeleted } from './not-deleted.server.ts'
import type { RestockForm, RestocksForm } from './part.ts'
import { readPart } from './parts.server.ts'
import { maxStock } from './stock.ts'

/** Returns the new stock. Throws 'not-found' for an unknown part, 'invalid' above `maxStock`. */
export function restockPart(
  shop: Shop,
  admin: Actor,
  id: string,
  { arrived }: RestockForm,
  key?: string,
): Promise<{ availableQuantity: number }> {
  const request = { userId: admin._id, call: 'restockPart', key, body: { id, arrived } }
  return idempotent(shop.db, request, async (tx) => {
    const { availableQuantity, problem } = await addStock(tx, admin, 'restockPart', { partId: id, arrived })
    if (problem) throw new ShopError('invalid', problem, { fields: { arrived: [problem] } })
    return { availableQuantity }
  })
}

/** All or none. Throws 'invalid' with a field error for each arrival such as `arrivals.0.arrived`, also for an unknown part. */
export function restockParts(shop: Shop, admin: Actor, { arrivals }: RestocksForm, key?: string) {
  const request = { userId: admin._id, call: 'restockParts', key, body: arrivals }
  return idempotent(shop.db, request, async (tx) => {
    const fields: Record<string, [string]> = {}
    // In one order everywhere, so that two do not wait for each other.
    const inOrder = [...arrivals.entries()].sort(([, a], [, b]) => (a.partId < b.partId ? -1 : 1))
    for (const [i, arrival] of inOrder) {
      const problem = await addStock(tx, admin, 'restockParts', arrival).then(describeProblem, (error) =>
        describeMissing(tx, arrival.partId, error),
      )
      if (problem) fields[`arrivals.${i}.arrived`] = [problem]
    }
    const [first] = Object.values(fields)
    if (first) throw new ShopError('invalid', first[0], { fields })
    return { modifiedCount: arrivals.length }
  })
}

function describeProblem({ name, problem }: { name: string; problem?: string }) {
  return problem && `${name}: ${problem}`
}

async function describeMissing(tx: Queries, partId: string, error: unknown) {
  if (!(error instanceof ShopError && error.code === 'not-found')) throw error
  const [part] = await tx.select({ name: parts.name }).from(parts).where(eq(parts._id, partId))
  return `${part?.name ?? 'A part'} was deleted. Leave its quantity empty`
}

interface Arrival {
  partId: string
  arrived: number
  /** How many of the delivery are expected, for the audit log. */
  expected?: { before: number; after: number }
}

/** Returns the new stock, or the stock and why it stays. Throws 'not-found' for an unknown part. */
export async function addStock(
  tx: Queries,
  admin: Actor,
  action: 'restockPart' | 'restockParts' | 'receiveDelivery',
  { partId, arrived, expected }: Arrival,
): Promise<{ name: string; availableQuantity: number; problem?: string }> {
  const [restocked] = await tx
    .update(parts)
    .set({ availableQuantity: sql`${parts.availableQuantity} + ${arrived}` })
    .where(and(eq(parts._id, partId), notDeleted, lte(parts.availableQuantity, maxStock - arrived)))
    .returning({ name: parts.name, availableQuantity: parts.availableQuantity })
  if (restocked) {
    const { name, availableQuantity } = restocked
    const before = { expectedQuantity: expected?.before, availableQuantity: availableQuantity - arrived }
    const change = {
      action,
      kind: 'part',
      id: partId,
      subject: name,
      before,
      after: { expectedQuantity: expected?.after, availableQuantity },
    } as const
    await recordChange(tx, admin, change)
    return { name, availableQuantity }
  }
  const { name, availableQuantity } = await readPart({ db: tx }, partId)
  const problem = `Enter at most ${formatCount(maxStock - availableQuantity)}: ${formatCount(availableQuantity)} are already in stock`
  return { name, availableQuantity, problem }
}
