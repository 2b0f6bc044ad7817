import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { DateTime } from '#app/ui/date.tsx'
import type { RowGroup } from '#app/ui/table.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** Undefined for an order of one item, whose row says everything. */
export function orderGroup(item: Purchase, facts: ReactNode, action?: ReactNode): RowGroup | undefined {
  const { orderId, number, lineCount, orderPrice, createdAt } = item
  if (lineCount <= 1) return undefined
  const head = (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div>
        <Link to={`/dashboard/orders/${orderId}`} className="link font-semibold">
          {`Order #${number}`}
        </Link>
        <p className="text-sm font-normal text-base-content/75">
          {facts}
          {`${formatCount(lineCount)} items, ${formatDollars(orderPrice)}, `}
          <DateTime at={createdAt} />
        </p>
      </div>
      {action}
    </div>
  )
  return { key: orderId, head }
}
