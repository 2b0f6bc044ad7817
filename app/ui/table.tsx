import type { ReactNode } from 'react'
import { Link } from 'react-router'

export interface Column {
  head: string
  sort?: string
  /** Aligned right. */
  isNumber?: boolean
}

interface Row {
  key: string
  cells: ReactNode[]
}

interface Props {
  columns: readonly Column[]
  rows: Row[]
  /** `by` starts with `-` when descending; `to` returns the URL of another order. */
  sorted?: { by: string; to: (sort: string) => string }
}

/** On phones each row becomes a block whose cells show `data-label`. */
export function Table({ columns, rows, sorted }: Props) {
  return (
    <table className="stacked table">
      <thead>
        <tr>
          {columns.map(({ head, sort, isNumber }) => (
            <th
              key={head}
              scope="col"
              className={isNumber ? 'text-right' : undefined}
              aria-sort={sort && sorted ? direction(sort, sorted.by) : undefined}
            >
              {sort && sorted ? <Head head={head} sort={sort} sorted={sorted} /> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {columns.map(({ head, isNumber }, i) => (
              <td key={head} data-label={head} className={isNumber ? 'text-right tabular-nums' : undefined}>
                {cells[i]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ head, sort, sorted }: { head: string; sort: string; sorted: NonNullable<Props['sorted']> }) {
  const order = direction(sort, sorted.by)
  const mark = { ascending: '↑', descending: '↓', none: '↕' }[order]
  return (
    <Link
      to={sorted.to(sorted.by === sort ? `-${sort}` : sort)}
      preventScrollReset
      className="hover:underline"
    >
      {head}
      <span aria-hidden="true" className={`ml-1 ${order === 'none' ? 'opacity-40' : ''}`}>
        {mark}
      </span>
    </Link>
  )
}

function direction(sort: string, by: string) {
  if (by === sort) return 'ascending'
  return by === `-${sort}` ? 'descending' : 'none'
}
