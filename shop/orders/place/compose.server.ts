import type { z } from 'zod'
import { orderAddress, toDestination } from '#shop/addresses/addresses.server.ts'
import type { OrderedItem } from '#shop/basket/basket.server.ts'
import type { KnownTaxes } from '#shop/charges/calculate-taxes.server.ts'
import {
  type CurrentRates,
  chargeColumns,
  chargeOrder,
  findToday,
  type OrderDestination,
  toBasis,
} from '#shop/charges/charge-order.server.ts'
import { toBuyerTax } from '#shop/charges/tax-status.ts'
import { ShopError } from '#shop/errors.ts'
import { type IdempotentRequest, identify } from '#shop/idempotency.server.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import { payNowHoldFrom, shortHoldFrom } from '#shop/orders/close/short-holds.server.ts'
import { type Order, toOrder } from '#shop/orders/order.ts'
import type { delivery } from '#shop/orders/purchase.ts'
import { toPurchase } from '#shop/orders/read/purchase-rows.server.ts'
import { lowestQuantity, totalAt, unitPriceAt } from '#shop/parts/quantity.ts'
import type { Shop } from '#shop/ports.ts'
import { widerNetwork } from '#shop/rate-limits.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { ComposedOrder } from './composed-order.ts'
import { type Allowance, hashNetwork, isTrusted, toShare } from './hold-limits.server.ts'
import type { RequestedLine, SoldLine } from './lines.server.ts'

export interface OrderToPlace {
  call: IdempotentRequest
  delivery: z.output<typeof delivery>
  lines: RequestedLine[]
  /** What must be in the customer's basket, and leaves it. */
  basket: OrderedItem[] | null
  network: string | undefined
  /** Of the quote that it is of, whose id it gets. */
  quoteId?: string
  /** Whether its customer goes on to the payment, for an order above the limit. */
  payNow?: boolean | undefined
  /** Cents that the buyer was shown. */
  total?: number | undefined
}

interface PricedOrder extends Omit<OrderToPlace, 'lines'> {
  lines: SoldLine[]
  rates: CurrentRates
  price: number
  /** Null without limits. */
  allowance: Allowance | null
  mustBePaidNow: boolean
  taxes: KnownTaxes
}

/** `expectedOrder` is the order as it will be, with a placeholder for its number. */
export function composeOrder(shop: Shop, buyer: Member, request: PricedOrder) {
  const { lines: soldLines, price, allowance, mustBePaidNow } = request
  const { call, delivery, network, basket, quoteId } = request
  const { recipient = buyer.name, company = '', address, phoneNumber } = delivery
  const isLimited = allowance !== null && !isTrusted(allowance, price)
  const isShort = isLimited && !allowance.isConfirmed && shop.holdHours > 0
  const now = Date.now()
  const to = toDestination(shop, delivery)
  const collected = delivery.collect === true
  const { charged, basis } = chargeSold(shop, buyer, { ...to, collected }, request)
  const order = {
    _id: quoteId ?? crypto.randomUUID(),
    userId: buyer._id,
    name: buyer.name,
    email: buyer.email,
    recipient,
    company,
    ...to,
    address,
    phoneNumber,
    collected,
    price,
    ...chargeColumns(charged, basis),
    createdAt: new Date(now).toISOString(),
    clientNetwork: allowance && network ? hashNetwork(shop, widerNetwork(network) ?? network) : null,
    shortHoldUntil: isShort ? (mustBePaidNow ? payNowHoldFrom(now) : shortHoldFrom(now)) : null,
  }
  const lines = soldLines.map((line, i) => ({
    ...toLine(order._id, line, i + 1),
    ...(charged?.lines[i] ?? { addedCents: 0, taxCents: 0, taxLabel: null }),
  }))
  const numberPlaceholder = crypto.randomUUID()
  const composed: Omit<ComposedOrder, 'emails' | 'emailLimits' | 'response'> = {
    userVersion: buyer.version,
    ratesVersion: request.rates.version,
    order,
    lines,
    unpaid: allowance ? `${allowance.count} ${allowance.held}` : undefined,
    share: isLimited ? toShare(shop, allowance) : undefined,
    fromBasket: basket !== null,
    address: orderAddress(shop, buyer, delivery) ?? undefined,
    idempotency: call.key ? identify(call) : undefined,
    numbers: { numberPlaceholder, numberPrefix: shop.settings.current.numbers.order },
  }
  const shared = {
    ...order,
    ...newOrderColumns,
    orderId: order._id,
    orderPrice: price,
    lineCount: lines.length,
  }
  const purchases = lines.map((line) => toPurchase(shop, { ...shared, ...line }))
  return { composed, expectedOrder: withOrderNumber(toOrder(purchases), numberPlaceholder) }
}

/** Throws 'conflict' when the buyer was shown another total. */
function chargeSold(
  shop: Shop,
  buyer: Member,
  to: OrderDestination,
  { lines, rates: { rates }, total, price, taxes }: PricedOrder,
) {
  const parts = Object.fromEntries(
    lines.map(({ partId, part: { taxClass, weight } }) => [partId, { taxClass, weight }]),
  )
  const day = findToday(shop)
  const order = { to, buyer: toBuyerTax(buyer.taxStatus), rates, day }
  const toCharge = lines.map(({ part, quantity }, i) => {
    const { name, taxClass, weight } = part
    return { name, position: i + 1, quantity, price: totalAt(part, quantity), taxClass, weight }
  })
  const charged = chargeOrder(shop, { ...order, lines: toCharge }, taxes)
  const current = charged?.charges.total ?? price * 100
  if (total !== undefined && total !== current) throw totalChangedError(current)
  return { charged, basis: charged && toBasis(order, parts) }
}

function totalChangedError(cents: number) {
  const message = `The total is now ${formatDollars(toDollars(cents))}.`
  return new ShopError('conflict', message, { fields: { total: [message] } })
}

export function withOrderNumber(order: Order, number: string): Order {
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

const newOrderColumns = {
  number: 0,
  orderRefundedCents: 0,
  refundedDeliveryCents: 0,
  pendingDeliveryCents: 0,
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
