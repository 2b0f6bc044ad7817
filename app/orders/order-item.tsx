import { Link } from 'react-router'
import { DeleteOrder } from '#app/admin/orders/delete-order.tsx'
import type { FoundById } from '#app/basket/look-up.ts'
import { PartName } from '#app/catalogue/part-name.tsx'
import { formatAmount, listOrderCharges } from '#app/charges/charge-facts.ts'
import { DocumentLinks } from '#app/orders/documents/document-links.tsx'
import { RefundDialog } from '#app/orders/refund/refund.tsx'
import { RefundOrder } from '#app/orders/refund/refund-order.tsx'
import { Shipments } from '#app/orders/ship/shipments.tsx'
import { Shipping } from '#app/orders/ship/shipping.tsx'
import { type Fact, FactList } from '#app/ui/facts.tsx'
import type { AuditEntry } from '#shop/audit/audit.ts'
import type { OrderDocument } from '#shop/documents/document.ts'
import { formatCount, formatDollars, toCents } from '#shop/money.ts'
import type { Cancellations } from '#shop/orders/change/cancellation.ts'
import type { OrderEvent, Purchase } from '#shop/orders/purchase.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'
import { canBeCancelled, canBePaid, canBeShipped } from '#shop/orders/status.ts'
import { describeReplacement } from '#shop/replacements/describe-replacement.ts'
import { AdminActions } from './admin-actions.tsx'
import { CancelItem, CancelOrder } from './cancel-order.tsx'
import { CancelItems } from './change/cancel-items.tsx'
import { EditDelivery } from './change/edit-delivery.tsx'
import { DeliverTo } from './deliver-to.tsx'
import { HoldNote } from './hold-note.tsx'
import { Lines } from './lines.tsx'
import { OrderState } from './order-state.tsx'
import { type Pictures, Thumb } from './part-thumbs.tsx'
import { PaymentNotice, PaymentWarning } from './payment-warning.tsx'
import { ReportProblem } from './report-problem.tsx'
import { StatusBar } from './status-bar.tsx'
import { Timeline } from './timeline.tsx'
import { TrackLink } from './track-link.tsx'
import { TransactionId } from './transaction-id.tsx'
import { joinLines } from './whole-order.ts'

interface Props {
  order: Purchase
  /** All of the order. */
  lines: Purchase[]
  events: OrderEvent[]
  documents: OrderDocument[]
  shipments: Shipment[]
  cancellations: Cancellations | null
  /** By admins; null for a customer. */
  changes: AuditEntry[] | null
  pictures: Pictures
  part: FoundById
  admin: boolean
  own: boolean
}

/** One item of an order, or an order of one item. */
export function OrderItem(props: Props) {
  const { order, lines, events, changes, documents, shipments, pictures, admin, own } = props
  const { part, replaced } = props.part
  const isWhole = lines.length === 1
  const others = lines.filter(({ _id }) => _id !== order._id)
  return (
    <article className="max-w-6xl">
      {!isWhole && (
        <p>
          <Link to={`/dashboard/orders/${order.orderId}`} className="link">
            {`Order #${order.number}`}
          </Link>
        </p>
      )}
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1">
        <h1>{isWhole ? `Order #${order.number}` : <PartName name={order.parts} />}</h1>
        <OrderState lines={[order]} isHead />
        {admin && <PaymentWarning order={order} />}
      </div>
      <StatusBar lines={[order]} />
      {admin && <PaymentNotice order={order} />}
      {admin && (
        <AdminActions order={order} lines={lines} own={own}>
          <Shipping line={order} linesToShip={lines.filter(canBeShipped).length} quiet />
          {order.paid &&
            (isWhole && order.deliveryCharge.charged > 0 ? (
              <RefundOrder key={order._id} order={joinLines(lines)} lines={lines} />
            ) : (
              <RefundDialog key={order._id} line={order} />
            ))}
          {!own && isWhole && <DeleteOrder order={order} className="btn btn-sm" />}
        </AdminActions>
      )}
      <Actions {...props} isWhole={isWhole} />
      {part && replaced && (
        <p className="mt-4 max-w-prose border-l-4 border-warning pl-3">
          {`${describeReplacement(replaced, part.partNumber)} `}
          <Link to={`/parts/${part._id}`} className="link">{`View ${part.partNumber}`}</Link>
        </p>
      )}
      {own && <HoldNote order={order} />}

      <div className="mt-8 grid items-start gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,1fr)_18rem] xl:grid-rows-[auto_1fr]">
        <div className="grid min-w-0 gap-8">
          <Ordered {...props} isWhole={isWhole} />
          <Shipments order={order} lines={lines} shipments={shipments} admin={admin} />
        </div>
        <div className="grid min-w-0 gap-8 sm:max-xl:grid-cols-2 xl:col-start-2 xl:row-span-2 xl:row-start-1">
          <DeliverTo order={order} admin={admin} />
          <DocumentLinks lines={lines} documents={documents} admin={admin} />
        </div>
        <div className="grid min-w-0 gap-8">
          <Timeline events={events} changes={changes} order={order} />
          {others.length > 0 && (
            <Lines title={`Also in order #${order.number}`} lines={others} pictures={pictures} />
          )}
        </div>
      </div>
    </article>
  )
}

