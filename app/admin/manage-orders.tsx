import { Link } from 'react-router'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { PaymentWarning } from '#app/orders/payment-warning.tsx'
import { refundedLabel } from '#app/orders/refund-status.ts'
import { Shipping } from '#app/orders/shipping.tsx'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { ListTable } from '#app/ui/list-table.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { useAction } from '#app/ui/use-action.ts'
import { formatDollars } from '#shop/money.ts'
import { type Order, orderQuery } from '#shop/orders/order.ts'
import { canBeCancelled, orderStatus } from '#shop/orders/status.ts'
import type { Route } from './+types/manage-orders'
import { PaymentTasks } from './payment-tasks.tsx'

const columns = [
  { head: 'Name', sort: 'name' },
  { head: 'Product', sort: 'parts' },
  { head: 'Quantity', sort: 'quantity' },
  { head: 'Price', sort: 'price' },
  { head: 'Status' },
  { head: 'Action' },
]

const statuses = [
  { value: '', label: 'All orders' },
  { value: 'unpaid', label: 'Unpaid' },
  { value: 'pending', label: 'Pending' },
  { value: 'shipped', label: 'Shipped' },
  { value: 'expired', label: 'Expired' },
  { value: 'refunded', label: 'Refunded' },
]

export const meta = () => noindex('Manages All Orders')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const [list, tasks, { keyProblem }] = await Promise.all([
    readList(request, orderQuery, (body) => client.listOrders({ body })),
    client.listPaymentTasks(),
    client.checkPayments(),
  ])
  return { list, tasks, keyProblem }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ManageOrders({ loaderData: { list, tasks, keyProblem } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-5">Manages All Orders</h1>
      <PaymentTasks tasks={tasks} keyProblem={keyProblem} />
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        noun={['order', 'orders']}
        searchPlaceholder="Name, email, product or number"
        filter={{ name: 'status', label: 'Status', options: statuses }}
        empty={<p>Nobody has ordered anything yet.</p>}
      />
    </>
  )
}

function cells(order: Order) {
  return [
    <Link key="name" to={`/dashboard/orders/${order._id}`} className="link">
      {order.name}
    </Link>,
    order.parts,
    order.quantity,
    formatDollars(order.price),
    <Status key="status" order={order} />,
    canBeCancelled(order) ? <Delete key="action" order={order} /> : '–',
  ]
}

function Status({ order }: { order: Order }) {
  const status = orderStatus(order)
  if (status === 'awaiting payment') return 'Unpaid'
  if (status === 'expired') return 'Expired'
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:justify-end">
      <Shipping order={order} />
      <span className="empty:hidden">{refundedLabel(order)}</span>
      <PaymentWarning order={order} />
    </div>
  )
}

function Delete({ order }: { order: Order }) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      label="Delete"
      busy={busy}
      question={`Delete the unpaid order of ${order.quantity} × ${order.parts} for ${order.name}?`}
      action="Delete order"
      onConfirm={() => run('Deleted your purchase!', () => client.cancelOrder({ params: { id: order._id } }))}
    />
  )
}
