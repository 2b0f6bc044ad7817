import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { expectedDeliveries, type Queries } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { findDay } from '#shop/dates.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatCount } from '#shop/money.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import { addStock } from '#shop/parts/restock.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { ArrivalForm, DeliveryForm, ExpectedDelivery } from './delivery.ts'

const columns = {
  _id: expectedDeliveries._id,
  expectedOn: expectedDeliveries.expectedOn,
  quantity: expectedDeliveries.quantity,
  overdue: expectedDeliveries.overdue,
}

/** Soonest first. */
export function listDeliveries({ db }: Pick<Shop, 'db'>, partId: string): Promise<ExpectedDelivery[]> {
  return db
    .select(columns)
    .from(expectedDeliveries)
    .where(eq(expectedDeliveries.partId, partId))
    .orderBy(asc(expectedDeliveries.expectedOn), asc(expectedDeliveries.createdAt))
}

/** The next one that is not overdue. */
export async function findNextDelivery(
  { db, timeZone }: Pick<Shop, 'db' | 'timeZone'>,
  partId: string,
): Promise<ExpectedDelivery | null> {
  const isNext = and(
    eq(expectedDeliveries.partId, partId),
    eq(expectedDeliveries.overdue, false),
    gte(expectedDeliveries.expectedOn, findDay(Date.now(), timeZone)),
  )
  const [next] = await db
    .select(columns)
    .from(expectedDeliveries)
    .where(isNext)
    .orderBy(asc(expectedDeliveries.expectedOn), asc(expectedDeliveries.createdAt))
    .limit(1)
  return next ?? null
}

/** Throws 'not-found' for an unknown part. */
export function addDelivery(shop: Shop, admin: Actor, partId: string, form: DeliveryForm, key?: string) {
  const request = { userId: admin._id, call: 'addDelivery', key, body: { partId, ...form } }
  return idempotent(shop.db, request, async (tx) => {
    const { name } = await readPart({ db: tx }, partId)
    const [added] = await tx
      .insert(expectedDeliveries)
      .values({ partId, ...form, overdue: form.expectedOn < findDay(Date.now(), shop.timeZone) })
      .returning({ _id: expectedDeliveries._id })
    const change = { action: 'addDelivery', kind: 'part', id: partId, subject: name, after: form } as const
    await recordChange(tx, admin, change)
    return { insertedId: added!._id }
  })
}

/** Adds what has arrived to the stock. The rest stays expected. Throws like `restockPart`, and 'conflict' when another admin has received some of it. */
export function receiveDelivery(
  shop: Shop,
  admin: Actor,
  id: string,
  { arrived, expected }: ArrivalForm,
  key?: string,
): Promise<{ availableQuantity: number }> {
  const request = { userId: admin._id, call: 'receiveDelivery', key, body: { id, arrived } }
  return idempotent(shop.db, request, async (tx) => {
    const isDelivery = eq(expectedDeliveries._id, id)
    const [delivery] = await tx.select().from(expectedDeliveries).where(isDelivery).for('update')
    if (!delivery) throw deliveryGoneError()
    const { partId, quantity } = delivery
    if (expected !== undefined && quantity !== expected) throw deliveryChangedError(quantity)
    const rest = quantity - arrived
    if (rest > 0) await tx.update(expectedDeliveries).set({ quantity: rest }).where(isDelivery)
    else await tx.delete(expectedDeliveries).where(isDelivery)
    const { availableQuantity, problem } = await addStock(tx, admin, 'receiveDelivery', {
      partId,
      arrived,
      expected: { before: quantity, after: Math.max(0, rest) },
    })
    if (problem) throw new ShopError('invalid', problem, { fields: { arrived: [problem] } })
    return { availableQuantity }
  })
}

function deliveryGoneError() {
  return new ShopError('not-found', 'This delivery doesn’t exist any more.')
}

function deliveryChangedError(quantity: number) {
  const rest = quantity === 1 ? '1 is' : `${formatCount(quantity)} are`
  const message = `Another admin has received some of this delivery. ${rest} still expected.`
  return new ShopError('conflict', message, { fields: { arrived: [message] } })
}

/** Throws 'not-found'. */
export function removeDelivery({ db }: Shop, admin: Actor, id: string): Promise<{ deletedCount: number }> {
  return db.transaction(async (tx) => {
    const { partId, expectedOn, quantity } = await deleteDelivery(tx, id)
    const { name: subject } = await readPart({ db: tx }, partId)
    const before = { expectedOn, quantity }
    await recordChange(tx, admin, { action: 'removeDelivery', kind: 'part', id: partId, subject, before })
    return { deletedCount: 1 }
  })
}

async function deleteDelivery(tx: Queries, id: string) {
  const [deleted] = await tx.delete(expectedDeliveries).where(eq(expectedDeliveries._id, id)).returning()
  if (!deleted) throw deliveryGoneError()
  return deleted
}

/** So that pages stop naming a day that is over. `now` is Unix time in ms. */
export async function markOverdueDeliveries(
  { db, timeZone }: Pick<Shop, 'db' | 'timeZone'>,
  now = Date.now(),
): Promise<void> {
  const isOver = lt(expectedDeliveries.expectedOn, findDay(now, timeZone))
  await db
    .update(expectedDeliveries)
    .set({ overdue: true })
    .where(and(eq(expectedDeliveries.overdue, sql`false`), isOver))
}
