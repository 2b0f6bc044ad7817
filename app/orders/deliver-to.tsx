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
  const toCustomer = (text: string) =>
    admin ? (
      <Link to={`/dashboard/customers/${order.orderId}`} className="link">
        {text}
      </Link>
    ) : (
      text
    )
  return (
    <Facts
      title={collected ? 'Collect at the factory' : 'Deliver to'}
      facts={[
        ['To be collected at', collected && (pricing?.collection?.address ?? 'The factory')],
        ['Name', recipient === name ? toCustomer(name) : recipient],
        ['Company', company],
        [
          collected && admin ? 'Customer’s address' : 'Address',
          [address, ...listDestination(order, home)].join('\n'),
        ],
        ['Phone Number', toCustomer(phoneNumber)],
        ['Ordered by', recipient !== name && toCustomer(name)],
        ['Email', email],
      ]}
    />
  )
}
