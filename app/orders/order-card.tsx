import { useId } from 'react'
import { Link } from 'react-router'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { DateTime } from '#app/ui/date.tsx'
import { formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import { canBeCancelled, canBePaid } from '#shop/orders/status.ts'
import { CancelOrder } from './cancel-order.tsx'
import { TimeLeft } from './order-group.tsx'
import { OrderLinks } from './order-links.tsx'
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
          <OrderState lines={lines} isHead />
          <ShipsBy order={order} />
          <TimeLeft order={lines[0]!} />
        </div>
        <PartThumbs lines={lines} pictures={pictures} most={3} />
      </div>
      <Actions order={order} />
    </article>
  )
}

function Actions({ order }: { order: Order }) {
  const { _id, lines } = order
  const first = lines[0]!
  return (
    <div className="flex flex-wrap gap-2">
      {canBePaid(first) && (
        <Link to={`/dashboard/payment/${_id}`} className="btn btn-primary btn-sm">
          {`Pay ${formatDollars(orderTotal(order))}`}
        </Link>
      )}
      <OrderLinks order={order} className="btn btn-sm" />
      {canBeCancelled(first) && <CancelOrder order={first} className="btn btn-outline btn-sm" />}
    </div>
  )
}
