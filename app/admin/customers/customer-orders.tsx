import { Link } from 'react-router'
import { OrderState } from '#app/orders/order-state.tsx'
import { queryUrl } from '#app/query-url.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Pagination } from '#app/ui/table/pagination.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import { type Column, Table } from '#app/ui/table/table.tsx'
import type { CustomerFile } from '#shop/customers/customer.ts'
import { formatCount, formatDollars, formatTotal, maxCount } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'

export const ordersPerPage = 10

const columns: Column[] = [
  { head: 'Order' },
  { head: 'Ordered', kind: 'date' },
  { head: 'Items' },
  { head: 'Invoice' },
  { head: 'Total', kind: 'number' },
  { head: 'Status' },
]

interface FileProps {
  file: CustomerFile
  /** Without its kind, which screen readers are told. */
  isShort?: boolean
}

interface Props {
  orders: { rows: Order[]; total: number; page: number; pages: number }
  files: CustomerFile[]
  path: string
}

/** Newest first. */
export function CustomerOrders({ orders: { rows, total, page, pages }, files, path }: Props) {
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
              cells: cells(order, files),
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

export function FileLink({ file: { kind, number, orderId, document }, isShort = false }: FileProps) {
  const name = `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number}`
  return (
    <Link to={`/dashboard/orders/${orderId}/documents/${document}`} aria-label={name} className="link">
      {isShort ? number : name}
    </Link>
  )
}

function cells(order: Order, files: CustomerFile[]) {
  const { _id, number, createdAt, lines, price, paid } = order
  const [first] = lines
  const own = files.filter(({ orderId }) => orderId === _id)
  return [
    <Link key="order" to={`/dashboard/orders/${_id}`} className="link">{`#${number}`}</Link>,
    <DateTime key="ordered" at={createdAt} />,
    <div key="items" className="flex">
      <span className="truncate">{`${formatCount(first!.quantity)} × ${first!.parts}`}</span>
      {lines.length > 1 && (
        <span className="shrink-0 whitespace-pre">{` +${formatCount(lines.length - 1)} more`}</span>
      )}
    </div>,
    <div key="invoice">
      {own.map((file) => (
        <p key={file._id}>
          <FileLink file={file} isShort />
        </p>
      ))}
      {/* That of an old order, whose number is not known here. */}
      {own.length === 0 && paid && (
        <RowLink to={`/dashboard/orders/${_id}/receipt`} className="link">
          Invoice
        </RowLink>
      )}
    </div>,
    formatDollars(price),
    <OrderState key="status" lines={lines} />,
  ]
}
