import { Link } from 'react-router'
import { useCompany, usePricing } from '#app/company.ts'
import { Facts } from '#app/ui/facts.tsx'
import { listDestination } from '#shop/addresses/destination.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Leads admins to the customer. */
export function DeliverTo({ order, admin }: { order: Purchase; admin: boolean }) {
  const { name, email, recipient, company, address, phoneNumber, collected } = order
  const pricing = usePricing()
  const { country: home } = useCompany()
  return (
    <Facts
      title={collected ? 'Collect at the factory' : 'Deliver to'}
      facts={[
        ['To be collected at', collected && (pricing?.collection?.address ?? 'The factory')],
        ['Name', recipient],
        ['Company', company],
        [
          collected && admin ? 'Customer’s address' : 'Address',
          [address, ...listDestination(order, home)].join('\n'),
        ],
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
