import { Link } from 'react-router'
import { AuditTime, formatAuditTime } from '#app/admin/audit/audit-change.tsx'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { formatCount } from '#shop/money.ts'
import { movementKinds, movementQuery, type StockMovement } from '#shop/stock/stock-movement.ts'
import type { Route } from './+types/stock-page'
import { Deliveries } from './deliveries.tsx'
import { Restock } from './restock.tsx'

const columns: Column[] = [
  { head: 'Date' },
  { head: 'Change' },
  { head: 'Quantity', kind: 'number' },
  { head: 'In stock', kind: 'number' },
  { head: 'By' },
]

const kinds = [
  { value: '', label: 'All changes' },
  ...Object.entries(movementKinds).map(([value, label]) => ({ value, label })),
]

export const meta = () => noindex('Stock')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const [part, deliveries, list] = await Promise.all([
    client.readPart({ params }),
    adminClient.listDeliveries({ params }),
    readList(request, movementQuery, (body) => adminClient.listStockMovements({ params, body })),
  ])
  return { part, deliveries, list }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function StockPage({ loaderData: { part, deliveries, list } }: Route.ComponentProps) {
  return (
    <>
      <Link to={`/dashboard/manageProducts/${part._id}`} className="mb-3 inline-block link">
        Back to product
      </Link>
      <h1>{`Stock of ${part.name}`}</h1>
      <div className="mt-3 mb-8 flex flex-wrap items-center gap-4">
        <p className="text-lg">{`${formatCount(part.availableQuantity)} in stock`}</p>
        <Restock part={part} className="btn btn-sm" />
      </div>
      <Deliveries part={part} deliveries={deliveries} />
      <h2 className="mb-4">History</h2>
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        rowName={({ at, kind }) => `${movementKinds[kind]}, ${formatAuditTime(at)}`}
        noun={['change', 'changes']}
        searchPlaceholder="Order # or name"
        filters={[{ name: 'kind', label: 'Change', options: kinds }]}
        empty={<p>No changes yet.</p>}
      />
    </>
  )
}

function cells({ at, kind, quantity, balance, order, by }: StockMovement) {
  return [
    <AuditTime key="at" at={at} />,
    <div key="kind">
      {`${movementKinds[kind]} `}
      {order && (
        <Link to={`/dashboard/orders/${order._id}`} className="link">
          {`#${order.number}`}
        </Link>
      )}
    </div>,
    `${quantity > 0 ? '+' : ''}${formatCount(quantity).replace('-', '−')}`,
    formatCount(balance),
    by ?? '–',
  ]
}
