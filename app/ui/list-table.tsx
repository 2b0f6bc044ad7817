import type { ReactNode } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { type List, type ListQuery, listUrl, perPage } from '#app/list.ts'
import { Pagination } from './pagination.tsx'
import { SearchField } from './search-field.tsx'
import { useSearchForm } from './search-form.ts'
import { type Column, Table } from './table.tsx'

interface Filter {
  name: string
  label: string
  options: { value: string; label: string }[]
}

interface Props<Row> {
  list: List<Row>
  columns: readonly Column[]
  cells: (row: Row, number: number) => ReactNode[]
  noun: readonly [one: string, many: string]
  searchPlaceholder: string
  filter?: Filter
  empty: ReactNode
}

export function ListTable<Row extends { _id: string }>(props: Props<Row>) {
  const { list, columns, cells, noun, empty } = props
  const { rows, total, pages, query } = list
  const { page = 1 } = query
  const loading = useNavigation().state === 'loading'
  const path = useLocation().pathname
  const isFiltered = Object.entries(query).some(
    ([name, value]) => value && name !== 'page' && name !== 'sort',
  )

  if (total === 0 && !isFiltered) return empty
  return (
    <>
      <Tools {...props} />
      <p role="status" className="mb-3 text-sm text-base-content/75">
        {`${total} ${noun[total === 1 ? 0 : 1]}`}
      </p>
      <div aria-busy={loading} className={`transition-opacity ${loading ? 'opacity-60' : ''}`}>
        {total === 0 ? (
          <p className="py-6">
            {`No ${noun[1]} match. `}
            <Link to={path} className="link">
              {`Show all ${noun[1]}`}
            </Link>
          </p>
        ) : (
          <Table
            columns={columns}
            sorted={{
              by: String(query.sort ?? ''),
              to: (sort) => listUrl(path, { ...query, page: 1, sort }),
            }}
            rows={rows.map((row, i) => ({ key: row._id, cells: cells(row, (page - 1) * perPage + i + 1) }))}
          />
        )}
      </div>
      {pages > 1 && <Pagination page={page} pages={pages} to={(page) => listUrl(path, { ...query, page })} />}
    </>
  )
}

function Tools<Row>({ list: { query }, columns, noun, searchPlaceholder, filter }: Props<Row>) {
  const path = useLocation().pathname
  const form = useSearchForm(listUrl(path, { ...query, page: 1 }), (params) =>
    listUrl(path, { ...query, page: 1, ...Object.fromEntries(params) }),
  )
  return (
    <search>
      <form className="mb-4 flex flex-wrap gap-3" {...form}>
        <SearchField
          className="min-w-0 grow basis-60 md:max-w-md"
          label={`Search ${noun[1]}`}
          placeholder={searchPlaceholder}
          defaultValue={query.q}
        />
        {filter && (
          <select
            name={filter.name}
            defaultValue={query[filter.name]}
            aria-label={filter.label}
            className="select w-auto grow md:grow-0"
          >
            {filter.options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
        {/* Phones hide the column headers, which sort on wider screens. */}
        <select
          name="sort"
          defaultValue={query.sort}
          aria-label="Sort by"
          className="select w-auto grow md:hidden"
        >
          {sortsOf(columns, query).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </form>
    </search>
  )
}

function sortsOf(columns: readonly Column[], { sort = '' }: ListQuery) {
  const sorts = columns.flatMap(({ head, sort }) =>
    sort
      ? [
          { value: sort, label: sortLabel(head, sort, 0) },
          { value: `-${sort}`, label: sortLabel(head, sort, 1) },
        ]
      : [],
  )
  const all = [{ value: '', label: 'Newest first' }, ...sorts]
  // The URL may name an order that no column offers.
  return all.some(({ value }) => value === sort) ? all : [...all, { value: String(sort), label: 'Other' }]
}

const directions: Record<string, readonly [ascending: string, descending: string]> = {
  quantity: ['low to high', 'high to low'],
  price: ['low to high', 'high to low'],
  minQuantity: ['low to high', 'high to low'],
  availableQuantity: ['low to high', 'high to low'],
  added: ['oldest first', 'newest first'],
  shipped: ['oldest first', 'newest first'],
}

function sortLabel(head: string, sort: string, direction: 0 | 1) {
  const words = directions[sort]
  return words ? `${head}: ${words[direction]}` : `${head} ${direction ? 'Z–A' : 'A–Z'}`
}
