import { Link } from 'react-router'
import { client } from '#app/client.ts'
import { leaveIfRefused, requireMember } from '#app/guards.ts'
import { useChange } from '#app/ui/change.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { Table } from '#app/ui/table.tsx'
import { type Order, orderCan } from '#shop/orders/order.ts'

const heads = ['Name', 'Product', 'Quantity', 'Price($)', 'Payment', 'Cancel Purchase'] as const

export async function clientLoader({ request }: { request: Request }) {
  const { email } = requireMember(request)
  const { rows } = await client.listMyOrders({ body: { email } }).catch(leaveIfRefused)
  return { orders: rows }
}

export const HydrateFallback = Spinner

export default function MyOrders({ loaderData: { orders } }: { loaderData: { orders: Order[] } }) {
  return (
    <>
      <h1 className="mb-4">My Orders</h1>
      {orders.length === 0 ? (
        <p>
          {'You have not ordered anything yet. '}
          <Link to="/parts" className="link">
            See the parts
          </Link>
        </p>
      ) : (
        <Table heads={heads} rows={orders.map((order) => ({ key: order._id, cells: cells(order) }))} />
      )}
    </>
  )
}

function cells(order: Order) {
  return [
    order.name,
    order.parts,
    order.quantity,
    order.price,
    <Payment key="payment" order={order} />,
    orderCan.beCancelled(order) ? <Cancel key="cancel" order={order} /> : '–',
  ]
}

function Payment({ order }: { order: Order }) {
  if (orderCan.bePaid(order)) {
    return (
      <Link to={`/dashboard/payment/${order._id}`} className="btn btn-primary btn-sm">
        Pay
      </Link>
    )
  }
  return (
    <span>
      <span className="font-medium text-success">Paid</span>
      <span className="block font-mono text-xs break-all">{order.transactionId}</span>
      <span className="block text-sm">{order.shipping ? 'Shipped' : 'Not shipped yet'}</span>
    </span>
  )
}

function Cancel({ order }: { order: Order }) {
  const { busy, run } = useChange()
  return (
    <ConfirmButton
      label="Delete"
      disabled={busy}
      question={`Cancel your purchase of ${order.quantity} × ${order.parts}?`}
      action="Cancel purchase"
      dismiss="Keep it"
      onConfirm={() =>
        run('Purchase Cancelled Successfully', () => client.cancelOrder({ params: { id: order._id } }))
      }
    />
  )
}
