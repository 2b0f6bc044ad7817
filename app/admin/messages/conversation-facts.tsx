import { Link } from 'react-router'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { OrderState } from '#app/orders/order-state.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { Facts } from '#app/ui/facts.tsx'
import type { Customer } from '#shop/customers/customer.ts'
import type { Conversation } from '#shop/messages/conversation.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'

interface Props {
  conversation: Conversation
  /** Null without an account. */
  customer: Customer | null
  order: Order | null
}

/** Who asks, and about which order. */
export function ConversationFacts({ conversation, customer, order }: Props) {
  return (
    <aside aria-label="Customer and order" className="row-start-1 min-h-0 @3xl:overflow-y-auto">
      <details className="open-if-wide">
        <summary className="cursor-pointer text-sm font-medium">{summarize(conversation, customer)}</summary>
        <div className="mt-3 grid gap-x-8 gap-y-6 @md:@max-3xl:grid-cols-2 @3xl:mt-0">
          <About conversation={conversation} customer={customer} />
          {order && <AboutOrder conversation={conversation} order={order} />}
        </div>
      </details>
    </aside>
  )
}

function summarize({ name, order }: Conversation, customer: Customer | null) {
  const orders = customer && `${formatCount(customer.orders)} ${customer.orders === 1 ? 'order' : 'orders'}`
  return [customer?.name ?? name, orders, order && `about #${order.number}`].filter(Boolean).join(', ')
}

function About({ conversation, customer }: Omit<Props, 'order'>) {
  const { name, email, phone } = conversation
  const orders = `/dashboard/manageAllOrders?${new URLSearchParams({ q: email })}`
  return (
    <Facts
      title="Customer"
      facts={[
        [
          'Name',
          customer ? (
            <Link key="name" to={`/dashboard/customers/${customer._id}`} className="link">
              {customer.name}
            </Link>
          ) : (
            name
          ),
        ],
        [
          'Email',
          <a
            key="email"
            href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
            className="link wrap-anywhere"
          >
            {email}
          </a>,
        ],
        [
          'Phone',
          <a key="phone" href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="link">
            {phone}
          </a>,
        ],
        [
          'Orders',
          customer ? (
            <Link key="orders" to={orders} className="link">
              {formatCount(customer.orders)}
            </Link>
          ) : (
            <Link key="orders" to={orders} className="link">
              View orders
            </Link>
          ),
        ],
        ['Paid', customer && formatDollars(customer.paid)],
        ['Tags', customer && customer.tags.length > 0 && customer.tags.join(', ')],
        ['Account', !customer && 'No account with this address'],
      ]}
    />
  )
}

function AboutOrder({ conversation, order }: { conversation: Conversation; order: Order }) {
  const asked = new Set(conversation.items.map(({ _id }) => _id))
  const lines = asked.size > 0 ? order.lines.filter(({ _id }) => asked.has(_id)) : order.lines
  const shown = lines.slice(0, maxLines)
  return (
    <div>
      <Facts
        title={`Order #${order.number}`}
        facts={[
          ['Status', <OrderState key="status" lines={order.lines} />],
          ['Ordered', <DateTime key="at" at={order.createdAt} />],
          ['Order total', formatDollars(orderTotal(order))],
          ['Refunded', order.refunded > 0 && formatDollars(order.refunded)],
          ['Deliver to', order.address],
        ]}
      />
      <p className="mt-3 text-sm font-medium">{asked.size > 0 ? 'Asks about' : 'Items'}</p>
      <ul className="text-sm">
        {shown.map(({ _id, quantity, parts }) => (
          <li key={_id} className="wrap-anywhere">{`${formatCount(quantity)} × ${parts}`}</li>
        ))}
        {lines.length > shown.length && <li>{`and ${formatCount(lines.length - shown.length)} more`}</li>}
      </ul>
      <Link to={`/dashboard/orders/${order._id}`} className="mt-2 inline-block link text-sm">
        View order
      </Link>
    </div>
  )
}

const maxLines = 5
