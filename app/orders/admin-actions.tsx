import type { ReactNode } from 'react'
import { ShipItems } from '#app/orders/ship/ship-items.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'

/** What an admin does with an order: ship it first. */
export function AdminActions({
  order,
  lines,
  children,
}: {
  order: Purchase
  /** All of the order. */
  lines: Purchase[]
  children: ReactNode
}) {
  const subject = new URLSearchParams({ subject: `Order #${order.number}` })
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3">
      {order.paid && (
        <div className="empty:hidden [&>.btn]:mt-0">
          <ShipItems key={order.orderId} order={order} lines={lines} />
        </div>
      )}
      {children}
      <a href={`mailto:${order.email}?${String(subject).replaceAll('+', '%20')}`} className="btn btn-sm">
        Message
      </a>
    </div>
  )
}
