import { formatAmount } from '#app/charges/charge-facts.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

type Line = Pick<Purchase, '_id' | 'parts' | 'quantity' | 'price' | 'charges'>

/** For somebody who still sees the order as it was; undefined when the total is the same. */
export function describeChange(before: Line[], now: Line[]): string | undefined {
  const [totalBefore, total] = [findTotal(before), findTotal(now)]
  if (totalBefore === total) return undefined
  const left = new Map(now.map((line) => [line._id, line]))
  const removed = before.filter(({ _id }) => !left.has(_id)).map(describeLine)
  const changed = before.flatMap((line) => {
    const current = left.get(line._id)
    return current && current.price !== line.price ? `${describeLine(line)} → ${describeLine(current)}` : []
  })
  const changes = [...removed.map((line) => `${line} removed`), ...changed].join('; ')
  const what = changes && `: ${changes}`
  return `This order has changed${what}. The total is now ${formatAmount(total)}, before it was ${formatAmount(totalBefore)}.`
}

/** In cents. */
function findTotal([line]: Line[]) {
  return line?.charges.total ?? 0
}
