import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { batchReads } from '#db/driver/batched-reads.ts'
import { type Database, parts, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { quantityError, totalAt } from '#shop/parts/quantity.ts'
import { type QuoteTerms, withTerms } from '#shop/quotes/terms.ts'
import { replacedErrors } from '#shop/replacements/replacements.server.ts'
import {
  type LineFailure,
  partGoneError,
  priceChangedError,
  quantityInvalidError,
  throwIfAny,
} from './line-errors.ts'

export interface RequestedLine {
  /** Without it, `parts` has the part's name. */
  partId?: string | undefined
  parts?: string | undefined
  quantity: number
  /** The price that the buyer was shown. */
  price?: number | undefined
  /** Of the quote that is accepted. */
  terms?: QuoteTerms | undefined
}

export interface SoldLine {
  partId: string
  quantity: number
  /** With the terms of the quote, if there are any. */
  part: typeof parts.$inferSelect
  terms?: QuoteTerms | undefined
}

const partsById = batchReads(parts._id, findParts)

/** Throws LinesError with all lines that cannot be ordered: 'not-found' (part), 'invalid' (quantity) or 'conflict' (price). */
export async function findLines(db: Database, requested: RequestedLine[]): Promise<SoldLine[]> {
  const found = await Promise.all(requested.map((line) => findPart(db, line)))
  const replaced = await replacedErrors(db, listGone(requested, found))
  const failures: LineFailure[] = []
  const lines = requested.flatMap((line, index) => {
    const part = found[index]
    const isRepeated = part !== undefined && found.indexOf(part) < index
    const replacedError = part ? undefined : replaced.get(line.partId ?? '')
    const error = replacedError ?? (isRepeated ? repeatedError() : findError(part, line))
    if (error) failures.push({ index, name: part?.name, error })
    return part ? [{ partId: part._id, quantity: line.quantity, part, terms: line.terms }] : []
  })
  throwIfAny(failures)
  return lines
}

/** As they were read up to a minute ago. Null unless all are known and valid: only a read of now can refuse an order. */
export function recallLines(db: Database, requested: RequestedLine[]): SoldLine[] | null {
  const lines = requested.flatMap(({ partId = '', quantity, price, terms }) => {
    const part = applyTerms(partsById.recall(db, partId), terms)
    return part && !findError(part, { quantity, price }) ? [{ partId, quantity, part, terms }] : []
  })
  return new Set(lines.map(({ partId }) => partId)).size === requested.length ? lines : null
}

/** As they are now. Throws LinesError when what the buyer was promised has changed. */
export async function readLinesAgain(db: Database, lines: SoldLine[]): Promise<SoldLine[]> {
  const found = await Promise.all(
    lines.map(async ({ partId, terms }) => applyTerms(await partsById.read(db, partId), terms)),
  )
  const replaced = await replacedErrors(db, listGone(lines, found))
  const failures = lines.flatMap(({ partId, quantity, part: before }, index) => {
    const error =
      (!found[index] && replaced.get(partId)) ||
      findError(found[index], { quantity, price: totalAt(before, quantity) }, 'conflict')
    return error ? [{ index, name: before.name, error }] : []
  })
  throwIfAny(failures)
  return lines.map((line, index) => ({ ...line, part: found[index]! }))
}

function listGone(lines: Pick<RequestedLine, 'partId'>[], found: (SoldLine['part'] | undefined)[]) {
  return lines.flatMap(({ partId }, index) => (partId && !found[index] ? [partId] : []))
}

function findError(
  part: SoldLine['part'] | undefined,
  { quantity, price }: Pick<RequestedLine, 'quantity' | 'price'>,
  code: 'invalid' | 'conflict' = 'invalid',
) {
  if (!part) return partGoneError()
  const problem = quantityError(part, quantity)
  if (problem) return quantityInvalidError(code, problem)
  const current = totalAt(part, quantity)
  return price !== undefined && price !== current ? priceChangedError(current) : undefined
}

const repeatedError = () =>
  quantityInvalidError('invalid', 'This part is in the order twice. Order it once, with the total quantity.')

function applyTerms(part: SoldLine['part'] | undefined, terms: QuoteTerms | undefined) {
  return part && terms ? withTerms(part, terms) : part
}

async function findPart(db: Database, { partId, parts: name, terms }: RequestedLine) {
  if (partId) return applyTerms(await partsById.read(db, partId), terms)
  if (name) return (await findParts(db, eq(parts.name, name)))[0]
  throw new ShopError('invalid', 'Part Name is required', { fields: { parts: ['Part Name is required'] } })
}

function findParts(db: Queries, isWanted: SQL) {
  return db
    .select()
    .from(parts)
    .where(and(isWanted, isNull(parts.deletedAt)))
}
