import { Link } from 'react-router'
import { useCompany } from '#app/company.ts'
import { Facts } from '#app/ui/facts.tsx'
import { listDestination } from '#shop/addresses/destination.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Leads admins to the customer. */
export function DeliverTo({ order, admin }: { order: Purchase; admin: boolean }) {
  const { name, email, recipient, company, address, phoneNumber } = order
  const { country: home } = useCompany()
  return (
    <Facts
      title="Deliver to"
      facts={[
        ['Name', recipient],
        ['Company', company],
        ['Address', [address, ...listDestination(order, home)].join('\n')],
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
