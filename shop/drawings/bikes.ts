import { formatCount } from '#shop/money.ts'
import { highestQuantity, nextQuantity, type Stock } from '#shop/parts/quantity.ts'

export const defaultBikes = 20
export const maxBikes = 10_000

interface DrawnPart extends Stock {
  _id: string
  name: string
}

interface Spot {
  partId: string
  quantity: number
}

/** Whole bikes; null for anything else that was typed. */
export function readBikes(typed: string): number | null {
  const digits = typed.trim().replaceAll(',', '')
  const bikes = /^\d{1,5}$/.test(digits) ? Number(digits) : 0
  return bikes >= 1 && bikes <= maxBikes ? bikes : null
}

export interface Need<P> {
  part: P
  /** For all bikes. */
  needed: number
  /** What can be ordered for them: at least the minimum, and a multiple; null when there are too few in stock. */
  quantity: number | null
}

/** What bikes need of each part, wherever it is in the drawing, in its order. Parts that are no longer for sale are left out. */
export function countNeeds<P extends DrawnPart>(spots: Spot[], parts: P[], bikes: number): Need<P>[] {
  const perBike = new Map<string, number>()
  for (const { partId, quantity } of spots) perBike.set(partId, (perBike.get(partId) ?? 0) + quantity)
  return [...perBike].flatMap(([partId, each]) => {
    const part = parts.find(({ _id }) => _id === partId)
    if (!part) return []
    const needed = each * bikes
    const quantity = nextQuantity(part, needed)
    return { part, needed, quantity: quantity > highestQuantity(part) ? null : quantity }
  })
}

/** `50 instead of 40: at least 50, in multiples of 10`; null for what needs no rounding. */
export function describeRounding({ part, needed, quantity }: Need<DrawnPart>): string | null {
  if (quantity === null || quantity === needed) return null
  const rules = [
    needed < part.minQuantity && `at least ${formatCount(part.minQuantity)}`,
    part.multiple > 1 && `in multiples of ${formatCount(part.multiple)}`,
  ]
  return `${formatCount(quantity)} instead of ${formatCount(needed)}: ${rules.filter(Boolean).join(', ')}`
}
