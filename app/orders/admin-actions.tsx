import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ShipItems } from '#app/orders/ship/ship-items.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'

/** What an admin does with an order: ship it first. */
export function AdminActions({
  order,
  lines,
  own,
  children,
}: {
  order: Purchase
  /** All of the order. */
  lines: Purchase[]
  /** Of the admin. */
  own: boolean
  children: ReactNode
}) {
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3">
      {order.paid && (
        <div className="contents [&>.btn]:mt-0">
          <ShipItems key={order.orderId} order={order} lines={lines} />
        </div>
      )}
      {children}
      {!own && (
        <Link to={`/dashboard/orders/${order.orderId}/ask`} className="btn btn-sm">
          Message
        </Link>
      )}
    </div>
  )
}
