import type { z } from 'zod'
import { orderAddress, toDestination } from '#shop/addresses/addresses.server.ts'
import { basketChangedError, checkBasket, type OrderedItem } from '#shop/basket/basket.server.ts'
import { type ErrorCode, ShopError } from '#shop/errors.ts'
import { findResponse, type IdempotentRequest, identify, repeatResponse } from '#shop/idempotency.server.ts'
import { formatDollars } from '#shop/money.ts'
import { payNowHoldFrom, shortHoldFrom } from '#shop/orders/close/short-holds.server.ts'
import { composePlacedEmails } from '#shop/orders/emails/notify.server.ts'
import { type Order, type OrderRequest, toOrder } from '#shop/orders/order.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import type { delivery, Purchase, PurchaseRequest } from '#shop/orders/purchase.ts'
import { toPurchase } from '#shop/orders/read/purchase-rows.server.ts'
import { lowestQuantity, maxPerOrder, totalAt, unitPriceAt } from '#shop/parts/quantity.ts'
import type { Shop } from '#shop/ports.ts'
import { widerNetwork } from '#shop/rate-limits.server.ts'
import type { Member } from '#shop/users/user.ts'
import { readMember } from '#shop/users/users.server.ts'
import type { Draft } from './draft.ts'
import {
  type Allowance,
  checkHeldValue,
  hashNetwork,
  isTrusted,
  readAllowance,
  shareExceededError,
  toShare,
} from './hold-limits.server.ts'
import { LinesError } from './line-errors.ts'
import { findLines, type RequestedLine, readLinesAgain, recallLines, type SoldLine } from './lines.server.ts'

interface Context {
  key?: string | undefined
  /** The client's. */
  network?: string
}

/**
 * An order of one line. Throws 'not-found' (part), 'invalid' (quantity), 'conflict' (price or stock changed, or a new customer's share
 * of the stock) or 'rate-limited' (unpaid orders).
 */
export async function placePurchase(
  shop: Shop,
  buyer: Member,
  request: PurchaseRequest,
  { key, network }: Context = {},
): Promise<Purchase> {
  const call = { userId: buyer._id, call: 'placePurchase', key, body: request }
  const { partId, parts, quantity, price } = request
  const lines = [{ partId, parts, quantity, price }]
  try {
    const order = { call, delivery: request, lines, basket: null, network, isPaidNow: request.payNow }
    return await place(shop, buyer, order, ({ lines }) => lines[0]!)
  } catch (error) {
    throw error instanceof LinesError ? error.failures[0]!.error : error
  }
}

/**
 * All lines or none. Throws like `placePurchase`, with a message for every line that failed; the keys of its fields are such as
 * `lines.2.quantity`. Throws 'conflict' when a line is not in the basket that is ordered, with the same quantity.
 */
export function placeOrder(
  shop: Shop,
  buyer: Member,
  request: OrderRequest,
  { key, network }: Context = {},
): Promise<Order> {
  const call = { userId: buyer._id, call: 'placeOrder', key, body: request }
  const { lines } = request
  const basket = request.fromBasket ? lines : null
  const placed = { call, delivery: request, lines, basket, network, isPaidNow: request.payNow }
  return place(shop, buyer, placed, (order) => order)
}

interface QuoteToPlace {
  /** Of the quote, and of the order that it becomes: there is at most one. */
  id: string
  delivery: z.output<typeof delivery>
  lines: RequestedLine[]
  network: string | undefined
}

/** At the terms of a quote, whatever the customer may hold unpaid: an admin has agreed to it. Throws like `placeOrder`. */
export function placeQuote(
  shop: Shop,
  buyer: Member,
  { id, delivery, lines, network }: QuoteToPlace,
): Promise<Order> {
  // Whoever accepts it again gets its order, whatever the address is then.
  const call = { userId: 'quote', call: 'acceptQuote', key: id, body: id }
  return place(shop, buyer, { call, delivery, lines, basket: null, network, quoteId: id }, (order) => order)
}

interface OrderToPlace {
  call: IdempotentRequest
  delivery: z.output<typeof delivery>
  lines: RequestedLine[]
  /** What must be in the customer's basket, and leaves it. */
  basket: OrderedItem[] | null
  network: string | undefined
  /** Of the quote that it is of, whose id it gets. */
  quoteId?: string
  /** Whether its customer goes on to the payment, for an order above the limit. */
  isPaidNow?: boolean | undefined
}

const maxAttempts = 20

/** `toAnswer` makes what the call returns, which is stored under its idempotency key. */
async function place<Answer>(
  shop: Shop,
  caller: Member,
  order: OrderToPlace,
  toAnswer: (order: Order) => Answer,
): Promise<Answer> {
  try {
    const recalled = recallLines(shop.db, order.lines)
    const placed =
      recalled && (await tryToPlace(shop, caller, recalled, order, toAnswer).catch(ignoreRefusal))
    if (placed) return placed.answer
    let buyer = caller.isRecalled ? await readMember(shop, caller) : caller
    let lines = await findLines(shop.db, order.lines)
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const placed = await tryToPlace(shop, buyer, lines, order, toAnswer)
      if (placed) return placed.answer
      buyer = await readMember(shop, buyer)
      lines = await readLinesAgain(shop.db, lines)
    }
    const message = 'This order keeps changing while it is placed. Try again in a moment.'
    throw new ShopError('unavailable', message, { retryAfter: 1 })
  } catch (error) {
    // Also when the caller was recalled: whoever has signed out gets no answer of before.
    await readMember(shop, caller)
    // What was ordered can be sold out when the request is repeated.
    const stored = await findResponse<Answer>(shop.db, order.call)
    if (stored !== null) return stored
    // Why the parts cannot be ordered does not matter then.
    if (order.basket && isRefusal(error)) await checkBasket(shop.db, caller, order.basket)
    throw error
  }
}

