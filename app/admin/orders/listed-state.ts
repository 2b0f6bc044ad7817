import { orderTotal } from '#app/charges/charge-facts.ts'
import { formatCount } from '#shop/money.ts'
import type { ListedOrder } from '#shop/orders/order.ts'
import { describeState } from '#shop/orders/state.ts'

interface ListedState {
  /** Null when the money or the warning about the payment says it. */
  label: string | null
  money: string | null
}

/** Of all lines of an order, of which only the first may be listed. */
export function describeListed(order: ListedOrder): ListedState {
  const { lines, lineCount, linesToShip, collected, paid, refunded, refundPending } = order
  const { money } = describeState([{ ...lines[0]!, charged: orderTotal(order), refunded, refundPending }])
  const { label } = describeState(lines)
  if (!paid) return { label, money: null }
  if (linesToShip === lineCount) return { label: 'Pending', money }
  if (linesToShip > 0)
    return { label: `${formatCount(linesToShip)} of ${formatCount(lineCount)} pending`, money }
  // When nothing is to ship and not all is refunded, the rest has shipped, unless the payment is in doubt.
  const isShipped = label === 'Shipped' || (label === 'Refunded' && money !== 'Refunded')
  return { label: isShipped ? (collected ? 'Ready' : 'Shipped') : null, money }
}
