import { Link } from 'react-router'
import { readTimeZone } from '#app/admin/time-zone.ts'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { useCompany } from '#app/company.ts'
import { type AskedOrder, OpenOrder, OrderPanel } from '#app/messages/order-panel.tsx'
import { OrderState } from '#app/orders/order-state.tsx'
import { describeShipBy } from '#app/orders/ships-by.tsx'
import { listDestination } from '#shop/addresses/destination.ts'
import type { Customer } from '#shop/customers/customer.ts'
import type { Conversation } from '#shop/messages/conversation.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import { canBeRefunded, canBeShipped } from '#shop/orders/status.ts'

export interface Sender {
  customer: Customer
  /** The latest, newest first. */
  orders: Order[]
}

interface Props {
  conversation: Conversation
  /** Null without an account. */
  sender: Sender | null
  asked: AskedOrder | null
}

/** About which order somebody asks, and who. */
export function ConversationFacts({ conversation, sender, asked }: Props) {
  const orders = sender?.orders.filter(({ _id }) => _id !== asked?.order._id).slice(0, shownOrders) ?? []
  const latest = asked?.order ?? orders[0]
  return (
    <aside
      aria-label="Customer and order"
      className="row-start-1 grid min-h-0 content-start gap-4 @xl:overflow-y-auto"
    >
      {asked && (
        <OrderPanel asked={asked} items={conversation.items} className="lg:@max-xl/conversation:hidden">
          <OpenOrder order={asked.order} />
          <OrderTasks order={asked.order} />
        </OrderPanel>
      )}
      <details className="open-if-wide">
        <summary className="cursor-pointer text-sm font-medium">
          <bdi>{sender?.customer?.name ?? conversation.name}</bdi>
          {sender?.customer && `, ${countOrders(sender.customer)}`}
        </summary>
        <div className="mt-3 grid gap-4 text-sm @xl:mt-0">
          <About conversation={conversation} customer={sender?.customer} />
          {orders.length > 0 && (
            <LatestOrders orders={orders} title={asked ? 'Other orders' : 'Latest orders'} />
          )}
          {latest && <DeliverTo order={latest} />}
        </div>
      </details>
    </aside>
  )
}

const shownOrders = 3

/** They open their forms on the order’s page. */
function OrderTasks({ order: { _id, lines, number, collected } }: { order: Order }) {
  const to = `/dashboard/orders/${_id}`
  return (
    <>
      {lines.some(canBeShipped) && (
        <Link to={`${to}#ship`} className="btn btn-sm" aria-label={`Ship order #${number}`}>
          {collected ? 'Mark as ready' : 'Ship'}
        </Link>
      )}
      {lines.some(canBeRefunded) && (
        <Link to={`${to}#refund`} className="btn btn-sm" aria-label={`Refund order #${number}`}>
          Refund
        </Link>
      )}
    </>
  )
}

function countOrders({ orders }: Customer) {
  return `${formatCount(orders)} ${orders === 1 ? 'order' : 'orders'}`
}

interface AboutProps {
  conversation: Conversation
  customer: Customer | undefined
}

function About({ conversation: { name, email, phone }, customer }: AboutProps) {
  const orders = `/dashboard/manageAllOrders?${new URLSearchParams({ q: email })}`
  return (
    <section className="grid justify-items-start gap-1">
      <h2 className="text-base wrap-anywhere">
        {customer ? (
          <Link to={`/dashboard/customers/${customer._id}`} className="link">
            {customer.name}
          </Link>
        ) : (
          name
        )}
      </h2>
      <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} className="link wrap-anywhere">
        {email}
      </a>
      {phone && (
        <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="link">
          {phone}
        </a>
      )}
      <p>
        <Link to={orders} className="link">
          {customer ? countOrders(customer) : 'View orders'}
        </Link>
        {customer && `, ${formatDollars(customer.paid)} paid`}
      </p>
      {customer && customer.tags.length > 0 && <p>{`Tags: ${customer.tags.join(', ')}`}</p>}
      {!customer && <p className="text-base-content/75">No account with this address</p>}
    </section>
  )
}

function LatestOrders({ orders, title }: { orders: Order[]; title: string }) {
  return (
    <section aria-labelledby="latest-orders">
      <h2 id="latest-orders" className="mb-1 text-base">
        {title}
      </h2>
      <ul className="divide-y divide-base-300 border-y border-base-300">
        {orders.map((order) => (
          <li key={order._id} className="py-1.5">
            <p className="flex justify-between gap-3">
              <Link to={`/dashboard/orders/${order._id}`} className="link">{`#${order.number}`}</Link>
              <span className="font-medium">{formatDollars(orderTotal(order))}</span>
            </p>
            <OrderState lines={order.lines} />
            <Dispatch order={order} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What somebody who asks about it wants to know first. */
function Dispatch({ order }: { order: Order }) {
  if (order.trackingUrl)
    return (
      <a href={order.trackingUrl} target="_blank" rel="noreferrer" className="link">
        {`Track #${order.number}`}
      </a>
    )
  const shipBy = order.paid && describeShipBy(order, readTimeZone())
  return shipBy ? <p className={order.late ? 'font-medium text-error' : ''}>{shipBy}</p> : null
}

function DeliverTo({ order }: { order: Order }) {
  const { country: home } = useCompany()
  const { number, recipient, company, name, address, phoneNumber, collected } = order
  return (
    <section>
      <h2 className="text-base">{collected ? 'Collected by' : 'Deliver to'}</h2>
      <p className="whitespace-pre-line wrap-anywhere">
        {[recipient || name, company, ...(collected ? [] : [address, ...listDestination(order, home)])]
          .filter(Boolean)
          .join('\n')}
      </p>
      <p>{phoneNumber}</p>
      <p className="text-base-content/75">{`Of order #${number}`}</p>
    </section>
  )
}
