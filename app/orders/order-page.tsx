import { Link } from 'react-router'
import { readRecentChanges } from '#app/admin/audit/recent-changes.tsx'
import { DeleteOrder } from '#app/admin/orders/delete-order.tsx'
import { isAdmin, requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { findById, lookUpIds } from '#app/basket/look-up.ts'
import { listOrderCharges, orderTotal } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { RefundOrder } from '#app/orders/refund/refund-order.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { formatDollars } from '#shop/money.ts'
import { canBeCancelled, canBePaid } from '#shop/orders/status.ts'
import type { Route } from './+types/order-page'
import { AdminActions } from './admin-actions.tsx'
import { CancelOrder } from './cancel-order.tsx'
import { CancelItems } from './change/cancel-items.tsx'
import { EditDelivery } from './change/edit-delivery.tsx'
import { Lines, readLines } from './lines.tsx'
import { OrderItem } from './order-item.tsx'
import { OrderLayout } from './order-layout.tsx'
import { readPictures } from './part-thumbs.tsx'
import { ReportProblem } from './report-problem.tsx'
import { TrackLink } from './track-link.tsx'
import { TransactionId } from './transaction-id.tsx'
import { joinLines } from './whole-order.ts'

export const meta: Route.MetaFunction = ({ loaderData }) =>
  noindex(loaderData ? `Order #${loaderData.order.number}` : 'Order')

/** The whole order, or with `?item` only the item of this id. */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const session = requireSignedIn(request)
  const isItem = new URL(request.url).searchParams.has('item')
  const [admin, order, events, documents] = await Promise.all([
    isAdmin(session),
    client.readPurchase({ params }),
    isItem ? client.readTimeline({ params }) : client.readOrderTimeline({ params }),
    client.listDocuments({ params }),
  ])
  const showsItem = isItem || order.lineCount <= 1
  const reading = readLines(order)
  const [found, lines, pictures, shipments, changes, cancellations] = await Promise.all([
    showsItem ? lookUpIds([order.partId]) : [],
    reading,
    reading.then(readPictures),
    order.paid ? client.listShipments({ params: { id: order.orderId } }) : [],
    admin ? readRecentChanges('order', order.orderId).then((changes) => changes?.rows ?? []) : null,
    order.paid ? client.readCancellations({ params: { id: order.orderId } }) : null,
  ])
  const own = order.email === session.email
  const part = findById(found, order.partId)
  const shown = { part, lines, pictures, shipments, changes, cancellations }
  return { order, events, documents, admin, own, showsItem, ...shown }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  return loaderData.showsItem ? <OrderItem {...loaderData} /> : <WholeOrder {...loaderData} />
}

function WholeOrder(props: Route.ComponentProps['loaderData']) {
  const { lines, shipments, cancellations, pictures, admin, own } = props
  const order = joinLines(lines)
  const whole = { order, lines, admin, own }
  return (
    <OrderLayout
      {...props}
      order={order}
      of={lines}
      title={`Order #${order.number}`}
      actions={
        <>
          {admin && (
            <AdminActions order={order} lines={lines} own={own}>
              {order.paid && <RefundOrder key={order.orderId} order={order} lines={lines} />}
              {!own && <EditDelivery {...whole} />}
              {!own && <CancelItems {...whole} cancellations={cancellations} />}
              {!own && <DeleteOrder order={order} className="btn btn-sm" />}
            </AdminActions>
          )}
          {own && (
            <div className="mt-6 flex flex-wrap items-center gap-4">
              {canBePaid(order) && (
                <Link to={`/dashboard/payment/${order.orderId}`} className="btn btn-primary">
                  {`Pay ${formatDollars(orderTotal(order))}`}
                </Link>
              )}
              <TrackLink shipments={shipments} />
              <Link to={`/dashboard/orders/${order.orderId}/again`} className="btn btn-sm">
                Order again
              </Link>
              {canBeCancelled(order) && <CancelOrder order={order} leaves />}
              <CancelItems {...whole} cancellations={cancellations} />
              <EditDelivery {...whole} />
              <ReportProblem order={order} />
            </div>
          )}
        </>
      }
      items={
        <Lines
          title="Items"
          lines={lines}
          pictures={pictures}
          totals={[
            ...listOrderCharges(order),
            ['Refunded', order.refunded > 0 && formatDollars(order.refunded)],
            ['TransactionId', order.transactionId && <TransactionId key="id" id={order.transactionId} />],
          ]}
          {...(admin && order.paid && { note: 'Open an item to change its status.' })}
        />
      }
    />
  )
}
