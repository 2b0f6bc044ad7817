import { Link } from 'react-router'
import { Facts } from '#app/ui/facts.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Leads admins to the customer. */
export function DeliverTo({ order, admin }: { order: Purchase; admin: boolean }) {
  const { name, email, recipient, company, address, phoneNumber } = order
  return (
    <Facts
      title="Deliver to"
      facts={[
        ['Name', recipient],
        ['Company', company],
        ['Address', address],
        [
          'Phone Number',
          admin ? (
            <Link key="phone" to={`/dashboard/customers/${order.orderId}`} className="link">
              {phoneNumber}
            </Link>
          ) : (
            phoneNumber
          ),
        ],
        ['Ordered by', !admin && recipient !== name && name],
        ['Email', email],
        [
          'Customer',
          admin && (
            <Link key="customer" to={`/dashboard/customers/${order.orderId}`} className="link">
              {name}
            </Link>
          ),
        ],
      ]}
    />
  )
}
