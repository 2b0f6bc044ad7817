import { Link } from 'react-router'
import { formatAmount } from '#app/charges/charge-facts.ts'
import { timeToPayIsOver } from '#app/orders/refund/refund-status.ts'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import type { RowGroup } from '#app/ui/table/table.tsx'
import { formatCount } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeCancelled, canBePaid } from '#shop/orders/status.ts'
import { CancelOrder } from './cancel-order.tsx'
import { HoldNote } from './hold-note.tsx'
import { ItemsToggle } from './items-toggle.tsx'
import { OrderLinks } from './order-links.tsx'
import { OrderState } from './order-state.tsx'
import { ShipsBy } from './ships-by.tsx'

/** So many items of an order stand below its head until it is opened. */
export const foldedLines = 3

/** The head of an order above its items. */
export function orderGroup(order: Order, isOpen: boolean, toggle: () => void): RowGroup {
  const { _id: id, number, createdAt, lines } = order
  const first = lines[0]!
  const head = (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-1 text-sm font-normal">
      <div className="mr-auto flex min-w-0 flex-wrap items-baseline gap-x-4">
        <Link to={`/dashboard/orders/${id}`} className="link text-base font-semibold">
          {`Order #${number}`}
        </Link>
        <DateTime at={createdAt} />
        {lines.length > 1 && <p>{`${formatCount(lines.length)} items`}</p>}
        <OrderState lines={lines} isHead />
        <ShipsBy order={order} />
        <TimeLeft order={first} />
      </div>
      <div className="-mr-2 flex flex-wrap items-center justify-end">
        {canBePaid(first) && (
          <Link to={`/dashboard/payment/${id}`} className="btn btn-primary btn-sm mr-1">
            {`Pay ${formatAmount(first.charges.total)}`}
          </Link>
        )}
        <OrderLinks order={order} className="btn btn-ghost btn-sm px-2" />
        {canBeCancelled(first) && lines.length > 1 && (
          <CancelOrder order={first} className="btn btn-ghost btn-sm px-2" />
        )}
        {!canBePaid(first) && (
          <p className="mx-2 text-base font-semibold whitespace-nowrap">
            {formatAmount(first.charges.total)}
          </p>
        )}
      </div>
    </div>
  )
  const foot = lines.length > foldedLines && (
    <ItemsToggle
      text={isOpen ? `Show only ${foldedLines} items` : `Show all ${formatCount(lines.length)} items`}
      isOpen={isOpen}
      onToggle={toggle}
    />
  )
  return { key: id, name: `order #${number}`, head, foot }
}

export function TimeLeft({ order }: { order: Purchase }) {
  const { heldUntil } = order
  if (!heldUntil) return null
  return (
    <div className="text-sm">
      <p>{isPast(heldUntil) ? timeToPayIsOver : `Pay within ${timeLeft(heldUntil)}`}</p>
      <HoldNote order={order} className="" />
    </div>
  )
}
