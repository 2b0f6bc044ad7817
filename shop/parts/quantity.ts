import { formatCount, formatDollars } from '#shop/money.ts'
import { readQuantityText } from './quantity-text.ts'

/** The card provider's limit for one payment, in whole dollars. */
export const maxPerOrder = 999_999

/** Per user, because unpaid orders hold stock. A workshop may order a hundred parts at once. */
export const maxUnpaidOrders = 100

export interface PriceBreak {
  quantity: number
  unitPrice: number
}

interface Prices {
  perUnitPrice: number
  priceBreaks: PriceBreak[]
}

interface Steps {
  minQuantity: number
  multiple: number
}

export interface Stock extends Steps {
  availableQuantity: number
}

interface Carton {
  cartonSize: number | null
}

type Bounds = Prices & Stock

export function unitPriceAt({ perUnitPrice, priceBreaks }: Prices, quantity: number) {
  return priceBreaks.findLast((one) => one.quantity <= quantity)?.unitPrice ?? perUnitPrice
}

export function totalAt(part: Prices, quantity: number) {
  return quantity * unitPriceAt(part, quantity)
}

/** The quantities of each unit price; the last row has no end. */
export function priceRows({ perUnitPrice, priceBreaks, ...part }: Prices & Steps) {
  const first = { quantity: lowestQuantity(part), unitPrice: perUnitPrice }
  return [first, ...priceBreaks].map(({ quantity: from, unitPrice }, i) => {
    const next = priceBreaks[i]
    return { from, to: next && next.quantity - part.multiple, unitPrice }
  })
}

/** What each costs in the smallest order, and in the largest: `$24, or $22 from 240`. */
export function formatUnitPrice(part: Prices & Steps) {
  const lowest = lowestQuantity(part)
  const price = formatDollars(unitPriceAt(part, lowest))
  const last = part.priceBreaks.at(-1)
  if (!last || last.quantity <= lowest) return price
  return `${price}, or ${formatDollars(last.unitPrice)} from ${formatCount(last.quantity)}`
}

/** The smallest quantity of at least `quantity` that the minimum and the multiple allow. */
export function nextQuantity({ minQuantity, multiple }: Steps, quantity: number) {
  return Math.ceil(Math.max(quantity, minQuantity) / multiple) * multiple
}

export function lowestQuantity(part: Steps) {
  return nextQuantity(part, part.minQuantity)
}

/** Less than the lowest quantity when the part is sold out. */
export function highestQuantity({
  multiple,
  availableQuantity,
}: Pick<Bounds, 'multiple' | 'availableQuantity'>) {
  return Math.floor(availableQuantity / multiple) * multiple
}

/** One step up or down, to a quantity that can be ordered. */
export function stepQuantity(part: Bounds, quantity: number, direction: 1 | -1) {
  const steps = direction > 0 ? Math.floor(quantity / part.multiple) : Math.ceil(quantity / part.multiple)
  const next = (steps + direction) * part.multiple
  return Math.min(highestQuantity(part), Math.max(lowestQuantity(part), next))
}

/** What can be ordered instead of a quantity below the minimum, between two multiples or above the stock. */
export function nearestQuantities(part: Bounds, quantity: number): number[] {
  const highest = highestQuantity(part)
  const above = nextQuantity(part, quantity)
  if (above === quantity && quantity <= highest) return []
  const nearest = quantity > highest ? [highest] : [above - part.multiple, above]
  return nearest.filter((one) => one >= lowestQuantity(part) && one <= highest)
}

export function quantityError(part: Bounds, quantity: number): string | undefined {
  // Only the first message: no quantity of a sold-out part is valid.
  if (quantity < part.minQuantity) return `Purchase atleast minimum ${part.minQuantity} quantity.`
  if (quantity > part.availableQuantity) return stockExceededMessage(part)
  if (quantity % part.multiple !== 0) return multipleMessage(part, quantity)
  if (totalAt(part, quantity) > maxPerOrder)
    return `An order can total at most ${formatDollars(maxPerOrder)}.`
}

/** Of what was typed into a field. */
export function typedQuantityError(part: Bounds, typed: string): string | undefined {
  const digits = readQuantityText(typed) ?? typed.trim()
  if (digits === '') return 'Quantity is required'
  if (!/^-?\d{1,15}$/.test(digits)) return 'Whole numbers only'
  return quantityError(part, Number(digits))
}

export function stockExceededMessage(part: Pick<Stock, 'availableQuantity'>) {
  return `Purchase can't be higher than ${part.availableQuantity} available quantity.`
}

function multipleMessage(part: Bounds, quantity: number) {
  const nearest = nearestQuantities(part, quantity).map(formatCount).join(' or ')
  return `Order in multiples of ${formatCount(part.multiple)}${nearest && `: ${nearest}`}.`
}

/** What a few more would bring; undefined for a quantity that cannot be ordered. */
export function quantityHint(part: Bounds & Carton, quantity: number): string | undefined {
  if (quantityError(part, quantity)) return
  const canOrder = (more: number) => more > quantity && !quantityError(part, more)
  const next = part.priceBreaks.find((one) => canOrder(one.quantity))
  const full = Math.ceil(quantity / (part.cartonSize ?? 1)) * (part.cartonSize ?? 1)
  const quantities = new Set([next?.quantity, full].filter((more) => more !== undefined && canOrder(more)))
  const gains = [...(quantities as Set<number>)]
    .sort((a, b) => a - b)
    .map((more) => describeGain(part, quantity, more, more === full, more === next?.quantity))
  return gains.length > 0 ? `Add ${gains.join(', or ')}.` : undefined
}

function describeGain(
  part: Prices & Carton,
  quantity: number,
  more: number,
  isFull: boolean,
  isCheaper: boolean,
) {
  const saved = totalAt(part, quantity) - totalAt(part, more)
  const gains = [
    isCheaper && `pay ${formatDollars(unitPriceAt(part, more))} each`,
    isFull && `fill the last carton of ${formatCount(part.cartonSize ?? 1)}`,
  ]
  const less = isCheaper && saved > 0 ? `: ${formatDollars(saved)} less in total` : ''
  return `${formatCount(more - quantity)} to ${gains.filter(Boolean).join(' and ')}${less}`
}
