import { Link } from 'react-router'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Of an order, or of the item that it is: an order has the id of its first item, so only the address tells them apart. */
export function ReportProblem({ order, isItem = false }: { order: Purchase; isItem?: boolean }) {
  return (
    <Link
      to={`/dashboard/orders/${order.orderId}/ask${isItem ? `?item=${order._id}` : ''}`}
      className="btn btn-sm"
    >
      Something is wrong with this order
    </Link>
  )
}
