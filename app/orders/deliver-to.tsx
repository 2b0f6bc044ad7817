import { Facts } from '#app/ui/facts.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'

export function DeliverTo({ order }: { order: Purchase }) {
  const { name, email, recipient, company, address, phoneNumber } = order
  return (
    <Facts
      title="Deliver to"
      facts={[
        ['Name', recipient],
        ['Company', company],
        ['Address', address],
        ['Phone Number', phoneNumber],
        ['Ordered by', recipient !== name && name],
        ['Email', email],
      ]}
    />
  )
}
