import { Fragment, type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { readTimeZone } from '#app/admin/time-zone.ts'
import { serverNow } from '#app/browser/clock.ts'
import { PartName } from '#app/catalogue/part-name.tsx'
import { hasMoreCharges, listCharges, orderTotal } from '#app/charges/charge-facts.ts'
import { HoldNote } from '#app/orders/hold-note.tsx'
import { refundedLabel, timeToPayIsOver } from '#app/orders/refund/refund-status.ts'
import { describeShipBy } from '#app/orders/ships-by.tsx'
import { TransactionId } from '#app/orders/transaction-id.tsx'
import { isPast, timeLeft } from '#app/ui/date.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBePaid, orderStatus } from '#shop/orders/status.ts'
import { Panel } from './payment-panels.tsx'

interface SummaryProps {
  order: Purchase
  lines: Purchase[]
  own: boolean
  isPending: boolean
}

export function Summary({ order, lines, own, isPending }: SummaryProps) {
  const { heldUntil, charges, orderPrice } = order
  const more = hasMoreCharges(charges, orderPrice) ? listCharges(charges, orderPrice) : null
  const now = useNow()
  const isOverdue = heldUntil !== null && isPast(heldUntil, now)
  return (
    <section className="rounded-box border border-base-300 p-5">
      <h1>{own ? `Hello, ${order.name}` : `Order #${order.number} for ${order.name}`}</h1>
      <p className="mt-2 text-base-content/75">
        {isPending ? 'Payment processing' : isOverdue ? timeToPayIsOver : statusText(order)}
      </p>
      <dl
        className={`mt-4 grid gap-x-6 gap-y-2 ${lines.length === 1 ? 'grid-cols-[auto_1fr]' : 'grid-cols-[1fr_auto]'}`}
      >
        <dt>Order</dt>
        <dd className="text-right font-medium">{`#${order.number}`}</dd>
        {lines.length === 1 ? (
          <>
            <dt>Product</dt>
            <dd className="text-right font-medium">
              <PartName name={order.parts} />
            </dd>
            <dt>Quantity</dt>
            <dd className="text-right font-medium">{formatCount(order.quantity)}</dd>
          </>
        ) : (
          lines.map(({ _id, quantity, parts, price }) => (
            <Fragment key={_id}>
              <dt>
                {`${formatCount(quantity)} × `}
                <PartName name={parts} />
              </dt>
              <dd className="text-right font-medium">{formatDollars(price)}</dd>
            </Fragment>
          ))
        )}
        {heldUntil && !isOverdue && (
          // Not a column wide, which would leave less room for the names of parts.
          <div className="col-span-full flex justify-between gap-x-6">
            <dt>Time left to pay</dt>
            <dd className="text-right font-medium">{timeLeft(heldUntil, now)}</dd>
          </div>
        )}
        {more?.summands.map(([term, value], i) => (
          <Charge key={term} term={term} value={value} isFirst={i === 0} />
        ))}
        <dt>{lines.length > 1 ? 'Order total' : 'Amount'}</dt>
        <dd className="total text-right text-lg font-semibold">
          {formatDollars(orderTotal({ charges, price: orderPrice }))}
        </dd>
        {more?.contained.map(([term, value]) => (
          <Charge key={term} term={term} value={value} />
        ))}
      </dl>
      {more?.note && <p className="mt-2 text-sm text-base-content/75">{more.note}</p>}
      {own && <HoldNote order={order} />}
      {(canBePaid(order) || orderStatus(order) === 'paid') && (
        <p className="mt-3 text-sm text-base-content/75">
          {describeShipBy(
            { ...order, shipBy: order.shipBy ?? lines.find(({ shipBy }) => shipBy)?.shipBy ?? null },
            readTimeZone(),
          )}
        </p>
      )}
    </section>
  )
}

function Charge({ term, value, isFirst = false }: { term: string; value: string; isFirst?: boolean }) {
  return (
    <div
      className={`col-span-full flex justify-between gap-x-6 ${isFirst ? 'mt-1 border-t border-base-300 pt-3' : ''}`}
    >
      <dt className="text-base-content/75">{term}</dt>
      <dd className="text-right tabular-nums">{value}</dd>
    </div>
  )
}

function useNow() {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 20_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function statusText(order: Purchase) {
  switch (orderStatus(order)) {
    case 'refunded':
      return 'This order was refunded.'
    case 'paid':
    case 'shipped':
      return 'This order is paid.'
    case 'cancelled':
      return 'This order was cancelled, so the parts are back on sale.'
    case 'expired':
      return 'This order wasn’t paid in time, so the parts are back on sale.'
    case 'awaiting payment':
      return 'Awaiting payment'
  }
}

interface Props {
  own: boolean
  takesFocus: boolean
}

export function ExpiredSummary({ own, takesFocus }: Props) {
  return (
    <Panel takesFocus={takesFocus}>
      <p className="text-lg font-semibold">
        This order has expired. If you still want the parts, order them again.
      </p>
      {own && (
        <Link to="/dashboard/myOrders" className="btn mt-5">
          My Orders
        </Link>
      )}
    </Panel>
  )
}

export function CancelledSummary({ order, own, takesFocus }: Props & { order: Purchase }) {
  return (
    <Panel takesFocus={takesFocus}>
      <p className="text-lg font-semibold">This order was cancelled, so it can’t be paid.</p>
      {own ? (
        <Link to="/dashboard/myOrders" className="btn mt-5">
          My Orders
        </Link>
      ) : (
        <Link to={`/dashboard/orders/${order._id}`} className="btn mt-5">
          View order
        </Link>
      )}
    </Panel>
  )
}

interface CompletedProps extends Props {
  order: Purchase
  /** For the order's customer. */
  children: ReactNode
}

export function CompletedSummary({ order, own, takesFocus, children }: CompletedProps) {
  const isFullyRefunded = orderStatus(order) === 'refunded'
  return (
    <Panel takesFocus={takesFocus} className={isFullyRefunded ? undefined : 'border-success'}>
      {isFullyRefunded && (
        <p className="mb-3 text-lg font-semibold">
          {order.refundPending > 0 ? refundedLabel(order) : `Refunded ${formatDollars(order.orderRefunded)}`}
        </p>
      )}
      {own && !isFullyRefunded && (
        <p className="mb-3 text-lg font-semibold text-success">Congratulations! Your Payment is completed.</p>
      )}
      <p>{own ? 'Your TransactionId:' : 'TransactionId:'}</p>
      <p>{order.transactionId && <TransactionId id={order.transactionId} />}</p>
      {!isFullyRefunded && <p className="mt-3 font-semibold empty:hidden">{refundedLabel(order)}</p>}
      <div className="mt-5 flex flex-wrap gap-3">
        <Link to={`/dashboard/orders/${order.orderId}`} className="btn">
          View order
        </Link>
        <Link to={`/dashboard/orders/${order._id}/receipt`} className="btn">
          View invoice
        </Link>
        {own && (
          <Link to="/dashboard/myOrders" className="btn">
            My Orders
          </Link>
        )}
      </div>
      {own && children}
    </Panel>
  )
}
