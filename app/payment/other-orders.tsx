import { Suspense } from 'react'
import { Await, Link } from 'react-router'
import { formatAmount } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** An item of each other order; empty when they cannot be read. */
export async function readOtherUnpaid(email: string, orderId: string): Promise<Purchase[]> {
  const list = client.listMyPurchases({ body: { email, status: 'unpaid', limit: 100 } })
  const { rows } = await list.catch(() => ({ rows: [] }))
  const byOrder = new Map(rows.map((item) => [item.orderId, item]))
  byOrder.delete(orderId)
  return [...byOrder.values()]
}

/** After a payment: what else waits. */
export function OtherOrders({ orders }: { orders: Promise<Purchase[]> }) {
  return (
    <Suspense>
      <Await resolve={orders}>{(others) => <OtherOrdersLink orders={others} />}</Await>
    </Suspense>
  )
}

function OtherOrdersLink({ orders }: { orders: Purchase[] }) {
  if (orders.length === 0) return null
  const total = formatAmount(orders.reduce((sum, { charges }) => sum + charges.total, 0))
  const [only] = orders
  const count = orders.length
  return (
    <p className="mt-4">
      <Link
        to={count === 1 ? `/dashboard/payment/${only!._id}` : '/dashboard/myOrders?status=unpaid'}
        className="link font-semibold"
      >
        {count === 1 ? `1 more order to pay: ${total}` : `${count} more orders to pay: ${total}`}
      </Link>
    </p>
  )
}
