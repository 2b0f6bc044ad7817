import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { batchReads } from '#db/driver/batched-reads.ts'
import { type Database, parts, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { OrderRequest } from '#shop/orders/order.ts'
import type { PurchaseRequest } from '#shop/orders/purchase.ts'
import { quantityError, totalAt } from '#shop/parts/quantity.ts'
import {
  type LineFailure,
  partGoneError,
  priceChangedError,
  quantityInvalidError,
  throwIfAny,
} from './line-errors.ts'
import type { SoldLine } from './stock.server.ts'

type SoldPart = typeof parts.$inferSelect

/** Throws 'not-found', 'invalid' (quantity) or 'conflict' (price). */
export async function findLine(db: Database, request: PurchaseRequest): Promise<SoldLine[]> {
  const part = await findPart(db, request)
  const { quantity, price } = request
  const error = lineError(part, quantity, price)
  if (error) throw error
  return [{ partId: part._id, quantity, part }]
}

/** Throws LinesError. */
export async function findLines(db: Database, request: OrderRequest): Promise<SoldLine[]> {
  const stock = await findOrderedParts(db, request.lines)
  const failures: LineFailure[] = []
  const lines = request.lines.flatMap(({ partId, quantity, price }, index) => {
    const part = stock.get(partId)
    const isRepeated = request.lines.findIndex((line) => line.partId === partId) < index
    const error = isRepeated ? repeatedError() : lineError(part, quantity, price)
    if (error) failures.push({ index, name: part?.name, error })
    return part ? [{ partId, quantity, part }] : []
  })
  throwIfAny(failures)
  return lines
}

function lineError(part: SoldPart | undefined, quantity: number, price: number | undefined) {
  if (!part) return partGoneError()
  const problem = quantityError(part, quantity)
  if (problem) return quantityInvalidError('invalid', problem)
  const current = totalAt(part, quantity)
  return price !== undefined && price !== current ? priceChangedError(current) : undefined
}

const repeatedError = () =>
  quantityInvalidError('invalid', 'This part is in the order twice. Order it once, with the total quantity.')

/** Lines that were read up to a minute ago, for an order that is checked again when it is placed. Null unless all are known and valid. */
export function recallLines(
  db: Database,
  wanted: { partId?: string | undefined; quantity: number; price?: number | undefined }[],
): SoldLine[] | null {
  const lines = wanted.flatMap(({ partId = '', quantity, price }) => {
    const part = partsById.recall(db, partId)
    return part && !lineError(part, quantity, price) ? [{ partId, quantity, part }] : []
  })
  return new Set(lines.map(({ partId }) => partId)).size === wanted.length ? lines : null
}

const partsById = batchReads(parts._id, findParts)

async function findPart(
  db: Database,
  { partId, parts: name }: Pick<PurchaseRequest, 'partId' | 'parts'>,
): Promise<SoldPart> {
  if (!partId && !name) {
    throw new ShopError('invalid', 'Part Name is required', { fields: { parts: ['Part Name is required'] } })
  }
  const part = partId ? await partsById.read(db, partId) : (await findParts(db, eq(parts.name, name!)))[0]
  if (!part) throw partGoneError()
  return part
}

export async function findOrderedParts(
  db: Database,
  lines: { partId: string }[],
): Promise<Map<string, SoldPart>> {
  const rows = await Promise.all(lines.map(({ partId }) => partsById.read(db, partId)))
  return new Map(rows.flatMap((part) => (part ? [[part._id, part]] : [])))
}

function findParts(db: Queries, isRequested: SQL) {
  return db
    .select()
    .from(parts)
    .where(and(isRequested, isNull(parts.deletedAt)))
}

/** The lines with the parts as they are now. Throws LinesError when that concerns what the buyer was promised. */
export function updateLines(lines: SoldLine[], stock: Map<string, SoldPart>): SoldLine[] {
  const failures = lines.flatMap(({ partId, quantity, part }, index) => {
    const error = changedError(part, stock.get(partId), quantity)
    return error ? [{ index, name: part.name, error }] : []
  })
  throwIfAny(failures)
  return lines.map((line) => ({ ...line, part: stock.get(line.partId)! }))
}

function changedError(before: SoldPart, part: SoldPart | undefined, quantity: number) {
  if (!part || part.deletedAt) return partGoneError()
  const price = totalAt(part, quantity)
  if (price !== totalAt(before, quantity)) return priceChangedError(price)
  const message = quantityError(part, quantity)
  return message ? quantityInvalidError('conflict', message) : undefined
}
