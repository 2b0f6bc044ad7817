import { type ReactNode, useRef } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import type { List } from '#app/list.ts'
import { listUrl } from '#app/query-url.ts'
import { ListKeys } from '#app/ui/behaviour/list-keys.tsx'
import { useNextQuery } from '#app/ui/behaviour/next-query.ts'
import { useResultsInView } from '#app/ui/behaviour/results-in-view.ts'
import type { Selection } from '#app/ui/behaviour/selection.ts'
import { formatTotal } from '#shop/money.ts'
import { ListTools, type ListToolsProps } from './list-tools.tsx'
import { Pagination } from './pagination.tsx'
import { NamedRow } from './row-name.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { type Column, type RowGroup, type ShownRow, Table } from './table.tsx'

interface LineRow {
  key: string
  name: string
  cells: ReactNode[]
}

interface Props<Row> extends ListToolsProps {
  list: List<Row>
  columns: readonly Column[]
  cells: (row: Row, number: number, isGrouped: boolean) => ReactNode[]
  /** Instead of a table: what one row is, for lists of phones. */
  card?: (row: Row) => ReactNode
  /** False where the search and the filters stand elsewhere. */
  hasTools?: boolean
  /** Tells a row apart from the others. */
  rowName: (row: Row) => string
  /** Rows that belong to it; it stands above them in its own cells, unless the group has a head. */
  group?: (row: Row) => (RowGroup & { lines: LineRow[] }) | undefined
  /** Whether rows are orders, which have a form of their own on a phone. */
  byOrder?: boolean
  empty: ReactNode
  /** Rows that can be selected, and what can be done with them. */
  selecting?: {
    selection: Selection<Row>
    readAll: () => Promise<Row[]>
    actions: ReactNode
  }
}

export function ListTable<Row extends { _id: string }>(props: Props<Row>) {
  const {
    list,
    columns,
    cells,
    card,
    hasTools = true,
    rowName,
    group,
    byOrder = false,
    noun,
    empty,
    selecting,
  } = props
  const element = useRef<HTMLDivElement>(null)
  const { rows, total, pages, perPage, isCounted, query } = list
  const { page = 1 } = query
  const loading = useNavigation().state === 'loading'
  const path = useLocation().pathname
  const next = useNextQuery(query)
  useResultsInView(element, listUrl(path, { ...query, page: 1 }))
  const isFiltered = Object.entries(query).some(
    ([name, value]) => value && !['page', 'sort', 'limit'].includes(name),
  )

  const toRows = (row: Row, i: number): ShownRow[] => {
    const rowGroup = group?.(row)
    const number = (page - 1) * perPage + i + 1
    const name = rowName(row)
    const choice = selecting && { choice: { key: row._id, label: name } }
    const own = { key: row._id, name, ...choice, cells: cells(row, number, rowGroup !== undefined) }
    if (!rowGroup) return [own]
    const { lines } = rowGroup
    if (rowGroup.head) return lines.map((line) => ({ ...line, group: rowGroup }))
    return [
      { ...own, name: rowGroup.name, group: rowGroup, part: 'head' },
      ...lines.map((line) => ({ ...line, group: rowGroup, part: 'line' as const })),
    ]
  }

  if (total === 0 && rows.length === 0 && !isFiltered) return empty
  const selection = selecting?.selection
  return (
    <div ref={element}>
      {hasTools && <ListTools {...props} />}
      <p role="status" className="mb-3 text-sm text-base-content/75">
        {`${formatTotal(total)} ${noun[total === 1 ? 0 : 1]}`}
      </p>
      <div aria-busy={loading} className={`transition-opacity ${loading ? 'opacity-60' : ''}`}>
        {rows.length === 0 ? (
          <p className="py-6">
            {`No ${noun[1]} match. `}
            <Link to={path} className="link">
              {`Show all ${noun[1]}`}
            </Link>
          </p>
        ) : card ? (
          <ul className="border-t border-base-300">
            {rows.map((row) => (
              <li key={row._id} className="border-b border-base-300">
                <NamedRow name={rowName(row)}>{card(row)}</NamedRow>
              </li>
            ))}
          </ul>
        ) : (
          <Table
            columns={columns}
            sorted={{
              by: String(query.sort ?? ''),
              to: (sort) => listUrl(path, { ...next, page: 1, sort }),
            }}
            rows={rows.flatMap(toRows)}
            byOrder={byOrder}
            {...(selection && {
              selectable: {
                isSelected: selection.isSelected,
                toggle: (key, through) => selection.toggle(rows.find(({ _id }) => _id === key)!, through),
                toggleAll: () => selection.toggleAll(rows),
              },
            })}
          />
        )}
      </div>
      {pages > 1 && (
        <Pagination
          page={page}
          pages={pages}
          isCounted={isCounted}
          to={(page) => listUrl(path, { ...next, page })}
        />
      )}
      {selecting && (
        <>
          <ListKeys list={element} />
          <SelectionBar {...selecting} total={total} noun={noun}>
            {selecting.actions}
          </SelectionBar>
        </>
      )}
    </div>
  )
}
