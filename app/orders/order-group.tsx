import { Link } from 'react-router'
import { formatAmount } from '#app/charges/charge-facts.ts'
import { timeToPayIsOver } from '#app/orders/refund/refund-status.ts'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import type { RowGroup } from '#app/ui/table/table.tsx'
import { formatCount, formatDollars, toCents } from '#shop/money.ts'
import type { MyPurchase, Purchase } from '#shop/orders/purchase.ts'
import { canBeCancelled, canBePaid } from '#shop/orders/status.ts'
import { CancelOrder } from './cancel-order.tsx'
import { HoldNote } from './hold-note.tsx'
import { OrderLinks } from './order-links.tsx'
import { OrderState } from './order-state.tsx'
import { PartThumbs, type Pictures } from './part-thumbs.tsx'
import { ShipsBy } from './ships-by.tsx'
import { TransactionId } from './transaction-id.tsx'

/** The head of an order above its items. `rows` are those of the page. */
export function orderGroup(item: MyPurchase, rows: MyPurchase[], pictures: Pictures): RowGroup {
  const { orderId, number, lineCount, createdAt, paid, transactionId, charges } = item
  const lines = rows.filter((row) => row.orderId === orderId)
  const toShip = lines.find(({ shipBy }) => shipBy !== null)
  const head = (
    <div className="py-1 font-normal">
      <div className="flex items-baseline justify-between gap-x-4">
        <div className="flex min-w-0 flex-wrap items-baseline gap-x-4 text-sm">
          <Link to={`/dashboard/orders/${orderId}`} className="link text-base font-semibold">
            {`Order #${number}`}
          </Link>
          <DateTime at={createdAt} />
          {lineCount > 1 && <p>{describeGroup(item, lines.length)}</p>}
          {lines.length === lineCount && <OrderState lines={lines} />}
          {toShip && <ShipsBy order={toShip} />}
          <p className="font-medium empty:hidden">{describeRefund(item)}</p>
        </div>
        <p className="text-base font-semibold whitespace-nowrap">{formatAmount(charges.total)}</p>
      </div>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <PartThumbs lines={lines} pictures={pictures} most={5} />
        {paid && transactionId && lineCount > 1 && (
          <p className="text-sm">
            {'Paid, '}
            <TransactionId id={transactionId} />
          </p>
        )}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-1 gap-y-2">
          <TimeLeft order={item} />
          {canBePaid(item) && (
            <Link to={`/dashboard/payment/${orderId}`} className="btn btn-primary btn-sm">
              {`Pay ${formatAmount(charges.total)}`}
            </Link>
          )}
          <OrderLinks order={{ ...item, _id: orderId }} className="btn btn-ghost btn-sm px-2" />
          {canBeCancelled(item) && lineCount > 1 && (
            <CancelOrder order={item} className="btn btn-ghost btn-sm px-2" />
          )}
        </div>
      </div>
    </div>
  )
  return { key: orderId, name: `order #${number}`, head }
}

/** `shown`: how many of its items are on the page; a filter or another page may have the rest. */
export function describeGroup({ lineCount }: Pick<Purchase, 'lineCount'>, shown: number) {
  const items = `${formatCount(lineCount)} items`
  return shown < lineCount ? `${formatCount(shown)} of ${items} on this page` : items
}

function describeRefund({ charges, orderRefunded, lineCount }: Purchase) {
  // The state of the only item says it.
  if (orderRefunded === 0 || lineCount <= 1) return null
  if (toCents(orderRefunded) >= charges.total) return 'Refunded'
  return `Refunded ${formatDollars(orderRefunded)} of ${formatAmount(charges.total)}`
}

export function TimeLeft({ order }: { order: Purchase }) {
  const { heldUntil } = order
  if (!heldUntil) return null
  return (
    <div className="mr-2 text-sm">
      <p>{isPast(heldUntil) ? timeToPayIsOver : `Pay within ${timeLeft(heldUntil)}`}</p>
      <HoldNote order={order} className="" />
    </div>
  )
}
