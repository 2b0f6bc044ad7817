import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { orderLines, orders, parts, type Queries } from '#db/schema.ts'
import { saveOrderAddress } from '#shop/addresses/addresses.server.ts'
import { removeOrdered } from '#shop/basket/basket.server.ts'
import { ShopError, validate } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { formatDollars } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import { widerNetwork } from '#shop/rate-limits.server.ts'
import type { Member } from '#shop/users/user.ts'
import {
  checkHeldShares,
  checkHeldValue,
  hashNetwork,
  readAllowance,
  shortHoldEnd,
} from './hold-limits.server.ts'
import {
  type LineFailure,
  LinesError,
  partGoneError,
  priceChangedError,
  quantityInvalidError,
  throwIfAny,
} from './line-errors.ts'
import { prepareOrderPlacedEmail } from './notify.server.ts'
import { type Order, type OrderRequest, toOrder } from './order.ts'
import { formatOrderNumber } from './order-number.ts'
import { type delivery, type Purchase, type PurchaseRequest, purchaseForm } from './purchase.ts'
import { type PurchaseRow, toPurchase } from './purchase-rows.server.ts'
import { lowestQuantity, maxPerOrder, quantityError, totalAt, unitPriceAt } from './quantity.ts'
import { type SoldLine, takeStock } from './stock.server.ts'

type SoldPart = typeof parts.$inferSelect

interface Context {
  key?: string | undefined
  /** The client's. */
  network?: string
}

/**
 * An order of one line. Throws 'not-found' (part), 'invalid' (quantity), 'conflict' (price or stock changed, or a new customer's share
 * of the stock) or 'rate-limited' (unpaid orders).
 */
export function placePurchase(
  shop: Shop,
  buyer: Member,
  request: PurchaseRequest,
  { key, network }: Context = {},
): Promise<Purchase> {
  const call = { userId: buyer._id, call: 'placePurchase', key, body: request }
  return idempotent(shop.db, call, async (tx) => {
    const part = await findPart(tx, request)
    const { quantity } = validate(purchaseForm(part), request)
    const price = totalAt(part, quantity)
    if (request.price !== undefined && request.price !== price) throw priceChangedError(price)
    const line = { partId: part._id, quantity, part }
    const { lines } = await place(shop, tx, buyer, { lines: [line], delivery: request, network })
    return lines[0]!
  }).catch((error) => {
    throw error instanceof LinesError ? error.failures[0]!.error : error
  })
}

/**
 * All lines or none. Throws like `placePurchase`, with a message for every line that failed; the keys of its fields are such as
 * `lines.2.quantity`.
 */
export function placeOrder(
  shop: Shop,
  buyer: Member,
  request: OrderRequest,
  { key, network }: Context = {},
): Promise<Order> {
  const call = { userId: buyer._id, call: 'placeOrder', key, body: request }
  return idempotent(shop.db, call, async (tx) => {
    const lines = await readLines(tx, request)
    const order = await place(shop, tx, buyer, { lines, delivery: request, network })
    if (request.fromBasket) {
      const ordered = lines.map(({ partId }) => partId)
      await removeOrdered(tx, buyer, ordered)
    }
    return order
  })
}

