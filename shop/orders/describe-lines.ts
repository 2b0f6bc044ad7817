import { formatCount } from '#shop/money.ts'
import type { Purchase } from './purchase.ts'

type Line = Pick<Purchase, 'quantity' | 'parts'>

/** In a few words: `12 × Chain and 2 more items`. */
export function describeLines([first, ...others]: Line[]): string {
  if (!first) return ''
  const count = others.length
  return count === 0
    ? describeLine(first)
    : `${describeLine(first)} and ${count} more ${count === 1 ? 'item' : 'items'}`
}

/** A quantity of 0 is not known, such as that of a refund which returned nothing. */
export function describeLine({ quantity, parts }: Line): string {
  return quantity === 0 ? parts : `${formatCount(quantity)} × ${parts}`
}

/** What of an order’s lines was shipped, for example. */
export function describeItems(
  lines: Pick<Purchase, '_id' | 'parts'>[],
  items: { lineId: string; quantity: number }[],
): string[] {
  return items.map(({ lineId, quantity }) => {
    const { parts } = lines.find(({ _id }) => _id === lineId)!
    return describeLine({ quantity, parts })
  })
}
