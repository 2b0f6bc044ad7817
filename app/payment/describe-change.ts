import { formatDollars } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

type Line = Pick<Purchase, '_id' | 'parts' | 'quantity' | 'price'>

/** For somebody who still sees the order as it was; undefined when the total is the same. */
export function describeChange(before: Line[], now: Line[]): string | undefined {
  const [totalBefore, total] = [sumPrices(before), sumPrices(now)]
  if (totalBefore === total) return undefined
  const left = new Map(now.map((line) => [line._id, line]))
  const removed = before.filter(({ _id }) => !left.has(_id)).map(describeLine)
  const changed = before.flatMap((line) => {
    const current = left.get(line._id)
    return current && current.price !== line.price ? `${describeLine(line)} → ${describeLine(current)}` : []
  })
  const changes = [...removed.map((line) => `${line} removed`), ...changed].join('; ')
  const what = changes && `: ${changes}`
  return `This order has changed${what}. The total is now ${formatDollars(total)}, before it was ${formatDollars(totalBefore)}.`
}

function sumPrices(lines: Line[]) {
  return lines.reduce((sum, { price }) => sum + price, 0)
}
