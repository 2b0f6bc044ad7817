import type { Order } from './order.ts'

export type OrderStatus = 'awaiting payment' | 'paid' | 'shipped' | 'refunded' | 'expired' | 'cancelled'

export type StatusFields = Pick<Order, 'paid' | 'expired' | 'cancelled' | 'shipping' | 'refunded' | 'price'>

/** An order refunded in part keeps the status it had. `statusConditions` in lists.server.ts filters by the same fields. */
export function orderStatus(order: StatusFields): OrderStatus {
  if (order.paid) {
    if (order.refunded >= order.price) return 'refunded'
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

export function canBeShipped(order: StatusFields) {
  return ['paid', 'shipped'].includes(orderStatus(order))
}

export function canBeRefunded(order: StatusFields) {
  return ['paid', 'shipped'].includes(orderStatus(order))
}
