import { useState } from 'react'
import { Link } from 'react-router'
import { requireSignedIn, signOutIfRefused } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { PartName } from '#app/catalogue/part-name.tsx'
import { client } from '#app/client.ts'
import { type List, readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { useIsPhone } from '#app/ui/behaviour/phone.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { currencySymbol, formatCount, formatDollars } from '#shop/money.ts'
import { type Order, orderListQuery } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'
import { canBeCancelled, orderStatus } from '#shop/orders/status.ts'
import { CancelItem } from './cancel-order.tsx'
import { OrderCard } from './order-card.tsx'
import { foldedLines, orderGroup } from './order-group.tsx'
import { areAlike, OrderState } from './order-state.tsx'
import { type Pictures, readPictures, Thumb } from './part-thumbs.tsx'
import { TransactionId } from './transaction-id.tsx'

const columns = (): Column[] => [
  { head: 'Name' },
  { head: 'Product', className: 'w-full' },
  { head: 'Quantity', kind: 'number' },
  { head: `Price(${currencySymbol()})`, kind: 'number' },
  { head: 'Payment' },
  { head: 'Cancel Purchase', isEnd: true },
]

const statuses = [
  { value: '', label: 'All orders' },
  { value: 'unpaid', label: 'Awaiting payment' },
  { value: 'pending', label: 'Not shipped yet' },
  { value: 'shipped', label: 'Shipped' },
  { value: 'expired', label: 'Expired' },
  { value: 'refunded', label: 'Refunded' },
]

export const meta = () => noindex('My Orders')

export async function clientLoader({ request }: { request: Request }) {
  const { email } = requireSignedIn(request)
  const list = await readList(request, orderListQuery, (query) =>
    client.listMyOrders({ body: { ...query, email } }),
  ).catch(signOutIfRefused(request))
  return { list, pictures: await readPictures(list.rows.flatMap(({ lines }) => lines)) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

interface Orders {
  list: List<Order>
  pictures: Pictures
}

export default function MyOrdersPage({ loaderData }: { loaderData: Orders }) {
  return <MyOrders {...loaderData} />
}

/** Cards on a phone, a table of the items of each order on a wider screen. */
export function MyOrders({ list, pictures }: Orders) {
  const [opened, setOpened] = useState<readonly string[]>([])
  const isPhone = useIsPhone()

  function toggle(id: string) {
    setOpened(opened.includes(id) ? opened.filter((other) => other !== id) : [...opened, id])
  }

  return (
    <>
      <h1 className="mb-5">My Orders</h1>
      <ListTable<Order>
        list={list}
        columns={columns()}
        cells={() => []}
        {...(isPhone && { card: (order) => <OrderCard order={order} pictures={pictures} /> })}
        group={(order) => {
          const isOpen = opened.includes(order._id)
          const alike = areAlike(order.lines)
          const lines = order.lines.slice(0, isOpen ? undefined : foldedLines).map((line) => ({
            key: line._id,
            name: `${line.parts}, order #${order.number}`,
            cells: cells(line, order, { alike, pictures }),
          }))
          return { ...orderGroup(order, isOpen, () => toggle(order._id)), lines }
        }}
        rowName={({ number }) => `order #${number}`}
        noun={['order', 'orders']}
        searchPlaceholder="Part name, part number or order number"
        filters={[{ name: 'status', label: 'Status', options: statuses }]}
        defaultSort={{ label: 'Newest first', opposite: { value: 'added', label: 'Oldest first' } }}
        empty={
          <p>
            {'No orders yet. '}
            <Link to="/parts" className="link">
              Browse parts
            </Link>
          </p>
        }
      />
    </>
  )
}

interface Shared {
  /** Whether the head says where each item of the order is. */
  alike: boolean
  pictures: Pictures
}

function cells(line: Purchase, order: Order, { alike, pictures }: Shared) {
  return [
    <span key="name" className={line === order.lines[0] ? 'block lg:min-w-28' : 'sr-only'}>
      {line.name}
    </span>,
    <div key="product" className="flex items-center gap-3">
      <span className="flex max-lg:hidden">
        <Thumb src={pictures[line.partId]} alt="" />
      </span>
      <Link
        to={`/dashboard/orders/${line._id}${order.lines.length > 1 ? '?item' : ''}`}
        className="link"
        aria-label={`${line.parts}, order #${order.number}`}
      >
        <PartName name={line.parts} />
      </Link>
    </div>,
    formatCount(line.quantity),
    formatDollars(line.price),
    <Payment key="payment" line={line} order={order} alike={alike} />,
    canBeCancelled(line) ? <CancelItem key="cancel" line={line} /> : '–',
  ]
}

/** What all items of an order share stands at its first one, and in its head. */
function Payment({ line, order: { lines }, alike }: { line: Purchase; order: Order; alike: boolean }) {
  const { paid, transactionId, orderId } = line
  const isFirst = line === lines[0]
  const status = orderStatus(line)
  if (status === 'awaiting payment') {
    if (lines.length > 1) return 'Awaiting payment'
    return (
      // The head of its order has the button.
      <RowLink to={`/dashboard/payment/${orderId}`} className="link">
        Pay
      </RowLink>
    )
  }
  return (
    <div className="text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className={`text-base font-medium ${paid ? 'text-success' : ''}`}>
          {paid ? 'Paid' : 'Expired'}
        </span>
        {transactionId && isFirst && <TransactionId id={transactionId} />}
      </p>
      {status === 'expired' && isFirst && (
        <p>This order wasn’t paid in time, so the parts are back on sale.</p>
      )}
      {paid && !alike && <OrderState lines={[line]} />}
      {paid && alike && <p className="font-medium empty:hidden">{describeState([line]).money}</p>}
    </div>
  )
}
