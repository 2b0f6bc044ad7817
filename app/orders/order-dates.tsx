import { brand } from '#app/brand.ts'
import { timeToPayIsOver } from '#app/orders/refund/refund-status.ts'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import { Facts } from '#app/ui/facts.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBePaid, canBeShipped, orderStatus } from '#shop/orders/status.ts'

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
        ['Shipping time', (canBePaid(order) || orderStatus(order) === 'paid') && shippingTime(order)],
        ['Shipped', shippedAt ? <DateTime key="shipped" at={shippedAt} /> : notShipped],
      ]}
    />
  )
}

function shippingTime({ paid }: Purchase) {
  return paid ? brand.dispatchTime : `${brand.dispatchTime} of payment`
}

function unpaidLabel(order: Purchase) {
  const status = orderStatus(order)
  if (status === 'cancelled') return 'Cancelled before payment'
  if (status === 'expired') return 'Expired before payment'
  return order.heldUntil && isPast(order.heldUntil) ? `Not yet. ${timeToPayIsOver}` : 'Not yet'
}
