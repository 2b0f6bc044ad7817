import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { isRefunded, refundedLabel, timeToPayIsOver } from '#app/orders/refund-status.ts'
import { isPast, timeLeft } from '#app/ui/date.tsx'
import { dollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import { Panel } from './payment-panels.tsx'

/** What is to be paid, or was. */
export function Summary({ order, own, underway }: { order: Order; own: boolean; underway: boolean }) {
  const { heldUntil } = order
  const now = useNow()
  const over = heldUntil !== null && isPast(heldUntil, now)
  return (
    <section className="rounded-box border border-base-300 p-5">
      <h1>{own ? `Hello, ${order.name}` : `Order of ${order.name}`}</h1>
      <p className="mt-2 text-base-content/75">
        {underway ? 'Your payment is on its way.' : over ? timeToPayIsOver : standing(order, own)}
      </p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt>Product</dt>
        <dd className="text-right font-medium">{order.parts}</dd>
        <dt>Quantity</dt>
        <dd className="text-right font-medium">{order.quantity}</dd>
        {heldUntil && !over && (
          <>
            <dt>Held for</dt>
            <dd className="text-right font-medium">{timeLeft(heldUntil, now)}</dd>
          </>
        )}
        <dt>Amount</dt>
        <dd className="text-right text-lg font-semibold">{dollars(order.price)}</dd>
      </dl>
    </section>
  )
}

/** The time in milliseconds since 1970, as it goes on. */
function useNow() {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 20_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function standing(order: Order, own: boolean) {
  if (order.paid) return isRefunded(order) ? 'This order was refunded.' : 'This order is paid.'
  if (order.cancelled) return 'It was cancelled, and its parts went back on sale.'
  if (order.expired) return 'It was not paid in time, and its parts went back on sale.'
  return own ? 'Please pay for your order.' : 'This order is not paid yet.'
}

interface Props {
  own: boolean
  /** Whether it came about on this page. */
  arrived: boolean
}

/** For an order that was not paid in time: there is nothing to pay any more. */
export function ExpiredSummary({ own, arrived }: Props) {
  return (
    <Panel arrived={arrived}>
      <p className="text-lg font-semibold">This order has expired.</p>
      {own && (
        <Link to="/dashboard/myOrders" className="btn mt-5">
          My Orders
        </Link>
      )}
    </Panel>
  )
}

/** For an order that was cancelled; only an admin comes here. */
export function CancelledSummary({ order, arrived }: { order: Order; arrived: boolean }) {
  return (
    <Panel arrived={arrived}>
      <p className="text-lg font-semibold">This order was cancelled.</p>
      <Link to={`/dashboard/orders/${order._id}`} className="btn mt-5">
        See the order
      </Link>
    </Panel>
  )
}

/** For an order that is paid, or was until all of it was given back. */
export function CompletedSummary({ order, own, arrived }: Props & { order: Order }) {
  const back = isRefunded(order)
  return (
    <Panel arrived={arrived} className={back ? undefined : 'border-success'}>
      {back && <p className="mb-3 text-lg font-semibold">{`Refunded ${dollars(order.refunded)}`}</p>}
      {own && !back && (
        <p className="mb-3 text-lg font-semibold text-success">Congratulations! Your Payment is completed.</p>
      )}
      <p>{own ? 'Your TransactionId:' : 'TransactionId:'}</p>
      <p className="font-mono break-all">{order.transactionId}</p>
      {order.refunded > 0 && !back && <p className="mt-3 font-semibold">{refundedLabel(order)}</p>}
      <div className="mt-5 flex flex-wrap gap-3">
        <Link to={`/dashboard/orders/${order._id}/receipt`} className="btn">
          Receipt
        </Link>
        {own && (
          <Link to="/dashboard/myOrders" className="btn">
            My Orders
          </Link>
        )}
      </div>
    </Panel>
  )
}
