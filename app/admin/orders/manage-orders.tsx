import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { readViews, SavedViews } from '#app/admin/saved-views.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList, withoutPage } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import type { ListQuery } from '#app/query-url.ts'
import { useKeptRows } from '#app/ui/behaviour/kept-rows.ts'
import { useSelection } from '#app/ui/behaviour/selection.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { maxSelected } from '#app/ui/table/selection-bar.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { formatCount, formatTotal, maxCount } from '#shop/money.ts'
import { allOrdersQuery, type ListedOrder } from '#shop/orders/order.ts'
import { type PurchaseCounts, purchaseListQuery } from '#shop/orders/purchase.ts'
import type { Route } from './+types/manage-orders'
import { lineCells, orderCells } from './order-cells.tsx'
import { headCells, listedLines, useAllLines } from './order-head.tsx'
import { OrderSelectionActions } from './order-selection.tsx'
import { PaymentTasks } from './payment-tasks.tsx'
import { ShippedPanel } from './shipped-panel.tsx'
import { useShipping } from './use-shipping.ts'

const columns: Column[] = [
  { head: 'Name', sort: 'name' },
  { head: 'Product', className: 'md:w-[30%]' },
  { head: 'Quantity', kind: 'number' },
  { head: 'Price', kind: 'number', sort: 'price', sortName: 'Order total' },
  { head: 'Status', kind: 'date', sort: 'shipped', sortName: 'Shipped' },
  { head: 'Action', isEnd: true },
]

const pageSizes = [10, 25, 50, 100]
const pageSize = 25

export const meta = () => noindex('Manages All Orders')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const { data: q } = purchaseListQuery.shape.q.safeParse(new URL(request.url).searchParams.get('q'))
  const [list, counts, tasks, { keyProblem }, views] = await Promise.all([
    readList(
      request,
      allOrdersQuery,
      (query) => adminClient.listOrders({ body: { ...query, lines: listedLines } }),
      { sizes: pageSizes, size: pageSize },
    ),
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
  const { progress, outcome, ship, open, change, dismiss } = useShipping(selection)
  const { linesOf, toggleOf, isPhone } = useAllLines()
  const shippingOf = ({ _id }: ListedOrder) => ({ undoable: isKept(_id), keep, ship })
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
      {outcome && <ShippedPanel outcome={outcome} change={change} onClose={dismiss} />}
      <SavedViews list="orders" views={views} />
      <ListTable
        list={{ ...list, rows }}
        columns={columns}
        cells={(order, _, isGrouped) =>
          isGrouped
            ? headCells(order, { toggle: isPhone && toggleOf(order), progress, ship })
            : orderCells(order, shippingOf(order))
        }
        group={(order) => {
          const { _id: key, number, lineCount } = order
          if (lineCount <= 1) return undefined
          const lines = linesOf(order).map((line) => ({
            key: line._id,
            name: `${line.parts} for ${order.name}, order #${number}`,
            cells: lineCells(order, line, shippingOf(order)),
          }))
          return { key, name: `order #${number}`, lines, foot: !isPhone && toggleOf(order) }
        }}
        byOrder
        rowName={({ number, name }) => `order #${number} for ${name}`}
        noun={['order', 'orders']}
        searchPlaceholder="Name, phone, part, order, tracking or invoice #"
        filters={[
          {
            name: 'limit',
            label: 'Orders per page',
            // The default first, which a form without a choice shows.
            options: [pageSize, ...pageSizes.filter((size) => size !== pageSize)].map((size) => ({
              value: size === pageSize ? '' : String(size),
              label: `${size} per page`,
            })),
          },
        ]}
        tabs={{ name: 'status', label: 'Status', options: statusTabs(counts, Boolean(list.query.q)) }}
        {...(isOldestFirst(list.query) && { defaultSort: oldestFirst })}
        selecting={{
          selection,
          readAll: () => readFirst(list.query),
          actions: (
            <OrderSelectionActions selection={selection} progress={progress} ship={ship} open={open} />
          ),
        }}
        empty={<p>No orders yet.</p>}
      />
    </>
  )
}

async function readFirst(query: ListQuery) {
  const body = { ...withoutPage(query), limit: maxSelected, lines: 1 }
  return (await adminClient.listOrders({ body })).rows
}

const filterNotes: Record<string, string> = {
  expiring: 'Only orders that expire within 24 hours.',
  'refund pending': 'Only orders with a refund that isn’t completed yet.',
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
function statusTabs(counts: PurchaseCounts, isSearch: boolean) {
  const { all, unpaid, pending, shipped, refunded, disputed, expired } = counts
  const format = isSearch && all > maxCount ? formatAtLeast : formatTotal
  return [
    { value: '', label: 'All', count: formatTotal(all) },
    { value: 'pending', label: 'Pending', count: format(pending) },
    { value: 'unpaid', label: 'Awaiting payment', count: format(unpaid) },
    { value: 'shipped', label: 'Shipped', count: format(shipped) },
    { value: 'refunded', label: 'Refunded', count: format(refunded) },
    { value: 'disputed', label: 'Disputed', count: format(disputed) },
    { value: 'expired', label: 'Expired', count: format(expired) },
  ]
}

function formatAtLeast(count: number) {
  return `${formatCount(count)}+`
}
