import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList, withoutPage } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { orderGroup } from '#app/orders/order-group.tsx'
import type { ListQuery } from '#app/query-url.ts'
import { useKeptRows } from '#app/ui/behaviour/kept-rows.ts'
import { useSelection } from '#app/ui/behaviour/selection.ts'
import { ListTable } from '#app/ui/list-table.tsx'
import { maxSelected } from '#app/ui/selection-bar.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Column } from '#app/ui/table.tsx'
import { formatCount, formatTotal, maxCount } from '#shop/money.ts'
import { type PurchaseCounts, purchaseListQuery } from '#shop/orders/purchase.ts'
import type { Route } from './+types/manage-orders'
import { DeleteOrder } from './delete-order.tsx'
import { orderCells, orderFacts } from './order-cells.tsx'
import { OrderSelectionActions, ShipOutcomePanel, useBulkShipping } from './order-selection.tsx'
import { PaymentTasks } from './payment-tasks.tsx'

const columns: Column[] = [
  { head: 'Name', sort: 'name' },
  { head: 'Product', sort: 'parts' },
  { head: 'Quantity', kind: 'number', sort: 'quantity' },
  { head: 'Price', kind: 'number', sort: 'price' },
  { head: 'Status', kind: 'date', sort: 'shipped', sortName: 'Shipped' },
  { head: 'Action' },
]

export const meta = () => noindex('Manages All Orders')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const { data: q } = purchaseListQuery.shape.q.safeParse(new URL(request.url).searchParams.get('q'))
  const [list, counts, tasks, { keyProblem }, views] = await Promise.all([
    readList(request, purchaseListQuery, (body) => adminClient.listPurchases({ body })),
    adminClient.countPurchases({ body: { q } }),
    adminClient.listPaymentTasks(),
    adminClient.checkPayments(),
    readViews('orders'),
  ])
  return { list, counts, tasks, keyProblem, views }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ManageOrders({ loaderData }: Route.ComponentProps) {
  const { list, counts, tasks, keyProblem, views } = loaderData
  const { rows, keep, isKept } = useKeptRows(list.rows)
  const selection = useSelection(rows)
  const { progress, outcome, ship, dismiss } = useBulkShipping(selection)
  return (
    <>
      <PageHeading title="Manages All Orders">
        <Link to="/dashboard/quotes/new" className="btn btn-sm">
          New quote
        </Link>
        <ExportButtons
          download={(format, options) =>
            adminClient.exportOrders({ body: { ...withoutPage(list.query), format }, ...options })
          }
        />
      </PageHeading>
      <PaymentTasks tasks={tasks} keyProblem={keyProblem} />
      <FilterNote status={list.query.status} />
      <ShipOutcomePanel outcome={outcome} onClose={dismiss} />
      <SavedViews list="orders" views={views} />
      <ListTable
        list={{ ...list, rows }}
        columns={columns}
        cells={(order, _, isGrouped) =>
          orderCells(order, { isGrouped, undoable: isKept(order._id), onChange: keep })
        }
        group={(order) =>
          orderGroup(order, {
            rows,
            facts: orderFacts(order),
            action: <DeleteOrder order={order} className="btn btn-outline btn-sm" />,
          })
        }
        noun={['order', 'orders']}
        rowNoun={['item', 'items']}
        searchPlaceholder="Name, phone, town, part or order #"
        tabs={{ name: 'status', label: 'Status', options: statusTabs(counts, Boolean(list.query.q)) }}
        {...(isOldestFirst(list.query) && { defaultSort: oldestFirst })}
        selecting={{
          selection,
          label: ({ number, parts, name }) => `${parts} for ${name}, order #${number}`,
          readAll: () => readFirst(list.query),
          actions: <OrderSelectionActions selection={selection} progress={progress} ship={ship} />,
        }}
        empty={<p>No orders yet.</p>}
      />
    </>
  )
}

async function readFirst(query: ListQuery) {
  return (await adminClient.listPurchases({ body: { ...withoutPage(query), limit: maxSelected } })).rows
}

const filterNotes: Record<string, string> = {
  expiring: 'Only items of orders that expire within 24 hours.',
  'refund pending': 'Only items with a refund that isn’t completed yet.',
}

/** For the filters that have no tab. */
function FilterNote({ status }: { status: ListQuery[string] }) {
  const note = filterNotes[String(status)]
  if (!note) return null
  return (
    <p className="mb-5">
      {`${note} `}
      <Link to="/dashboard/manageAllOrders" className="link">
        Show all orders
      </Link>
    </p>
  )
}

function isOldestFirst({ status }: ListQuery) {
  return status === 'pending' || status === 'expiring'
}

const oldestFirst = { label: 'Oldest first', opposite: { value: '-added', label: 'Newest first' } }

/** Of a search that finds more than are counted, each status has at least as many. */
function statusTabs({ all, unpaid, pending, shipped, refunded, expired }: PurchaseCounts, isSearch: boolean) {
  const format = isSearch && all > maxCount ? formatAtLeast : formatTotal
  return [
    { value: '', label: 'All', count: formatTotal(all) },
    { value: 'pending', label: 'Pending', count: format(pending) },
    { value: 'unpaid', label: 'Awaiting payment', count: format(unpaid) },
    { value: 'shipped', label: 'Shipped', count: format(shipped) },
    { value: 'refunded', label: 'Refunded', count: format(refunded) },
    { value: 'expired', label: 'Expired', count: format(expired) },
  ]
}

function formatAtLeast(count: number) {
  return `${formatCount(count)}+`
}
