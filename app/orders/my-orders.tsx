import { useEffect } from 'react'
import { Link, useRevalidator } from 'react-router'
import { requireSignedIn, signOutIfRefused } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { PartName } from '#app/catalogue/part-name.tsx'
import { formatAmount, orderTotal } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import { type List, readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { isPhone, useIsPhone } from '#app/ui/behaviour/phone.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import type { ListToolsProps } from '#app/ui/table/list-tools.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { currencySymbol, formatCount, formatDollars } from '#shop/money.ts'
import { type Order, orderListQuery } from '#shop/orders/order.ts'
import { type MyPurchase, type Purchase, purchaseQuery } from '#shop/orders/purchase.ts'
import { canBeCancelled, orderStatus } from '#shop/orders/status.ts'
import { CancelItem } from './cancel-order.tsx'
import { OrderCard } from './order-card.tsx'
import { orderGroup, TimeLeft } from './order-group.tsx'
import { OrderState } from './order-state.tsx'
import { type Pictures, readPictures } from './part-thumbs.tsx'
import { ShipsBy } from './ships-by.tsx'
import { TransactionId } from './transaction-id.tsx'

const columns = (): Column[] => [
  { head: 'Name' },
  { head: 'Product', sort: 'parts' },
  { head: 'Quantity', kind: 'number', sort: 'quantity' },
  { head: `Price(${currencySymbol()})`, kind: 'number', sort: 'price' },
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

/** A phone shows orders, a wider screen the items of orders in a table. */
export async function clientLoader({ request }: { request: Request }) {
  const { email } = requireSignedIn(request)
  const read = isPhone() ? readCards(request, email) : readItems(request, email)
  return read.catch(signOutIfRefused(request))
}

async function readItems(request: Request, email: string) {
  const items = await readList(request, purchaseQuery, (query) =>
    client.listMyPurchases({ body: { ...query, email } }),
  )
  return { items, orders: null, pictures: await readPictures(items.rows) }
}

async function readCards(request: Request, email: string) {
  const orders = await readList(request, orderListQuery, (query) =>
    client.listMyOrders({ body: { ...query, email } }),
  )
  return { items: null, orders, pictures: await readPictures(orders.rows.flatMap(({ lines }) => lines)) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

interface Lists {
  items: List<MyPurchase> | null
  orders: List<Order> | null
  pictures: Pictures
}

export default function MyOrdersPage({ loaderData }: { loaderData: Lists }) {
  return <MyOrders lists={loaderData} />
}

export function MyOrders({ lists: { items, orders, pictures } }: { lists: Lists }) {
  const { revalidate } = useRevalidator()
  const needsOther = useIsPhone() !== (orders !== null)
  useEffect(() => {
    if (needsOther) revalidate()
  }, [needsOther, revalidate])
  return (
    <>
      <h1 className="mb-5">My Orders</h1>
      {orders && <OrderCards list={orders} pictures={pictures} />}
      {items && <OrderTable list={items} pictures={pictures} />}
    </>
  )
}

const search = {
  noun: ['order', 'orders'],
  searchPlaceholder: 'Part name, part number or order number',
  filters: [{ name: 'status', label: 'Status', options: statuses }],
} as const satisfies Partial<ListToolsProps>

const noOrders = (
  <p>
    {'No orders yet. '}
    <Link to="/parts" className="link">
      Browse parts
    </Link>
  </p>
)

function OrderCards({ list, pictures }: { list: List<Order>; pictures: Pictures }) {
  return (
    <ListTable
      list={list}
      columns={[]}
      cells={() => []}
      card={(order) => <OrderCard order={order} pictures={pictures} />}
      rowName={({ number }) => `order #${number}`}
      noun={search.noun}
      searchPlaceholder={search.searchPlaceholder}
      filters={search.filters}
      empty={noOrders}
    />
  )
}

function OrderTable({ list, pictures }: { list: List<MyPurchase>; pictures: Pictures }) {
  return (
    <ListTable
      list={list}
      columns={columns()}
      cells={(item, _, isGrouped) => cells(item, isGrouped)}
      group={(item) => orderGroup(item, list.rows, pictures)}
      rowName={({ parts, number }) => `${parts}, order #${number}`}
      noun={search.noun}
      rowNoun={['item', 'items']}
      searchPlaceholder={search.searchPlaceholder}
      filters={search.filters}
      empty={noOrders}
    />
  )
}

function cells(order: MyPurchase, isGrouped: boolean) {
  return [
    order.name,
    <div key="product">
      <Link
        to={`/dashboard/orders/${order._id}${order.lineCount > 1 ? '?item' : ''}`}
        className="link"
        aria-label={`${order.parts}, order #${order.number}`}
      >
        <PartName name={order.parts} />
      </Link>
      {!isGrouped && (
        <p className="mt-1 flex flex-wrap items-center gap-x-4 text-sm">
          <span className="text-base-content/75">{`#${order.number}`}</span>
          <Track order={order} />
          {order.paid && <OrderAgain order={order} />}
        </p>
      )}
    </div>,
    formatCount(order.quantity),
    formatDollars(isGrouped ? order.price : orderTotal(order)),
    <Payment key="payment" order={order} isGrouped={isGrouped} />,
    canBeCancelled(order) ? <CancelItem key="cancel" line={order} /> : '–',
  ]
}

function Track({ order: { trackingUrl, number } }: { order: MyPurchase }) {
  if (!trackingUrl) return null
  return (
    <a
      href={trackingUrl}
      target="_blank"
      rel="noreferrer"
      className="link inline-block py-1 text-sm"
      aria-label={`Track order #${number}`}
    >
      Track
    </a>
  )
}

function OrderAgain({ order: { orderId, number } }: { order: Purchase }) {
  return (
    <Link
      to={`/dashboard/orders/${orderId}/again`}
      // As high as a finger needs it beside another link.
      className="link inline-block py-1 text-sm"
      aria-label={`Order again: #${number}`}
    >
      Order again
    </Link>
  )
}

function Invoice({ order }: { order: Purchase }) {
  return (
    <RowLink to={`/dashboard/orders/${order._id}/receipt`} className="link inline-block py-1 text-sm">
      View invoice
    </RowLink>
  )
}

function Payment({ order, isGrouped }: { order: Purchase; isGrouped: boolean }) {
  const { paid, transactionId } = order
  const status = orderStatus(order)
  if (status === 'awaiting payment') {
    if (isGrouped && order.lineCount > 1) return 'Awaiting payment'
    const pay = (
      // The head of its order has the button.
      <RowLink
        to={`/dashboard/payment/${order.orderId}`}
        className={isGrouped ? 'link' : 'btn btn-primary btn-sm'}
      >
        Pay
      </RowLink>
    )
    if (isGrouped) return pay
    return (
      <div>
        {pay}
        {order.lineCount > 1 && (
          <p className="mt-1 text-sm">{`${formatAmount(order.charges.total)} for all ${order.lineCount} items in the order`}</p>
        )}
        <p className="mt-1 text-sm">
          Ordered <DateTime at={order.createdAt} />
        </p>
        <TimeLeft order={order} />
      </div>
    )
  }
  return (
    <div className="text-sm">
      <p className={`text-base font-medium ${paid ? 'text-success' : ''}`}>{paid ? 'Paid' : 'Expired'}</p>
      {transactionId && (!isGrouped || order.lineCount <= 1) && (
        <p>
          <TransactionId id={transactionId} />
        </p>
      )}
      {!isGrouped && (
        <p>
          Ordered <DateTime at={order.createdAt} />
        </p>
      )}
      {status === 'expired' && <p>This order wasn’t paid in time, so the parts are back on sale.</p>}
      {paid && <OrderState lines={[order]} />}
      {paid && !isGrouped && <ShipsBy order={order} />}
      {paid && !isGrouped && <Invoice order={order} />}
    </div>
  )
}