async function readLines(tx: Queries, request: OrderRequest): Promise<SoldLine[]> {
  const stock = await findParts(tx, request.lines)
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

interface NewOrder {
  lines: SoldLine[]
  delivery: z.output<typeof delivery>
  network: string | undefined
}

async function place(shop: Shop, tx: Queries, buyer: Member, { lines, delivery, network }: NewOrder) {
  const prices = lines.map(({ quantity, part }) => totalAt(part, quantity))
  const price = prices.reduce((sum, price) => sum + price, 0)
  if (price > maxPerOrder)
    throw new ShopError('invalid', `An order can total at most ${formatDollars(maxPerOrder)}.`)
  const allowance = shop.rateLimits ? await readAllowance(shop, tx, buyer) : null
  if (allowance) checkHeldValue(allowance, price, isMinimum(lines))
  // Before the parts are locked, because it may lock the user.
  await saveOrderAddress(tx, buyer, delivery)

  const left = await takeUnchangedStock(tx, lines)
  const clientNetwork = allowance && network ? hashNetwork(shop, widerNetwork(network) ?? network) : null
  if (allowance)
    await checkHeldShares(shop, tx, allowance, { lines, left, price, userId: buyer._id, clientNetwork })

  const { _id: userId, name, email } = buyer
  const { recipient = name, company = '', address, phoneNumber } = delivery
  const shortHoldUntil = shortHoldEnd(shop, allowance, price)
  const header = {
    ...{ userId, name, email, recipient, company, address, phoneNumber },
    ...{ price, clientNetwork, shortHoldUntil },
  }
  const draft = draftOrder(header, lines)
  const order = toOrder(draft.rows.map((row) => toPurchase(shop, row)))
  const sendEmail = prepareOrderPlacedEmail(shop, buyer, order, network)
  const number = formatOrderNumber(shop, await insertOrder(tx, draft))
  const numbered = { ...order, number, lines: order.lines.map((line) => ({ ...line, number })) }
  await sendEmail(tx, numbered)
  return numbered
}

type OrderValues = Omit<
  typeof orders.$inferSelect,
  '_id' | 'number' | 'lineCount' | 'refundedCents' | 'createdAt' | 'remindedAt'
>

/** All of an order but its number. */
function draftOrder(header: OrderValues, lines: SoldLine[]) {
  const orderId = crypto.randomUUID()
  const created = { ...header, lineCount: lines.length, createdAt: new Date().toISOString() }
  const added = lines.map((line, i) => toLine(orderId, line, i + 1))
  const shared = { ...created, ...unpaid, number: 0, orderPrice: header.price, orderRefundedCents: 0 }
  const rows: PurchaseRow[] = added.map((line) => ({ ...shared, ...line }))
  return { order: { ...created, _id: orderId }, lines: added, rows }
}

/** Returns the number. One statement and little after it, because others wait for their number until the transaction ends. */
async function insertOrder(tx: Queries, { order, lines }: ReturnType<typeof draftOrder>): Promise<number> {
  const placed = tx.$with('placed').as(tx.insert(orders).values(order).returning({ number: orders.number }))
  const added = tx
    .$with('added')
    .as(tx.insert(orderLines).values(lines).returning({ position: orderLines.position }))
  const [row] = await tx.with(placed, added).select().from(placed)
  return row!.number
}

function toLine(orderId: string, { quantity, part }: SoldLine, position: number) {
  const { _id: partId, name } = part
  const unitPrice = unitPriceAt(part, quantity)
  // The first line has the order's id, so that the links to an order of one line are those to its purchase.
  const _id = position === 1 ? orderId : crypto.randomUUID()
  return { _id, orderId, position, partId, parts: name, unitPrice, quantity, price: quantity * unitPrice }
}

const unpaid = {
  ...{ refundedCents: 0, disputedCents: 0, pendingRefundCents: 0, dispute: null },
  ...{ transactionId: null, paymentProvider: null, paidAt: null, expiredAt: null, cancelledAt: null },
  ...{ shippedAt: null, shippedQuantity: 0, returnedQuantity: 0, remindedAt: null },
}

function isMinimum(lines: SoldLine[]) {
  return lines.length === 1 && lines.every(({ quantity, part }) => quantity === lowestQuantity(part))
}

async function findPart(tx: Queries, { partId, parts: name }: Pick<PurchaseRequest, 'partId' | 'parts'>) {
  if (!partId && !name) {
    throw new ShopError('invalid', 'Part Name is required', { fields: { parts: ['Part Name is required'] } })
  }
  const isRequested = partId ? eq(parts._id, partId) : eq(parts.name, name!)
  const [part] = await tx
    .select()
    .from(parts)
    .where(and(isRequested, isNull(parts.deletedAt)))
  if (!part) throw partGoneError()
  return part
}

async function findParts(tx: Queries, lines: { partId: string }[]): Promise<Map<string, SoldPart>> {
  const ids = lines.map(({ partId }) => partId)
  const rows = await tx
    .select()
    .from(parts)
    .where(and(inArray(parts._id, ids), isNull(parts.deletedAt)))
  return new Map(rows.map((part) => [part._id, part]))
}

/** Tries again for lines that the changes of their parts do not concern. */
async function takeUnchangedStock(tx: Queries, lines: SoldLine[]): Promise<Map<string, number>> {
  const left = await takeStock(tx, lines)
  let current = lines
  while (left.size < lines.length) {
    const stock = await findParts(tx, lines)
    throwIfAny(findFailures(lines, left, stock))
    current = current
      .filter(({ partId }) => !left.has(partId))
      .map((line) => ({ ...line, part: stock.get(line.partId)! }))
    for (const [partId, count] of await takeStock(tx, current)) left.set(partId, count)
  }
  return left
}

/** Why the stock of some lines could not be taken: their parts have changed since they were read. */
function findFailures(
  lines: SoldLine[],
  taken: Map<string, number>,
  stock: Map<string, SoldPart>,
): LineFailure[] {
  return lines.flatMap(({ partId, quantity, part }, index) => {
    const error = taken.has(partId) ? undefined : changedError(part, stock.get(partId), quantity)
    return error ? [{ index, name: part.name, error }] : []
  })
}

function changedError(before: SoldPart, part: SoldPart | undefined, quantity: number) {
  if (!part) return partGoneError()
  const price = totalAt(part, quantity)
  if (price !== totalAt(before, quantity)) return priceChangedError(price)
  const message = quantityError(part, quantity)
  return message ? quantityInvalidError('conflict', message) : undefined
}
