import type { z } from 'zod'
import { basketChangedError, checkBasket } from '#shop/basket/basket.server.ts'
import { type KnownTaxes, rememberTaxes } from '#shop/charges/calculate-taxes.server.ts'
import { type CurrentRates, readRates, recallRates } from '#shop/charges/charge-order.server.ts'
import { type ErrorCode, ShopError } from '#shop/errors.ts'
import { findResponse, repeatResponse } from '#shop/idempotency.server.ts'
import { formatDollars } from '#shop/money.ts'
import { composePlacedEmails } from '#shop/orders/emails/notify.server.ts'
import type { Order, OrderRequest } from '#shop/orders/order.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import type { delivery, Purchase, PurchaseRequest } from '#shop/orders/purchase.ts'
import { lowestQuantity, maxPerOrder, totalAt } from '#shop/parts/quantity.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import { readMember } from '#shop/users/users.server.ts'
import { composeOrder, type OrderToPlace, withOrderNumber } from './compose.server.ts'
import { checkHeldValue, readAllowance, shareExceededError } from './hold-limits.server.ts'
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
    const { total, payNow } = request
    const order = { call, delivery: request, lines, basket: null, network, payNow, total }
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
  const { lines, total, payNow } = request
  const basket = request.fromBasket ? lines : null
  const placed = { call, delivery: request, lines, basket, network, payNow, total }
  return place(shop, buyer, placed, (order) => order)
}

interface QuoteToPlace {
  /** Of the quote, and of the order that it becomes: there is at most one. */
  id: string
  delivery: z.output<typeof delivery>
  lines: RequestedLine[]
  network: string | undefined
  /** Cents that the buyer was shown. */
  total: number | undefined
}

/** At the terms of a quote, whatever the customer may hold unpaid: an admin has agreed to it. Throws like `placeOrder`. */
export function placeQuote(
  shop: Shop,
  buyer: Member,
  { id, delivery, lines, network, total }: QuoteToPlace,
): Promise<Order> {
  // Whoever accepts it again gets its order, whatever the address is then.
  const call = { userId: 'quote', call: 'acceptQuote', key: id, body: id }
  const order = { call, delivery, lines, basket: null, network, quoteId: id, total }
  return place(shop, buyer, order, (order) => order)
}

const maxAttempts = 20

/** `toAnswer` makes what the call returns, which is stored under its idempotency key. */
async function place<Answer>(
  shop: Shop,
  caller: Member,
  order: OrderToPlace,
  toAnswer: (order: Order) => Answer,
): Promise<Answer> {
  const withTaxes = rememberTaxes(shop)
  const tryWith = (buyer: Member, lines: SoldLine[], rates: CurrentRates) =>
    withTaxes((taxes) => tryToPlace(shop, buyer, { lines, rates, taxes }, order, toAnswer))
  try {
    const recalled = recallLines(shop.db, order.lines)
    const recalledRates = recallRates(shop)
    const placed = recalled && (await tryWith(caller, recalled, recalledRates).catch(ignoreRefusal))
    if (placed) return placed.answer
    let buyer = caller.isRecalled ? await readMember(shop, caller) : caller
    let lines = await findLines(shop.db, order.lines)
    let rates = recalledRates
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const attempted = tryWith(buyer, lines, rates)
      const placed = await (rates === recalledRates ? attempted.catch(ignoreRefusal) : attempted)
      if (placed) return placed.answer
      buyer = await readMember(shop, buyer)
      lines = await readLinesAgain(shop.db, lines)
      rates = await readRates(shop)
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

/** What is in memory can only place an order, not refuse one. */
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
  { lines, rates, taxes }: { lines: SoldLine[]; rates: CurrentRates; taxes: KnownTaxes },
  order: OrderToPlace,
  toAnswer: (order: Order) => Answer,
): Promise<{ answer: Answer } | null> {
  const price = lines.reduce((sum, { quantity, part }) => sum + totalAt(part, quantity), 0)
  if (price > maxPerOrder)
    throw new ShopError('invalid', `An order can total at most ${formatDollars(maxPerOrder)}.`)
  const allowance = shop.rateLimits && !order.quoteId ? await readAllowance(shop, shop.db, buyer) : null
  const [only, ...others] = lines
  const isLowest = others.length === 0 && only!.quantity === lowestQuantity(only!.part)
  const mustBePaidNow =
    allowance !== null && checkHeldValue(allowance, price, { isLowest, payNow: order.payNow === true })

  const priced = { ...order, lines, rates, price, allowance, mustBePaidNow, taxes }
  const { composed, expectedOrder } = composeOrder(shop, buyer, priced)
  const emails = await composePlacedEmails(shop, buyer, expectedOrder, order.network)
  const outcome = await shop.orderBatches.write({ ...composed, ...emails, response: toAnswer(expectedOrder) })

  switch (outcome.outcome) {
    case 'placed':
      shop.metrics.count('order placed', expectedOrder.charges.total)
      return { answer: toAnswer(withOrderNumber(expectedOrder, formatOrderNumber(shop, outcome.number))) }
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
