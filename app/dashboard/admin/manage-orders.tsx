import { client } from '#app/client.ts'
import { requireAdmin } from '#app/guards.ts'
import { useChange } from '#app/ui/change.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { Table } from '#app/ui/table.tsx'
import { dollars } from '#shop/money.ts'
import { type Order, orderCan } from '#shop/orders/order.ts'
import type { Route } from './+types/manage-orders'

const heads = ['Name', 'Product', 'Quantity', 'Price', 'Status', 'Action'] as const

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return { orders: (await client.listOrders()).rows }
}

export const HydrateFallback = Spinner

export default function ManageOrders({ loaderData: { orders } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-4">Manages All Orders</h1>
      {orders.length === 0 ? (
        <p>Nobody has ordered anything yet.</p>
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
    dollars(order.price),
    orderCan.beShipped(order) ? <Shipping key="status" order={order} /> : 'Unpaid',
    orderCan.beCancelled(order) ? <Delete key="action" order={order} /> : '–',
  ]
}

function Shipping({ order }: { order: Order }) {
  const { busy, run } = useChange()
  const set = (shipping: boolean) =>
    run('Delivered Status Successfully Changed!!', () =>
      client.shipOrder({ params: { id: order._id }, body: { shipping } }),
    )

  if (order.shipping) {
    return (
      <ConfirmButton
        label="Shipped"
        disabled={busy}
        question={`Has the order of ${order.quantity} × ${order.parts} for ${order.name} not been shipped after all?`}
        action="Not shipped"
        onConfirm={() => set(false)}
      />
    )
  }
  return (
    <button type="button" className="btn btn-primary btn-sm" disabled={busy} onClick={() => set(true)}>
      Pending
    </button>
  )
}

function Delete({ order }: { order: Order }) {
  const { busy, run } = useChange()
  return (
    <ConfirmButton
      label="Delete"
      disabled={busy}
      question={`Delete the unpaid order of ${order.quantity} × ${order.parts} for ${order.name}?`}
      action="Delete order"
      onConfirm={() => run('Deleted your purchase!', () => client.cancelOrder({ params: { id: order._id } }))}
    />
  )
}
