import type { Order } from './order.ts'

export type OrderStatus = 'awaiting payment' | 'paid' | 'shipped' | 'refunded' | 'expired' | 'cancelled'

/** The fields that decide it. */
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

export const orderRules = {
  bePaid: (order: StatusFields) => orderStatus(order) === 'awaiting payment',
  beCancelled: (order: StatusFields) => ['awaiting payment', 'expired'].includes(orderStatus(order)),
  beShipped: (order: StatusFields) => ['paid', 'shipped'].includes(orderStatus(order)),
  beRefunded: (order: StatusFields) => ['paid', 'shipped'].includes(orderStatus(order)),
}
