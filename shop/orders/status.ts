import { toCents } from '#shop/money.ts'
import type { Purchase } from './purchase.ts'

export type OrderStatus = 'awaiting payment' | 'paid' | 'shipped' | 'refunded' | 'expired' | 'cancelled'

export type StatusFields = Pick<
  Purchase,
  | 'paid'
  | 'expired'
  | 'cancelled'
  | 'shipping'
  | 'toShip'
  | 'charged'
  | 'refunded'
  | 'refundPending'
  | 'dispute'
  | 'disputed'
  | 'testPayment'
>

/** An order refunded in part keeps the status it had; what is owed counts as refunded. `statusConditions` in status-conditions.server.ts filters by the same fields. */
export function orderStatus(order: StatusFields): OrderStatus {
  if (order.paid) {
    if (toCents(order.refunded) + toCents(order.refundPending) >= toCents(order.charged)) return 'refunded'
    return order.shipping ? 'shipped' : 'paid'
  }
  if (order.cancelled) return 'cancelled'
  return order.expired ? 'expired' : 'awaiting payment'
}

export function canBePaid(order: StatusFields) {
  return orderStatus(order) === 'awaiting payment'
}

export function canBeCancelled(order: StatusFields) {
  return ['awaiting payment', 'expired'].includes(orderStatus(order))
}

/** Whether something is left to ship; of a disputed order only once the dispute is won. `adminConditions` has the same rules. */
export function canBeShipped(order: StatusFields) {
  const isDisputed = order.dispute === 'open' || order.dispute === 'lost'
  return orderStatus(order) === 'paid' && order.toShip > 0 && !isDisputed && !order.testPayment
}

/** Not while the customer's bank has the money back. */
export function canBeRefunded(order: StatusFields) {
  return ['paid', 'shipped'].includes(orderStatus(order)) && order.disputed === 0 && !order.testPayment
}
