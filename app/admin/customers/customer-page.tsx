import { Link } from 'react-router'
import { RecentChanges, readRecentChanges } from '#app/admin/audit/recent-changes.tsx'
import { adminClient } from '#app/admin/client.ts'
import { redirectTo, requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { useCompany } from '#app/company.ts'
import { noindex } from '#app/meta.ts'
import { queryUrl } from '#app/query-url.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { listDestination } from '#shop/addresses/destination.ts'
import type { Customer } from '#shop/customers/customer.ts'
import { formatCount, formatDollars, formatTotal } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'
import type { Route } from './+types/customer-page'
import { CustomerLinks } from './customer-links.tsx'
import { CustomerNotes } from './customer-notes.tsx'
import { CustomerOrders, FileLink, ordersPerPage } from './customer-orders.tsx'
import { CustomerTags } from './customer-tags.tsx'
import { CustomerTax } from './customer-tax.tsx'

export const meta: Route.MetaFunction = ({ loaderData }) => noindex(loaderData?.customer.name ?? 'Customer')

/** By the id or the email address of an account, or by the number or the id of an order. */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const { searchParams } = new URL(request.url)
  const requested = Number(searchParams.get('page'))
  const page = Number.isInteger(requested) && requested > 0 ? requested : 1
  const customer = await adminClient.readCustomer({ params })
  const path = `/dashboard/customers/${customer._id}`
  if (customer._id !== params.id) throw redirectTo(path, request)
  const listOrders = (limit: number, page: number) =>
    client.listMyOrders({ body: { email: customer.email, limit, page } })
  const [orders, latest, tags, changes] = await Promise.all([
    listOrders(ordersPerPage, page),
    page > 1 ? listOrders(1, 1) : null,
    adminClient.listCustomerTags().catch(() => []),
    readRecentChanges('user', customer._id),
  ])
  const pages = Math.max(1, Math.ceil(orders.total / ordersPerPage))
  if (page > pages) throw redirectTo(queryUrl(path, { page: pages }), request)
  const [lastOrder] = (latest ?? orders).rows
  return { customer, orders: { ...orders, page, pages }, lastOrder, tags, changes }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function CustomerPage({ loaderData }: Route.ComponentProps) {
  const { customer, orders, lastOrder, tags, changes } = loaderData
  const { _id, name, email, phoneNumber } = customer
  return (
    <article key={_id} className="@container">
      <Link to="/dashboard" className="mb-3 inline-block link">
        Back to users
      </Link>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 className="wrap-anywhere">{name}</h1>
          <p className="mt-1 flex flex-wrap gap-x-4 wrap-anywhere">
            <a href={mailTo(email)} className="link">
              {email}
            </a>
            {phoneNumber && <Dial number={phoneNumber} />}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Link
            to={lastOrder ? `/dashboard/orders/${lastOrder._id}/ask` : mailTo(email)}
            className="btn btn-sm"
          >
            Message
          </Link>
          <Link to={`/dashboard/quotes/new?${new URLSearchParams({ email, name })}`} className="btn btn-sm">
            New quote
          </Link>
        </div>
      </div>
      <div className="mt-6 grid items-start gap-x-10 gap-y-5 sm:gap-y-8 xl:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid min-w-0 *:min-w-0 gap-5 sm:gap-8">
          <Totals customer={customer} />
          <CustomerOrders orders={orders} files={customer.files} path={`/dashboard/customers/${_id}`} />
          <Messages customer={customer} />
          <OtherFiles customer={customer} orders={orders.rows} />
        </div>
        <div className="grid min-w-0 *:min-w-0 gap-5 sm:gap-8">
          <CustomerNotes customer={customer} />
          <CustomerTags customer={customer} suggestions={tags} />
          <CustomerLinks customer={customer} />
          <CustomerTax customer={customer} />
          <details className="open-if-wide">
            <summary className="cursor-pointer text-sm font-medium">Account and addresses</summary>
            <div className="mt-3 grid gap-5 @xl:mt-0 sm:gap-8">
              <Account customer={customer} />
              <Addresses customer={customer} />
            </div>
          </details>
        </div>
      </div>
      <RecentChanges changes={changes} />
    </article>
  )
}

interface Props {
  customer: Customer
}

function Totals({ customer }: Props) {
  const { orders, paid, refunded, lastOrderAt } = customer
  const figures = [
    ['Orders', formatCount(orders)],
    ['Paid', formatDollars(paid)],
    ['Refunded', formatDollars(refunded)],
    ['Last order', lastOrderAt ? <DateTime key="at" at={lastOrderAt} /> : 'None yet'],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
      {figures.map(([term, value]) => (
        <div key={term}>
          <dt className="text-sm text-base-content/75">{term}</dt>
          <dd className="text-xl font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function mailTo(email: string) {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}

function Account({ customer }: Props) {
  const { email, role, emailConfirmedAt, createdAt, firstOrderAt } = customer
  return (
    <Facts
      title="Account"
      facts={[
        [
          'Email confirmed',
          emailConfirmedAt ? <DateTime key="confirmed" at={emailConfirmedAt} /> : 'Not yet',
        ],
        ['Registered', <DateTime key="registered" at={createdAt} />],
        ['First order', firstOrderAt && <DateTime key="first" at={firstOrderAt} />],
        ['Roll', role],
        [
          'Changes',
          role === 'admin' && (
            <Link
              key="changes"
              to={`/dashboard/auditLog?${new URLSearchParams({ q: email })}`}
              className="link"
            >
              View changes
            </Link>
          ),
        ],
      ]}
    />
  )
}

function Dial({ number }: { number: string }) {
  return (
    <a href={`tel:${number.replace(/[^\d+]/g, '')}`} className="link">
      {number}
    </a>
  )
}

function Addresses({ customer: { name, addresses } }: Props) {
  const { country: home } = useCompany()
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses" className="text-base">
        Delivery addresses
      </h2>
      {addresses.length === 0 && <p className="mt-2 text-sm text-base-content/75">None saved.</p>}
      <ul className="mt-2 divide-y divide-base-300 border-t border-base-300 text-sm empty:hidden">
        {addresses.map(({ _id, recipient, company, address, phoneNumber, isDefault, ...destination }) => (
          <li key={_id} className="py-2">
            <p className="font-medium wrap-anywhere">
              {recipient || name}
              {isDefault && <span className="font-normal text-base-content/75"> (default)</span>}
            </p>
            <p className="wrap-anywhere empty:hidden">{company}</p>
            <p className="whitespace-pre-line wrap-anywhere">
              {[address, ...listDestination(destination, home)].join('\n')}
            </p>
            <p>
              <Dial number={phoneNumber} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Messages({ customer: { email, messages, messageCount } }: Props) {
  return (
    <section aria-labelledby="messages">
      <h2 id="messages" className="text-base">
        Messages
      </h2>
      {messageCount === 0 && <p className="mt-2 text-sm text-base-content/75">No messages.</p>}
      <ul className="mt-2 divide-y divide-base-300 border-t border-base-300 empty:hidden">
        {messages.map(({ _id, message, order, latestAt, answeredAt }) => (
          <li key={_id} className="grid grid-cols-[1fr_auto] items-baseline gap-x-6 py-2">
            <Link to={`/dashboard/messages/${_id}`} className="line-clamp-2 link text-sm wrap-anywhere">
              {message}
            </Link>
            <p className="text-right text-sm text-base-content/75">
              {`${[order && `#${order.number}`, answeredAt === null ? 'New' : 'Answered'].filter(Boolean).join(', ')}, `}
              <DateTime at={latestAt} />
            </p>
          </li>
        ))}
      </ul>
      {messageCount > messages.length && (
        <Link
          to={`/dashboard/messages?${new URLSearchParams({ q: email })}`}
          className="mt-2 inline-block link"
        >
          {`Show all ${formatTotal(messageCount)} messages`}
        </Link>
      )}
    </section>
  )
}

/** Those of the orders that are shown stand beside them. */
function OtherFiles({ customer: { files, fileCount }, orders }: Props & { orders: Order[] }) {
  const others = files.filter(({ orderId }) => !orders.some(({ _id }) => _id === orderId))
  if (others.length === 0) return null
  return (
    <details>
      <summary className="cursor-pointer">
        <h2 className="inline text-base">{`Files of other orders (${formatCount(others.length)})`}</h2>
      </summary>
      <ul className="mt-2 divide-y divide-base-300 border-t border-base-300 text-sm">
        {others.map((file) => (
          <li key={file._id} className="flex justify-between gap-x-6 py-2">
            <FileLink file={file} />
            <span className="text-base-content/75">
              <DateTime at={file.issuedAt} />
            </span>
          </li>
        ))}
      </ul>
      {fileCount > files.length && (
        <p className="mt-2 text-sm text-base-content/75">
          {`The latest ${files.length} of ${formatTotal(fileCount)}. Older ones are on their orders’ pages.`}
        </p>
      )}
    </details>
  )
}
