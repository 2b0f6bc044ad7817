import { useId } from 'react'
import { Link } from 'react-router'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { timeToPayIsOver } from '#app/orders/refund/refund-status.ts'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import { formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import { canBeCancelled, canBePaid } from '#shop/orders/status.ts'
import { CancelOrder } from './cancel-order.tsx'
import { HoldNote } from './hold-note.tsx'
import { OrderState } from './order-state.tsx'
import { PartThumbs, type Pictures } from './part-thumbs.tsx'
import { ShipsBy } from './ships-by.tsx'

/** An order as customers see it on a phone. */
export function OrderCard({ order, pictures }: { order: Order; pictures: Pictures }) {
  const { _id, number, createdAt, lines } = order
  const id = useId()
  return (
    <article aria-labelledby={id} className="grid gap-2 py-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-base font-semibold">
          <Link to={`/dashboard/orders/${_id}`} className="link">
            {`Order #${number}`}
          </Link>
        </h2>
        <p className="font-semibold whitespace-nowrap">{formatDollars(orderTotal(order))}</p>
      </div>
      <div className="flex items-end justify-between gap-4">
        <div className="min-w-0 text-sm">
          <p>
            <DateTime at={createdAt} />
          </p>
          <OrderState lines={lines} />
          <ShipsBy order={order} />
          <TimeLeft order={order} />
        </div>
        <PartThumbs lines={lines} pictures={pictures} most={3} />
      </div>
      <Actions order={order} />
    </article>
  )
}

function TimeLeft({ order }: { order: Order }) {
  const { heldUntil, lines } = order
  if (!heldUntil) return null
  return (
    <>
      <p>{isPast(heldUntil) ? timeToPayIsOver : `Pay within ${timeLeft(heldUntil)}`}</p>
      <HoldNote order={lines[0]!} className="" />
    </>
  )
}

function Actions({ order }: { order: Order }) {
  const { _id, number, trackingUrl, lines } = order
  const first = lines[0]!
  const button = 'btn btn-sm'
  return (
    <div className="flex flex-wrap gap-2">
      {canBePaid(first) && (
        <Link to={`/dashboard/payment/${_id}`} className="btn btn-primary btn-sm">
          {`Pay ${formatDollars(orderTotal(order))}`}
        </Link>
      )}
      {trackingUrl && (
        <a
          href={trackingUrl}
          target="_blank"
          rel="noreferrer"
          className={button}
          aria-label={`Track order #${number}`}
        >
          Track
        </a>
      )}
      <Link to={`/dashboard/orders/${_id}/again`} className={button} aria-label={`Order again: #${number}`}>
        Order again
      </Link>
      <Link to={`/dashboard/orders/${_id}/ask`} className={button} aria-label={`Ask about order #${number}`}>
        Ask
      </Link>
      <Link
        to={`/dashboard/orders/${_id}#documents`}
        className={button}
        aria-label={`Papers of order #${number}`}
      >
        Papers
      </Link>
      {canBeCancelled(first) && <CancelOrder order={first} />}
    </div>
  )
}
