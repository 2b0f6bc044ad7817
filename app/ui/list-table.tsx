import type { ReactNode } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { type List, type ListQuery, listUrl, perPage } from '#app/list.ts'
import { Pagination } from './pagination.tsx'
import { SearchField } from './search-field.tsx'
import { useSearchForm } from './search-form.ts'
import { type Column, Table } from './table.tsx'

interface Filter {
  /** Its name in the address. */
  name: string
  label: string
  options: { value: string; label: string }[]
}

interface Props<Row> {
  list: List<Row>
  columns: readonly Column[]
  /** One for each column; `number` counts from the beginning of the whole list. */
  cells: (row: Row, number: number) => ReactNode[]
  /** What one of the rows is called, and several. */
  noun: readonly [one: string, many: string]
  /** What can be searched: the hint in the search field. */
  searches: string
  filter?: Filter
  /** What to say when there is nothing at all. */
  empty: ReactNode
}

/** A long list: searched, filtered, sorted and cut into pages by the server, as its address says. */
export function ListTable<Row extends { _id: string }>(props: Props<Row>) {
  const { list, columns, cells, noun, empty } = props
  const { rows, total, pages, wanted } = list
  const { page = 1 } = wanted
  const loading = useNavigation().state === 'loading'
  const path = useLocation().pathname
  const narrowed = Object.entries(wanted).some(([name, value]) => value && name !== 'page' && name !== 'sort')

  if (total === 0 && !narrowed) return empty
  return (
    <>
      <Tools {...props} />
      <p role="status" className="mb-3 text-sm text-base-content/75">
        {`${total} ${noun[total === 1 ? 0 : 1]}`}
      </p>
      <div aria-busy={loading} className={`transition-opacity ${loading ? 'opacity-60' : ''}`}>
        {total === 0 ? (
          <p className="py-6">
            {`No ${noun[0]} is like that. `}
            <Link to={path} className="link">
              {`Show all ${noun[1]}`}
            </Link>
          </p>
        ) : (
          <Table
            columns={columns}
            sorted={{
              by: String(wanted.sort ?? ''),
              to: (sort) => listUrl(path, { ...wanted, page: 1, sort }),
            }}
            rows={rows.map((row, i) => ({ key: row._id, cells: cells(row, (page - 1) * perPage + i + 1) }))}
          />
        )}
      </div>
      {pages > 1 && (
        <Pagination page={page} pages={pages} to={(page) => listUrl(path, { ...wanted, page })} />
      )}
    </>
  )
}

function Tools<Row>({ list: { wanted }, columns, noun, searches, filter }: Props<Row>) {
  const path = useLocation().pathname
  const form = useSearchForm(listUrl(path, { ...wanted, page: 1 }), (typed) =>
    listUrl(path, { ...wanted, page: 1, ...Object.fromEntries(typed) }),
  )
  return (
    <search>
      <form className="mb-4 flex flex-wrap gap-3" {...form}>
        <SearchField
          className="min-w-0 grow basis-60 md:max-w-md"
          label={`Search ${noun[1]}`}
          placeholder={searches}
          typed={wanted.q}
        />
        {filter && (
          <select
            name={filter.name}
            defaultValue={wanted[filter.name]}
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
        {/* Where the heads of the columns are not seen, on a phone. */}
        <select
          name="sort"
          defaultValue={wanted.sort}
          aria-label="Sort by"
          className="select w-auto grow md:hidden"
        >
          {sortsOf(columns, wanted).map(({ value, label }) => (
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
          { value: sort, label: `${head}, upwards` },
          { value: `-${sort}`, label: `${head}, downwards` },
        ]
      : [],
  )
  const all = [{ value: '', label: 'Newest first' }, ...sorts]
  // An address may ask for an order that no column has.
  return all.some(({ value }) => value === sort)
    ? all
    : [...all, { value: String(sort), label: 'Other order' }]
}
