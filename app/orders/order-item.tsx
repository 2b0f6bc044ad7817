import { Link } from 'react-router'
import { DeleteOrder } from '#app/admin/orders/delete-order.tsx'
import type { FoundById } from '#app/basket/look-up.ts'
import { PartName } from '#app/catalogue/part-name.tsx'
import { formatAmount, listOrderCharges } from '#app/charges/charge-facts.ts'
import { RefundDialog } from '#app/orders/refund/refund.tsx'
import { RefundOrder } from '#app/orders/refund/refund-order.tsx'
import { Shipping } from '#app/orders/ship/shipping.tsx'
import { type Fact, FactList } from '#app/ui/facts.tsx'
import { formatCount, formatDollars, toCents } from '#shop/money.ts'
import type { Cancellations } from '#shop/orders/change/cancellation.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeCancelled, canBePaid, canBeShipped } from '#shop/orders/status.ts'
import { describeReplacement } from '#shop/replacements/describe-replacement.ts'
import { AdminActions } from './admin-actions.tsx'
import { CancelItem, CancelOrder } from './cancel-order.tsx'
import { CancelItems } from './change/cancel-items.tsx'
import { EditDelivery } from './change/edit-delivery.tsx'
import { Lines } from './lines.tsx'
import { OrderLayout, type ShownOrder } from './order-layout.tsx'
import { type Pictures, Thumb } from './part-thumbs.tsx'
import { ReportProblem } from './report-problem.tsx'
import { TrackLink } from './track-link.tsx'
import { TransactionId } from './transaction-id.tsx'
import { joinLines } from './whole-order.ts'

interface Props extends ShownOrder {
  cancellations: Cancellations | null
  pictures: Pictures
  part: FoundById
}

/** One item of an order, or an order of one item. */
export function OrderItem(props: Props) {
  const { order, lines, pictures, admin, own } = props
  const { part, replaced } = props.part
  const isWhole = lines.length === 1
  const others = lines.filter(({ _id }) => _id !== order._id)
  return (
    <OrderLayout
      {...props}
      of={[order]}
      title={isWhole ? `Order #${order.number}` : <PartName name={order.parts} />}
      actions={
        <>
          {!isWhole && (
            <p className="mt-4">
              {'Part of '}
              <Link to={`/dashboard/orders/${order.orderId}`} className="link">
                {`Order #${order.number}`}
              </Link>
            </p>
          )}
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
        </>
      }
      items={<Ordered {...props} isWhole={isWhole} />}
    >
      {others.length > 0 && (
        <Lines title={`Also in order #${order.number}`} lines={others} pictures={pictures} />
      )}
    </OrderLayout>
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