/** What it is of, as the order’s page has it. */
function Ordered({ order, part: { part, replaced }, pictures, isWhole }: Props & { isWhole: boolean }) {
  const { quantity, parts, price, partId } = order
  return (
    <section aria-labelledby="ordered-item" className="min-w-0">
      <h2 id="ordered-item" className="text-base">
        Item
      </h2>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 border-y border-base-300 py-2 text-sm">
        <Thumb src={pictures[partId]} alt="" />
        <div className="min-w-0 grow basis-40">
          {isWhole && (
            <p className="font-medium">
              <PartName name={parts} />
            </p>
          )}
          <p>{`${formatCount(quantity)} × ${formatDollars(price / quantity)}`}</p>
          {!replaced && <PartLink partId={partId} isSold={part !== undefined} />}
        </div>
        <p className="font-medium">{formatDollars(price)}</p>
      </div>
      <FactList facts={listAmounts(order, isWhole)} />
    </section>
  )
}

function listAmounts(order: Purchase, isWhole: boolean): Fact[] {
  const { price, charged, charges, deliveryCharge, refunded, transactionId } = order
  const paidWith: Fact = ['TransactionId', transactionId && <TransactionId key="id" id={transactionId} />]
  if (isWhole) {
    const back = toCents(refunded) + toCents(deliveryCharge.refunded)
    return [...listOrderCharges(order), ['Refunded', back > 0 && formatAmount(back)], paidWith]
  }
  return [
    ['With tax', charged !== price && formatDollars(charged)],
    ['Refunded for this item', refunded > 0 && formatDollars(refunded)],
    ['Order total', formatAmount(charges.total)],
    paidWith,
  ]
}

function Actions(props: Props & { isWhole: boolean }) {
  const { order, lines, cancellations, shipments, admin, own, isWhole } = props
  const { part, replaced } = props.part
  return (
    <div className="mt-6 flex flex-wrap items-center gap-4 empty:hidden">
      {own && canBePaid(order) && (
        <Link to={`/dashboard/payment/${order.orderId}`} className="btn btn-primary">
          {`Pay ${formatAmount(order.charges.total)}`}
        </Link>
      )}
      {own && isWhole && <TrackLink shipments={shipments} />}
      {own && (part || !isWhole) && (
        <Link to={`/dashboard/orders/${order.orderId}/again`} className="btn btn-sm">
          Order again
        </Link>
      )}
      {own && part && !isWhole && (
        <Link to={`/dashboard/orders/${order._id}/again?item`} className="btn btn-sm">
          Order this item again
        </Link>
      )}
      {own &&
        canBeCancelled(order) &&
        (isWhole ? <CancelOrder order={order} leaves /> : <CancelItem line={order} leaves />)}
      {own && !admin && part && !replaced && order.shippedAt && (
        <Link to={`/dashboard/addReview?part=${part._id}`} className="btn btn-sm">
          Review this part
        </Link>
      )}
      {isWhole && (
        <CancelItems order={order} lines={lines} cancellations={cancellations} admin={admin} own={own} />
      )}
      {isWhole && <EditDelivery order={order} lines={lines} admin={admin} own={own} />}
      {own && <ReportProblem order={order} isItem />}
    </div>
  )
}

function PartLink({ partId, isSold }: { partId: string; isSold: boolean }) {
  return (
    <>
      {!isSold && <p>This part is no longer for sale.</p>}
      <Link to={`/parts/${partId}`} className="link">
        {isSold ? 'View part' : 'View similar parts'}
      </Link>
    </>
  )
}
