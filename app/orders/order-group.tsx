import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatAmount } from '#app/charges/charge-facts.ts'
import { DateTime } from '#app/ui/date.tsx'
import type { RowGroup } from '#app/ui/table/table.tsx'
import { formatCount, formatDollars, toCents } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { TransactionId } from './transaction-id.tsx'

interface Details {
  /** Of the page. */
  rows: Purchase[]
  action?: ReactNode
}

/** Undefined for an order of one item, whose row says everything. */
export function orderGroup(item: Purchase, { rows, action }: Details): RowGroup | undefined {
  const { orderId, number, lineCount, createdAt, paid, transactionId } = item
  if (lineCount <= 1) return undefined
  const shown = rows.filter((row) => row.orderId === orderId).length
  const head = (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div>
        <Link to={`/dashboard/orders/${orderId}`} className="link font-semibold">
          {`Order #${number}`}
        </Link>
        <p className="text-sm font-normal text-base-content/75">
          {`${describeGroup(item, shown)}, `}
          <DateTime at={createdAt} />
        </p>
        {paid && transactionId && (
          <p className="text-sm font-normal">
            {'Paid, '}
            <TransactionId id={transactionId} />
          </p>
        )}
        <p className="text-sm font-medium empty:hidden">{describeRefund(item)}</p>
      </div>
      {action}
    </div>
  )
  return { key: orderId, name: `order #${number}`, head }
}

/** `shown`: how many of its items are on the page; a filter or another page may have the rest. */
export function describeGroup(order: Pick<Purchase, 'lineCount' | 'charges'>, shown: number) {
  const { lineCount, charges } = order
  const items = `${formatCount(lineCount)} items`
  return `${shown < lineCount ? `${formatCount(shown)} of ${items} on this page` : items}, ${formatAmount(charges.total)}`
}

function describeRefund({ charges, orderRefunded }: Purchase) {
  if (orderRefunded === 0) return null
  if (toCents(orderRefunded) >= charges.total) return 'Refunded'
  return `Refunded ${formatDollars(orderRefunded)} of ${formatAmount(charges.total)}`
}
