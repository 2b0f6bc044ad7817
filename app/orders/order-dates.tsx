import { readTimeZone } from '#app/admin/time-zone.ts'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import type { Fact } from '#app/ui/facts.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'
import { canBeShipped, orderStatus } from '#shop/orders/status.ts'
import { describeShipBy } from './ships-by.tsx'

/** When things happened to an order, or are to. `lines` are those that `order` stands for. */
export function listDates(order: Purchase, lines: Purchase[]): Fact[] {
  const { createdAt, heldUntil, paidAt, shippedAt, collected } = order
  return [
    ['Ordered', <DateTime key="ordered" at={createdAt} />],
    ['Time left to pay', heldUntil && !isPast(heldUntil) && timeLeft(heldUntil)],
    ['Paid', paidAt ? <DateTime key="paid" at={paidAt} /> : unpaidLabel(order)],
    [collected ? 'Collection' : 'Shipping', describeShipBy(order, readTimeZone())],
    [
      collected ? 'Ready to collect' : 'Shipped',
      shippedAt ? <DateTime key="shipped" at={shippedAt} /> : canBeShipped(order) && notShipped(lines),
    ],
  ]
}

function notShipped(lines: Purchase[]) {
  const { parts } = describeState(lines)
  return parts === 'Not shipped yet' ? 'Not yet' : parts
}

function unpaidLabel(order: Purchase) {
  const status = orderStatus(order)
  if (status === 'cancelled') return 'Cancelled before payment'
  if (status === 'expired') return 'Expired before payment'
  return 'Not yet'
}
