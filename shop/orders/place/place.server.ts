import type { z } from 'zod'
import { orderAddress } from '#shop/addresses/addresses.server.ts'
import { basketChangedError, checkBasket, type OrderedItem } from '#shop/basket/basket.server.ts'
import { type ErrorCode, ShopError } from '#shop/errors.ts'
import { findResponse, type IdempotentRequest, identify, repeatResponse } from '#shop/idempotency.server.ts'
import { formatDollars } from '#shop/money.ts'
import { placedEmails } from '#shop/orders/emails/notify.server.ts'
import { type Order, type OrderRequest, toOrder } from '#shop/orders/order.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import type { delivery, Purchase, PurchaseRequest } from '#shop/orders/purchase.ts'
import { toPurchase } from '#shop/orders/read/purchase-rows.server.ts'
import { lowestQuantity, maxPerOrder, totalAt, unitPriceAt } from '#shop/parts/quantity.ts'
import type { Shop } from '#shop/ports.ts'
import { widerNetwork } from '#shop/rate-limits.server.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import { readMember } from '#shop/users/users.server.ts'
import {
  type Allowance,
  checkHeldShares,
  checkHeldValue,
  hashNetwork,
  isTrusted,
  readAllowance,
  shortHoldEnd,
} from './hold-limits.server.ts'
import { LinesError } from './line-errors.ts'
import { type OrderDraft, type Outcome, placeDraft, placeInBatch } from './place-orders.server.ts'
import { findLine, findLines, findOrderedParts, recallLines, updateLines } from './requested-lines.server.ts'
import { lockParts, type SoldLine } from './stock.server.ts'

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
  try {
    return await place<Purchase>(shop, buyer, {
      call,
      delivery: request,
      network,
      basket: null,
      recallLines: () => recallLines(shop.db, [request]),
      findLines: () => findLine(shop.db, request),
      respond: ({ lines }) => lines[0]!,
    })
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
  return place<Order>(shop, buyer, {
    call,
    delivery: request,
    network,
    basket: request.fromBasket ? request.lines : null,
    recallLines: () => recallLines(shop.db, request.lines),
    findLines: () => findLines(shop.db, request),
    respond: (order) => order,
  })
}

interface NewOrder<Response> {
  call: IdempotentRequest
  delivery: z.output<typeof delivery>
  network: string | undefined
  /** What is ordered from it. */
  basket: OrderedItem[] | null
  recallLines: () => SoldLine[] | null
  findLines: () => Promise<SoldLine[]>
  respond: (order: Order) => Response
}

const maxAttempts = 20

async function place<Response>(shop: Shop, caller: Member, order: NewOrder<Response>): Promise<Response> {
  try {
    const placed = await placeRecalled(shop, caller, order)
    if (placed) return placed.response
    let buyer = caller.isRecalled ? await readMember(shop, caller) : caller
    let lines = await order.findLines()
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const placed = await tryToPlace(shop, buyer, lines, order)
      if (placed) return placed.response
      buyer = await readMember(shop, buyer)
      lines = updateLines(lines, await findOrderedParts(shop.db, lines))
    }
    const message = 'This order keeps changing while it is placed. Try again in a moment.'
    throw new ShopError('unavailable', message, { retryAfter: 1 })
  } catch (error) {
    // Also when the caller was recalled: whoever has signed out gets no answer of before.
    await readMember(shop, caller)
    // What was ordered can be sold out when the request is repeated.
    const response = await findResponse<Response>(shop.db, order.call)
    if (response !== null) return response
    // Why the parts cannot be ordered does not matter then.
    if (order.basket && isRefusal(error)) await checkBasket(shop.db, caller, order.basket)
    throw error
  }
}

