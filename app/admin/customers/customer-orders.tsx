import { Link } from 'react-router'
import { OrderState } from '#app/orders/order-state.tsx'
import { queryUrl } from '#app/query-url.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Pagination } from '#app/ui/table/pagination.tsx'
import { type Column, Table } from '#app/ui/table/table.tsx'
import { formatCount, formatDollars, formatTotal, maxCount } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'

export const ordersPerPage = 10

const columns: Column[] = [
  { head: 'Order' },
  { head: 'Ordered', kind: 'date' },
  { head: 'Items' },
  { head: 'Total', kind: 'number' },
  { head: 'Status' },
]

interface Props {
  orders: { rows: Order[]; total: number; page: number; pages: number }
  path: string
}

/** Newest first. */
export function CustomerOrders({ orders: { rows, total, page, pages }, path }: Props) {
  return (
    <section aria-labelledby="orders">
      <h2 id="orders" className="mb-2 text-base">
        {total === 0 ? 'Orders' : `Orders (${formatTotal(total)})`}
      </h2>
      {total === 0 ? (
        <p className="text-sm text-base-content/75">No orders yet.</p>
      ) : (
        <div className="two-lines customer-orders">
          <Table
            columns={columns}
            rows={rows.map((order) => ({
              key: order._id,
              name: `order #${order.number}`,
              cells: cells(order),
            }))}
          />
        </div>
      )}
      {pages > 1 && (
        <Pagination
          page={page}
          pages={pages}
          isCounted={total <= maxCount}
          to={(page) => queryUrl(path, { page })}
        />
      )}
    </section>
  )
}

function cells(order: Order) {
  const { _id, number, createdAt, lines, price } = order
  const [first] = lines
  return [
    <Link key="order" to={`/dashboard/orders/${_id}`} className="link">{`#${number}`}</Link>,
    <DateTime key="ordered" at={createdAt} />,
    <span key="items" className="wrap-anywhere">
      {`${formatCount(first!.quantity)} × ${first!.parts}`}
      {lines.length > 1 && ` and ${formatCount(lines.length - 1)} more`}
    </span>,
    formatDollars(price),
    <div key="status" className="md:min-w-28">
      <OrderState lines={lines} />
    </div>,
  ]
}
