import { Link } from 'react-router'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Of an order, or of the item that it is. */
export function ReportProblem({ order }: { order: Purchase }) {
  return (
    <Link to={`/dashboard/orders/${order._id}/ask`} className="link">
      Something is wrong with this order
    </Link>
  )
}
