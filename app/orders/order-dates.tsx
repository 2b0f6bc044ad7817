import { readTimeZone } from '#app/admin/time-zone.ts'
import { timeToPayIsOver } from '#app/orders/refund/refund-status.ts'
import { shippedLabel } from '#app/orders/ship/shipped-label.ts'
import { describeShipBy } from '#app/orders/ships-by.tsx'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import { Facts } from '#app/ui/facts.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeShipped, orderStatus } from '#shop/orders/status.ts'

export function OrderDates({ order }: { order: Purchase }) {
  const { createdAt, heldUntil, paidAt, shippedAt } = order
  const notShipped = canBeShipped(order) && 'Not yet'
  return (
    <Facts
      title="Dates"
      facts={[
        ['Ordered', <DateTime key="ordered" at={createdAt} />],
        ['Time left to pay', heldUntil && !isPast(heldUntil) && timeLeft(heldUntil)],
        ['Paid', paidAt ? <DateTime key="paid" at={paidAt} /> : unpaidLabel(order)],
        ['Shipping', describeShipBy(order, readTimeZone())],
        [
          'Shipped',
          shippedAt ? <DateTime key="shipped" at={shippedAt} /> : (shippedLabel(order) ?? notShipped),
        ],
      ]}
    />
  )
}

function unpaidLabel(order: Purchase) {
  const status = orderStatus(order)
  if (status === 'cancelled') return 'Cancelled before payment'
  if (status === 'expired') return 'Expired before payment'
  return order.heldUntil && isPast(order.heldUntil) ? `Not yet. ${timeToPayIsOver}` : 'Not yet'
}
