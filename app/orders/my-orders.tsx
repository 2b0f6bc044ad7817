import { Link } from 'react-router'
import { requireSignedIn, signOutIfRefused } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { type List, readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import { ListTable } from '#app/ui/list-table.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { useAction } from '#app/ui/use-action.ts'
import { type Order, orderQuery } from '#shop/orders/order.ts'
import { canBeCancelled, orderStatus } from '#shop/orders/status.ts'
import { refundedLabel, timeToPayIsOver } from './refund-status.ts'

const columns = [
  { head: 'Name' },
  { head: 'Product', sort: 'parts' },
  { head: 'Quantity', sort: 'quantity' },
  { head: 'Price($)', sort: 'price' },
  { head: 'Payment' },
  { head: 'Cancel Purchase' },
]

const statuses = [
  { value: '', label: 'All orders' },
  { value: 'unpaid', label: 'To be paid' },
  { value: 'pending', label: 'Not shipped yet' },
  { value: 'shipped', label: 'Shipped' },
  { value: 'expired', label: 'Expired' },
  { value: 'refunded', label: 'Refunded' },
]

export const meta = () => noindex('My Orders')

export async function loadMyOrders({ request }: { request: Request }) {
  const { email } = requireSignedIn(request)
  const read = readList(request, orderQuery, (query) => client.listMyOrders({ body: { ...query, email } }))
  return read.catch(signOutIfRefused(request))
}

export const clientLoader = loadMyOrders

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function MyOrdersPage({ loaderData }: { loaderData: List<Order> }) {
  return <MyOrders list={loaderData} />
}

export function MyOrders({ list }: { list: List<Order> }) {
  return (
    <>
      <h1 className="mb-5">My Orders</h1>
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        noun={['order', 'orders']}
        searchPlaceholder="Product or number"
        filter={{ name: 'status', label: 'Status', options: statuses }}
        empty={
          <p>
            {'You have not ordered anything yet. '}
            <Link to="/parts" className="link">
              See the parts
            </Link>
          </p>
        }
      />
    </>
  )
}

function cells(order: Order) {
  return [
    order.name,
    <Link key="product" to={`/dashboard/orders/${order._id}`} className="link">
      {order.parts}
    </Link>,
    order.quantity,
    order.price,
    <Payment key="payment" order={order} />,
    canBeCancelled(order) ? <Cancel key="cancel" order={order} /> : '–',
  ]
}

function Payment({ order }: { order: Order }) {
  const { paid, heldUntil, transactionId, shippedAt } = order
  const status = orderStatus(order)
  if (status === 'awaiting payment') {
    return (
      <div>
        <Link to={`/dashboard/payment/${order._id}`} className="btn btn-primary btn-sm">
          Pay
        </Link>
        <p className="mt-1 text-sm">
          Ordered <DateTime at={order.createdAt} />
        </p>
        {heldUntil && (
          <p className="text-sm">{isPast(heldUntil) ? timeToPayIsOver : `Held for ${timeLeft(heldUntil)}`}</p>
        )}
      </div>
    )
  }
  return (
    <div className="text-sm">
      <p className={`text-base font-medium ${paid ? 'text-success' : ''}`}>{paid ? 'Paid' : 'Expired'}</p>
      {transactionId && <p className="font-mono text-xs break-all">{transactionId}</p>}
      <p>
        Ordered <DateTime at={order.createdAt} />
      </p>
      {status === 'expired' && <p>It was not paid in time, and its parts went back on sale.</p>}
      {shippedAt && <ShippedOn at={shippedAt} />}
      {status === 'paid' && <p>Not shipped yet</p>}
      <p className="font-medium empty:hidden">{refundedLabel(order)}</p>
      {paid && (
        <Link to={`/dashboard/orders/${order._id}/receipt`} className="link">
          Receipt
        </Link>
      )}
    </div>
  )
}

function ShippedOn({ at }: { at: string }) {
  return (
    <p>
      Shipped <DateTime at={at} />
    </p>
  )
}

function Cancel({ order }: { order: Order }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Delete"
      busy={busy}
      question={`Cancel your purchase of ${order.quantity} × ${order.parts}?`}
      action="Cancel purchase"
      dismiss="Keep it"
      onConfirm={() =>
        run('Purchase Cancelled Successfully', () => client.cancelOrder({ params: { id: order._id } }))
      }
    />
  )
}
