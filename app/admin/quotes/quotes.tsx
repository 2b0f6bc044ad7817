import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { formatDay } from '#shop/dates.ts'
import { formatDollars } from '#shop/money.ts'
import { describeLines } from '#shop/orders/describe-lines.ts'
import { type Quote, quoteQuery, quoteStateLabels, quoteStates } from '#shop/quotes/quote.ts'
import type { Route } from './+types/quotes'

const columns: Column[] = [
  { head: 'Quote' },
  { head: 'Customer', sort: 'name' },
  { head: 'Items' },
  { head: 'Total', kind: 'number', sort: 'total' },
  { head: 'State' },
  { head: 'Created', kind: 'date', sort: 'added' },
]

const states = [
  { value: '', label: 'All quotes' },
  ...quoteStates.map((state) => ({ value: state, label: quoteStateLabels[state] })),
]

export const meta = () => noindex('Quotes')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return { list: await readList(request, quoteQuery, (body) => adminClient.listQuotes({ body })) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Quotes({ loaderData: { list } }: Route.ComponentProps) {
  const add = (
    <Link to="/dashboard/quotes/new" className="btn btn-primary btn-sm">
      New quote
    </Link>
  )
  return (
    <>
      <PageHeading title="Quotes">{add}</PageHeading>
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        rowName={({ number, name, email }) => `quote ${number} for ${name || email}`}
        noun={['quote', 'quotes']}
        searchPlaceholder="Name or email"
        filters={[{ name: 'state', label: 'State', options: states }]}
        empty={
          <p>
            No quotes yet. Prepare an order for a customer at prices of your own, and send it as a link to
            accept and pay.
          </p>
        }
      />
    </>
  )
}

function cells({ _id, number, name, email, lines, total, state, validUntil, orderNumber, createdAt }: Quote) {
  return [
    <Link key="quote" to={`/dashboard/quotes/${_id}`} className="link font-medium">{`Quote ${number}`}</Link>,
    <div key="customer">
      <p className="font-medium wrap-anywhere">
        {orderNumber === null ? (
          name
        ) : (
          <RowLink to={`/dashboard/customers/${orderNumber}`} className="link">
            {name}
          </RowLink>
        )}
      </p>
      <p className="text-sm text-base-content/75 wrap-anywhere">{email}</p>
    </div>,
    describeLines(lines),
    formatDollars(total),
    <div key="state">
      <p className="font-medium">{quoteStateLabels[state]}</p>
      <p className="text-sm text-base-content/75">
        {orderNumber ? `Order #${orderNumber}` : state === 'sent' && `Until ${formatDay(validUntil)}`}
      </p>
    </div>,
    <DateTime key="created" at={createdAt} />,
  ]
}
