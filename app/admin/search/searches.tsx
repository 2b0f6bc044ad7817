import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { ListTable } from '#app/ui/table/list-table.tsx'
import { RowLink } from '#app/ui/table/row-name.tsx'
import type { Column } from '#app/ui/table/table.tsx'
import { formatDay } from '#shop/dates.ts'
import { formatCount } from '#shop/money.ts'
import { type EmptySearch, emptySearchQuery } from '#shop/search/synonym.ts'
import type { Route } from './+types/searches'

const columns: Column[] = [
  { head: 'Customers searched for' },
  { head: 'Times', kind: 'number', sort: 'count' },
  { head: 'Last on', kind: 'date', sort: 'lastOn' },
  { head: 'Action', isEnd: true },
]

export const meta = () => noindex('Searches without results')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return {
    list: await readList(request, emptySearchQuery, (body) => adminClient.listEmptySearches({ body })),
  }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Searches({ loaderData: { list } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Searches without results">
        <Link to="/dashboard/synonyms" className="btn btn-sm">
          Synonyms
        </Link>
      </PageHeading>
      <p className="mb-6 max-w-prose">
        What customers searched the catalogue for and didn’t find. We don’t store who searched. Add a synonym
        for what you sell under another name.
      </p>
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        rowName={({ text }) => text}
        noun={['search', 'searches']}
        searchPlaceholder="Word"
        empty={<p>No searches without results yet.</p>}
      />
    </>
  )
}

function cells({ text, count, lastOn }: EmptySearch) {
  return [
    <Link
      key="text"
      to={`/parts?${new URLSearchParams({ q: text })}`}
      className="link font-medium wrap-anywhere"
    >
      {text}
    </Link>,
    formatCount(count),
    <span key="last" className="whitespace-nowrap">
      {formatDay(lastOn)}
    </span>,
    <RowLink
      key="add"
      to={`/dashboard/synonyms?${new URLSearchParams({ phrase: text.slice(0, 60) })}`}
      className="btn btn-sm"
    >
      Add synonym
    </RowLink>,
  ]
}
