import type { ReactNode } from 'react'
import { Link } from 'react-router'

export interface Column {
  head: string
  /** What the list's call names the order by this column, when it can be had. */
  sort?: string
}

interface Row {
  key: string
  cells: ReactNode[]
}

interface Props {
  columns: readonly Column[]
  rows: Row[]
  /** In which order the rows are (`-` before it: downwards), and the address of another one. */
  sorted?: { by: string; to: (sort: string) => string }
}

/** A table that becomes a list of blocks on a phone, where each cell names its column. */
export function Table({ columns, rows, sorted }: Props) {
  return (
    <table className="stacked table">
      <thead>
        <tr>
          {columns.map(({ head, sort }) => (
            <th key={head} scope="col" aria-sort={sort && sorted ? direction(sort, sorted.by) : undefined}>
              {sort && sorted ? <Head head={head} sort={sort} sorted={sorted} /> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {columns.map(({ head }, i) => (
              <td key={head} data-label={head}>
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
  const now = direction(sort, sorted.by)
  const mark = { ascending: '↑', descending: '↓', none: '↕' }[now]
  return (
    <Link
      to={sorted.to(sorted.by === sort ? `-${sort}` : sort)}
      preventScrollReset
      className="hover:underline"
    >
      {head}
      <span aria-hidden="true" className={`ml-1 ${now === 'none' ? 'opacity-40' : ''}`}>
        {mark}
      </span>
    </Link>
  )
}

function direction(sort: string, by: string) {
  if (by === sort) return 'ascending'
  return by === `-${sort}` ? 'descending' : 'none'
}