/** Without reading the parts. Null when they are not known, or when the order would be refused: what was read earlier can only place one. */
async function placeRecalled<Response>(shop: Shop, buyer: Member, order: NewOrder<Response>) {
  const lines = order.recallLines()
  if (!lines) return null
  try {
    return await tryToPlace(shop, buyer, lines, order)
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

function isRefusal(error: unknown) {
  return error instanceof LinesError || (error instanceof ShopError && refusals.has(error.code))
}

const refusals = new Set<ErrorCode>(['invalid', 'not-found', 'conflict', 'rate-limited'])

/** Null when what the order was made from has changed. */
async function tryToPlace<Response>(
  shop: Shop,
  buyer: Member,
  lines: SoldLine[],
  order: NewOrder<Response>,
): Promise<{ response: Response } | null> {
  const price = totalOf(lines)
  if (price > maxPerOrder)
    throw new ShopError('invalid', `An order can total at most ${formatDollars(maxPerOrder)}.`)
  const allowance = shop.rateLimits ? await readAllowance(shop, shop.db, buyer) : null
  if (allowance) checkHeldValue(allowance, price, isMinimum(lines))
  if (buyer.emailConfirmedAt === null || (allowance && !isTrusted(allowance, price)))
    return placeLocked(shop, buyer, lines, order)
  const draft = draftOrder(shop, buyer, { lines, price, allowance, ...order })
  const emails = await placedEmails(shop, shop.db, buyer, draft.written)
  return draft.toResponse(await placeInBatch(shop.db, { ...draft.draft, emails }))
}

/** For customers whose emails or shares of the stock are limited. Waits for their other orders, and for those of the parts. */
function placeLocked<Response>(
  shop: Shop,
  caller: Member,
  requested: SoldLine[],
  order: NewOrder<Response>,
): Promise<{ response: Response } | null> {
  return shop.db.transaction(async (tx) => {
    const { name, email, emailConfirmedAt, defaultAddressId } = await lockMember(tx, caller)
    const buyer = { ...caller, name, email, emailConfirmedAt, defaultAddressId }
    const stored = await findResponse<Response>(tx, order.call)
    if (stored !== null) return { response: stored }
    const lines = updateLines(requested, await lockParts(tx, requested))
    const price = totalOf(lines)
    const allowance = shop.rateLimits ? await readAllowance(shop, tx, buyer) : null
    const draft = draftOrder(shop, buyer, { lines, price, allowance, ...order })
    if (allowance) {
      checkHeldValue(allowance, price, isMinimum(lines))
      const { clientNetwork } = draft.draft.order
      await checkHeldShares(shop, tx, allowance, { lines, price, userId: buyer._id, clientNetwork })
    }
    const emails = await placedEmails(shop, tx, buyer, draft.written, order.network)
    return draft.toResponse(await placeDraft(tx, { ...draft.draft, emails }))
  })
}

interface PricedOrder<Response> extends NewOrder<Response> {
  lines: SoldLine[]
  price: number
  allowance: Allowance | null
}

function draftOrder<Response>(shop: Shop, buyer: Member, request: PricedOrder<Response>) {
  const { lines, price, allowance, call, delivery, network, basket, respond } = request
  const { _id: userId, name, email } = buyer
  const { recipient = name, company = '', address, phoneNumber } = delivery
  const now = Date.now()
  const order = {
    _id: crypto.randomUUID(),
    userId,
    name,
    email,
    recipient,
    company,
    address,
    phoneNumber,
    price,
    createdAt: new Date(now).toISOString(),
    clientNetwork: allowance && network ? hashNetwork(shop, widerNetwork(network) ?? network) : null,
    shortHoldUntil: shortHoldEnd(shop, allowance, price, now),
  }
  const added = lines.map((line, i) => toLine(order._id, line, i + 1))
  const shared = {
    ...order,
    ...unpaid,
    orderPrice: price,
    orderRefundedCents: 0,
    number: 0,
    lineCount: lines.length,
  }
  const purchases = added.map((line) => toPurchase(shop, { ...shared, ...line, orderId: order._id }))
  const placeholder = crypto.randomUUID()
  const written = withOrderNumber(toOrder(purchases), placeholder)
  const draft: Omit<OrderDraft, 'emails'> = {
    buyer,
    order,
    lines: added,
    unpaid: allowance,
    fromBasket: basket !== null,
    address: orderAddress(buyer, delivery),
    response: respond(written),
    idempotency: call.key ? identify(call) : null,
    numbers: { placeholder, prefix: shop.orderNumberPrefix },
  }

  function toResponse(outcome: Outcome): { response: Response } | null {
    switch (outcome.outcome) {
      case 'placed':
        shop.metrics.count('order placed', price * 100)
        return { response: respond(withOrderNumber(written, formatOrderNumber(shop, outcome.number))) }
      case 'repeated':
        return { response: repeatResponse<Response>(outcome, call) }
      case 'session ended':
        throw new ShopError('unauthenticated', 'Please sign in.')
      case 'basket changed':
        throw basketChangedError()
      case 'changed':
        return null
    }
  }
  return { draft, written, toResponse }
}

function withOrderNumber(order: Order, number: string): Order {
  return { ...order, number, lines: order.lines.map((line) => ({ ...line, number })) }
}

function toLine(orderId: string, { quantity, part }: SoldLine, position: number) {
  const { _id: partId, name } = part
  const unitPrice = unitPriceAt(part, quantity)
  // The first line has the order's id, so that the links to an order of one line are those to its purchase.
  const _id = position === 1 ? orderId : crypto.randomUUID()
  return { _id, position, partId, parts: name, unitPrice, quantity, price: quantity * unitPrice, part }
}

const unpaid = {
  refundedCents: 0,
  disputedCents: 0,
  pendingRefundCents: 0,
  dispute: null,
  transactionId: null,
  paymentProvider: null,
  paidAt: null,
  expiredAt: null,
  cancelledAt: null,
  shippedAt: null,
  shippedQuantity: 0,
  returnedQuantity: 0,
  remindedAt: null,
}

function totalOf(lines: SoldLine[]) {
  return lines.reduce((sum, { quantity, part }) => sum + totalAt(part, quantity), 0)
}

function isMinimum(lines: SoldLine[]) {
  return lines.length === 1 && lines.every(({ quantity, part }) => quantity === lowestQuantity(part))
}
