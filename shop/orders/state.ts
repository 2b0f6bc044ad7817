import { formatCount, formatDollars, toCents, toDollars } from '#shop/money.ts'
import type { Purchase } from './purchase.ts'
import { orderStatus, type StatusFields } from './status.ts'

export type StateFields = StatusFields & Pick<Purchase, 'quantity' | 'shippedQuantity' | 'returnedQuantity'>

/** `ordered` is the sum of `shipped`, `withheld` and `toShip`. */
export interface PartCounts {
  ordered: number
  shipped: number
  /** Of the shipped. */
  returned: number
  /** Refunded before they shipped, so they stay with the shop. */
  withheld: number
  toShip: number
}

/** Parts that return to stock are first those that have not shipped. */
export function countParts(line: StateFields): PartCounts {
  const { quantity, shippedQuantity, returnedQuantity } = line
  const notShipped = quantity - shippedQuantity
  const kept = Math.min(returnedQuantity, notShipped)
  const withheld = orderStatus(line) === 'refunded' ? notShipped : kept
  return {
    ordered: quantity,
    shipped: shippedQuantity,
    returned: returnedQuantity - kept,
    withheld,
    toShip: notShipped - withheld,
  }
}

export interface StateTexts {
  label:
    | 'Awaiting payment'
    | 'Expired'
    | 'Cancelled'
    | 'Not shipped yet'
    | 'Partly shipped'
    | 'Shipped'
    | 'Refunded'
  /** Where the parts are; null when the money says it. */
  parts: string | null
  /** What was refunded, or is to be. */
  money: string | null
}

/** Dollars. */
type DeliveryCharge = Purchase['deliveryCharge']

/**
 * Every text about the state of an item or of an order comes from here: on screens, for both sides, and in emails. `delivery` is that of a
 * whole order, unless its lines have it in their amounts.
 */
export function describeState(lines: StateFields[], delivery?: DeliveryCharge): StateTexts {
  const kept = lines.filter((line) => orderStatus(line) !== 'cancelled')
  const money = describeMoney(kept.length > 0 ? kept : lines, delivery)
  const unpaid = kept.find(({ paid }) => !paid)
  if (kept.length === 0) return { label: 'Cancelled', parts: 'Cancelled', money }
  if (unpaid) {
    const label = unpaid.expired ? 'Expired' : 'Awaiting payment'
    return { label, parts: label, money }
  }
  const counts = addUp(kept.map(countParts))
  const isPending = kept.some(({ refundPending }) => refundPending > 0)
  return { label: nameState(kept, counts), parts: describeParts(counts, isPending, money), money }
}

function nameState(lines: StateFields[], { shipped, toShip }: PartCounts): StateTexts['label'] {
  if (lines.every((line) => orderStatus(line) === 'refunded')) return 'Refunded'
  if (toShip === 0) return shipped > 0 ? 'Shipped' : 'Refunded'
  return shipped > 0 ? 'Partly shipped' : 'Not shipped yet'
}

function describeParts(counts: PartCounts, isPending: boolean, money: string | null): string | null {
  const { ordered, shipped, returned, withheld, toShip } = counts
  if (toShip === ordered) return 'Not shipped yet'
  if (withheld === ordered) {
    if (money === 'Refunded') return null
    return isPending ? 'Won’t ship' : 'Refunded before shipping'
  }
  if (shipped === ordered && returned === 0) return 'Shipped'
  if (shipped === ordered && returned === ordered) return 'Shipped and returned'
  if (shipped > 0 && withheld === 0 && returned === 0)
    return `${formatCount(shipped)} of ${formatCount(ordered)} shipped`
  const pieces: [count: number, of: string][] = [
    [shipped, 'shipped'],
    [returned, 'of them returned'],
    [withheld, isPending ? 'won’t ship' : 'refunded before shipping'],
    [toShip, 'to ship'],
  ]
  return pieces
    .filter(([count]) => count > 0)
    .map(([count, of]) => `${formatCount(count)} ${of}`)
    .join(', ')
}

function describeMoney(lines: StateFields[], delivery?: DeliveryCharge): string | null {
  const { price, refunded, refundPending } = sumMoney(delivery ? [...lines, delivery] : lines)
  const pending = refundPending > 0 && `Refund of ${formatDollars(refundPending)} pending`
  if (refunded === 0) return pending || null
  if (pending) return `Refunded ${formatDollars(refunded)} of ${formatDollars(price)}. ${pending}`
  return refunded >= price ? 'Refunded' : `Refunded ${formatDollars(refunded)} of ${formatDollars(price)}`
}

/** Dollars. */
function sumMoney(charges: DeliveryCharge[]) {
  const sum = (amountOf: (charge: DeliveryCharge) => number) =>
    toDollars(charges.reduce((cents, charge) => cents + toCents(amountOf(charge)), 0))
  return {
    price: sum(({ charged }) => charged),
    refunded: sum(({ refunded }) => refunded),
    refundPending: sum(({ refundPending }) => refundPending),
  }
}

function addUp(counts: PartCounts[]): PartCounts {
  const sum = (name: keyof PartCounts) => counts.reduce((total, count) => total + count[name], 0)
  return {
    ordered: sum('ordered'),
    shipped: sum('shipped'),
    returned: sum('returned'),
    withheld: sum('withheld'),
    toShip: sum('toShip'),
  }
}

/** What keeps the payment of an order from being the shop’s, for admins. */
export function paymentWarning({
  testPayment,
  dispute,
  inquiry,
}: Pick<Purchase, 'testPayment' | 'dispute' | 'inquiry'>) {
  if (testPayment) return 'Test payment'
  if (dispute === 'open') return 'Disputed'
  if (dispute === 'lost') return 'Dispute lost'
  return inquiry ? 'Inquiry' : null
}
