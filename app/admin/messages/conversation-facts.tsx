import { Link } from 'react-router'
import { type AskedOrder, OpenOrder, OrderPanel } from '#app/messages/order-panel.tsx'
import { Facts } from '#app/ui/facts.tsx'
import type { Customer } from '#shop/customers/customer.ts'
import type { Conversation } from '#shop/messages/conversation.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import { canBeRefunded, canBeShipped } from '#shop/orders/status.ts'

interface Props {
  conversation: Conversation
  /** Null without an account. */
  customer: Customer | null
  asked: AskedOrder | null
}

/** About which order somebody asks, and who. */
export function ConversationFacts({ conversation, customer, asked }: Props) {
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
        <summary className="cursor-pointer text-sm font-medium">{summarize(conversation, customer)}</summary>
        <div className="mt-3 @xl:mt-0">
          <About conversation={conversation} customer={customer} />
        </div>
      </details>
    </aside>
  )
}

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

function summarize({ name }: Conversation, customer: Customer | null) {
  const orders = customer && `${formatCount(customer.orders)} ${customer.orders === 1 ? 'order' : 'orders'}`
  return [customer?.name ?? name, orders].filter(Boolean).join(', ')
}

function About({ conversation, customer }: Omit<Props, 'asked'>) {
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
