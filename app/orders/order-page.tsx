import { Link } from 'react-router'
import { isAdmin, requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { brand } from '#app/brand.ts'
import { PartName } from '#app/catalogue/part-name.tsx'
import { client, nullIfMissing } from '#app/client.ts'
import type { ContactState } from '#app/content/contact-prefill.ts'
import { noindex } from '#app/meta.ts'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import { type Fact, Facts } from '#app/ui/facts.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBePaid, canBeShipped, orderStatus } from '#shop/orders/status.ts'
import type { Route } from './+types/order-page'
import { DeliverTo } from './deliver-to.tsx'
import { DocumentLinks } from './document-links.tsx'
import { OtherLines, readLines } from './lines.tsx'
import { PaymentWarning } from './payment-warning.tsx'
import { RefundDialog } from './refund.tsx'
import { refundedLabel, timeToPayIsOver } from './refund-status.ts'
import { Shipments } from './shipments.tsx'
import { shippedLabel } from './shipped-label.ts'
import { Shipping } from './shipping.tsx'
import { Timeline } from './timeline.tsx'
import { TransactionId } from './transaction-id.tsx'

export const meta = () => noindex('Order')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const session = requireSignedIn(request)
  const [admin, order, events, documents] = await Promise.all([
    isAdmin(session),
    client.readPurchase({ params }),
    client.readTimeline({ params }),
    client.listDocuments({ params }),
  ])
  const [part, lines, shipments] = await Promise.all([
    client.readPart({ params: { partId: order.partId } }).catch(nullIfMissing),
    readLines(order),
    order.paid ? client.listShipments({ params: { id: order.orderId } }) : [],
  ])
  return { order, lines, events, documents, shipments, part, admin, own: order.email === session.email }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { order, lines, events, documents, shipments, part, admin, own } = loaderData
  const isWhole = lines.length === 1
  return (
    <article className="max-w-3xl">
      <h1>
        <PartName name={order.parts} />
      </h1>
      <p className="mt-2 text-base-content/75">{`Order #${order.number}`}</p>

      <div className="mt-6 flex flex-wrap items-center gap-4">
        {own && canBePaid(order) && (
          <Link to={`/dashboard/payment/${order._id}`} className="btn btn-primary">
            {`Pay ${formatDollars(order.orderPrice)}`}
          </Link>
        )}
        {orderStatus(order) === 'cancelled' && <p className="font-medium">Cancelled</p>}
        {admin && <Shipping order={order} />}
        {admin && order.paid && <RefundDialog key={order._id} order={order} />}
        <p className="font-medium empty:hidden">{shippedLabel(order)}</p>
        <p className="font-medium empty:hidden">{refundedLabel(order)}</p>
        {admin && <PaymentWarning order={order} />}
        {own && (part || !isWhole) && (
          <Link to={`/dashboard/orders/${order._id}/again`} className="btn btn-sm">
            Order again
          </Link>
        )}
        {own && part && !isWhole && (
          <Link to={`/dashboard/orders/${order._id}/again?item`} className="btn btn-sm">
            Order this item again
          </Link>
        )}
        {part ? (
          <Link to={`/parts/${part._id}`} className="link">
            View part
          </Link>
        ) : (
          <p>This part is no longer for sale.</p>
        )}
        {own && (
          <Link to="/#contact" state={contactState(order)} className="link">
            Something is wrong with this order
          </Link>
        )}
      </div>

      <div className="mt-8 grid gap-x-12 gap-y-8 sm:grid-cols-2">
        <Facts
          title="Order details"
          facts={[
            ['Quantity', formatCount(order.quantity)],
            ['Price per unit', formatDollars(order.price / order.quantity)],
            [isWhole ? 'Amount' : 'Amount for this item', formatDollars(order.price)],
            ['Order total', !isWhole && formatDollars(order.orderPrice)],
            ['Refunded', order.refunded > 0 && formatDollars(order.refunded)],
            ['TransactionId', order.transactionId && <TransactionId key="id" id={order.transactionId} />],
          ]}
        />
        <DeliverTo order={order} />
        <Facts title="Dates" facts={datesOf(order)} />
        <Shipments order={order} lines={lines} shipments={shipments} admin={admin} />
        <DocumentLinks order={order} documents={documents} admin={admin} />
        <Timeline events={events} />
        <OtherLines purchase={order} lines={lines} />
      </div>
    </article>
  )
}

function contactState({ number, quantity, parts, phoneNumber }: Purchase): ContactState {
  return {
    contact: { phone: phoneNumber, message: `Order #${number} (${formatCount(quantity)} × ${parts}):\n` },
  }
}

function datesOf(order: Purchase): Fact[] {
  const { createdAt, heldUntil, paidAt, shippedAt } = order
  const notShipped = canBeShipped(order) && 'Not yet'
  return [
    ['Ordered', <DateTime key="ordered" at={createdAt} />],
    ['Time left to pay', heldUntil && !isPast(heldUntil) && timeLeft(heldUntil)],
    ['Paid', paidAt ? <DateTime key="paid" at={paidAt} /> : unpaidLabel(order)],
    ['Shipping time', (canBePaid(order) || orderStatus(order) === 'paid') && shippingTime(order)],
    ['Shipped', shippedAt ? <DateTime key="shipped" at={shippedAt} /> : (shippedLabel(order) ?? notShipped)],
  ]
}

function shippingTime({ paid }: Purchase) {
  return paid ? brand.dispatchTime : `${brand.dispatchTime} of payment`
}

function unpaidLabel(order: Purchase) {
  const status = orderStatus(order)
  if (status === 'cancelled') return 'Cancelled before payment'
  if (status === 'expired') return 'Expired before payment'
  return order.heldUntil && isPast(order.heldUntil) ? `Not yet. ${timeToPayIsOver}` : 'Not yet'
}