/** What was read up to a minute ago can only place an order, not refuse one. */
function ignoreRefusal(error: unknown) {
  if (!isRefusal(error)) throw error
  return null
}

function isRefusal(error: unknown) {
  return error instanceof ShopError && refusals.has(error.code)
}

const refusals = new Set<ErrorCode>(['invalid', 'not-found', 'conflict', 'rate-limited'])

/** Null when what the order was composed from has changed. */
async function tryToPlace<Answer>(
  shop: Shop,
  buyer: Member,
  lines: SoldLine[],
  order: OrderToPlace,
  toAnswer: (order: Order) => Answer,
): Promise<{ answer: Answer } | null> {
  const price = lines.reduce((sum, { quantity, part }) => sum + totalAt(part, quantity), 0)
  if (price > maxPerOrder)
    throw new ShopError('invalid', `An order can total at most ${formatDollars(maxPerOrder)}.`)
  const allowance = shop.rateLimits && !order.quoteId ? await readAllowance(shop, shop.db, buyer) : null
  const isMinimum = isOfLowestQuantity(lines)
  const mustBePaidNow =
    allowance !== null && checkHeldValue(allowance, price, { isMinimum, isPaidNow: order.isPaidNow === true })

  const { draft, written } = composeDraft(shop, buyer, { ...order, lines, price, allowance, mustBePaidNow })
  const emails = await composePlacedEmails(shop, buyer, written, order.network)
  const outcome = await shop.orderBatches.write({ ...draft, ...emails, response: toAnswer(written) })

  switch (outcome.outcome) {
    case 'placed':
      shop.metrics.count('order placed', price * 100)
      return { answer: toAnswer(withOrderNumber(written, formatOrderNumber(shop, outcome.number))) }
    case 'repeated':
      return { answer: repeatResponse<Answer>(outcome, order.call) }
    case 'basket changed':
      throw basketChangedError()
    case 'share exceeded':
      throw shareExceededError(allowance!, lines, outcome.parts)
    case 'changed':
      return null
  }
}

interface PricedOrder extends Omit<OrderToPlace, 'lines'> {
  lines: SoldLine[]
  price: number
  /** Null without limits. */
  allowance: Allowance | null
  mustBePaidNow: boolean
}

/** `written` is the order as it will be, with a placeholder for its number. */
function composeDraft(shop: Shop, buyer: Member, request: PricedOrder) {
  const { lines: soldLines, price, allowance, mustBePaidNow } = request
  const { call, delivery, network, basket, quoteId } = request
  const { recipient = buyer.name, company = '', address, phoneNumber } = delivery
  const isLimited = allowance !== null && !isTrusted(allowance, price)
  const isShort = isLimited && !allowance.isConfirmed && shop.holdHours > 0
  const now = Date.now()
  const order = {
    _id: quoteId ?? crypto.randomUUID(),
    userId: buyer._id,
    name: buyer.name,
    email: buyer.email,
    recipient,
    company,
    ...toDestination(shop, delivery),
    address,
    phoneNumber,
    price,
    createdAt: new Date(now).toISOString(),
    clientNetwork: allowance && network ? hashNetwork(shop, widerNetwork(network) ?? network) : null,
    shortHoldUntil: isShort ? (mustBePaidNow ? payNowHoldFrom(now) : shortHoldFrom(now)) : null,
  }
  const lines = soldLines.map((line, i) => toLine(order._id, line, i + 1))
  const numberPlaceholder = crypto.randomUUID()
  const draft: Omit<Draft, 'emails' | 'emailLimits' | 'response'> = {
    userVersion: buyer.version,
    order,
    lines,
    unpaid: allowance ? `${allowance.count} ${allowance.held}` : undefined,
    share: isLimited ? toShare(shop, allowance) : undefined,
    fromBasket: basket !== null,
    address: orderAddress(shop, buyer, delivery) ?? undefined,
    idempotency: call.key ? identify(call) : undefined,
    numbers: { numberPlaceholder, numberPrefix: shop.settings.current.numbers.order },
  }
  const shared = { ...order, ...unpaid, orderId: order._id, orderPrice: price, lineCount: lines.length }
  const purchases = lines.map((line) => toPurchase(shop, { ...shared, ...line }))
  return { draft, written: withOrderNumber(toOrder(purchases), numberPlaceholder) }
}

function withOrderNumber(order: Order, number: string): Order {
  return { ...order, number, lines: order.lines.map((line) => ({ ...line, number })) }
}

function toLine(orderId: string, { partId, quantity, part }: SoldLine, position: number) {
  const unitPrice = unitPriceAt(part, quantity)
  return {
    // The first line has the order's id, so that the links to an order of one line are those to its purchase.
    _id: position === 1 ? orderId : crypto.randomUUID(),
    position,
    partId,
    partVersion: part.version,
    parts: part.name,
    unitPrice,
    quantity,
    price: quantity * unitPrice,
    isLowest: quantity === lowestQuantity(part),
  }
}

const unpaid = {
  number: 0,
  orderRefundedCents: 0,
  refundedCents: 0,
  disputedCents: 0,
  pendingRefundCents: 0,
  dispute: null,
  inquiry: false,
  transactionId: null,
  paymentProvider: null,
  paidAt: null,
  shipBy: null,
  expiredAt: null,
  cancelledAt: null,
  shippedAt: null,
  shippedQuantity: 0,
  returnedQuantity: 0,
  remindedAt: null,
}

function isOfLowestQuantity(lines: SoldLine[]) {
  return lines.length === 1 && lines.every(({ quantity, part }) => quantity === lowestQuantity(part))
}
