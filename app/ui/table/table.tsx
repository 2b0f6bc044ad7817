import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { armingMs } from '#app/ui/armed-button.tsx'
import { NamedRow } from './row-name.tsx'

export interface Column {
  head: string
  /** Numbers are aligned to the right. */
  kind?: 'text' | 'number' | 'date'
  sort?: string
  /** Whether its controls end where the table does. */
  isEnd?: boolean
  className?: string
  /** What it is sorted by, when that is not its head. */
  sortName?: string
}

interface Choice {
  key: string
  /** For the checkbox that selects it. */
  label: string
}

export interface RowGroup {
  key: string
  /** Of the controls in its head and foot. */
  name: string
  /** Above its rows, unless the first of them is the head. */
  head?: ReactNode
  /** Below its rows. */
  foot?: ReactNode
}

export interface ShownRow {
  key: string
  /** Tells it apart from the other rows, for its controls. */
  name: string
  choice?: Choice
  cells: ReactNode[]
  /** Of an order of several items: itself, and each of them. */
  part?: 'head' | 'line' | undefined
  /** Rows of a group that follow each other stand together. */
  group?: RowGroup | undefined
}

interface Props {
  columns: readonly Column[]
  rows: ShownRow[]
  /** `by` starts with `-` when descending; `to` returns the URL of another order. */
  sorted?: { by: string; to: (sort: string) => string }
  /** Whether rows are orders, and the lines of those that are groups: on a phone they have a form of their own. */
  byOrder?: boolean
  /** By key; a checkbox for each choice, and one for all. */
  selectable?: {
    isSelected: (key: string) => boolean
    toggle: (key: string, through?: boolean) => void
    toggleAll: () => void
  }
}

/** On phones each row becomes a block whose cells show `data-label`. */
export function Table({ columns, rows, sorted, byOrder = false, selectable }: Props) {
  const settled = useSettled(rows.map(({ key }) => key).join(' '))
  return (
    <>
      {selectable && (
        <div className="mb-2 md:hidden">
          <SelectAll rows={rows} {...selectable} text="Select all on this page" />
        </div>
      )}
      <table className={`stacked table ${byOrder ? 'by-order' : ''}`}>
        <thead>
          <tr>
            {selectable && (
              <th scope="col" className="w-8 px-2 max-md:hidden">
                <SelectAll rows={rows} {...selectable} />
              </th>
            )}
            {columns.map(({ head, kind, sort, isEnd, className = '' }) => (
              <th
                key={head}
                scope="col"
                className={`${kind === 'number' || isEnd ? 'text-right' : ''} ${className}`}
                aria-sort={sort && sorted ? direction(sort, sorted.by) : undefined}
              >
                {sort && sorted ? <Head head={head} sort={sort} sorted={sorted} /> : head}
              </th>
            ))}
          </tr>
        </thead>
        {splitByGroup(rows).map((body, i) => (
          <tbody
            // Not the key of a row, which may go while the others stay.
            key={body[0]!.group?.key ?? i}
            className={`${settled ? '' : 'pointer-events-none'} ${body[0]!.group ? 'grouped' : ''}`}
          >
            {body[0]!.group?.head && (
              <tr className="bg-base-200" tabIndex={-1}>
                <th
                  scope="rowgroup"
                  colSpan={columns.length + (selectable ? 1 : 0)}
                  className="text-left whitespace-normal"
                >
                  <NamedRow name={body[0]!.group.name}>{body[0]!.group.head}</NamedRow>
                </th>
              </tr>
            )}
            {body.map(({ key, name, choice, cells, part }) => (
              // The keys that go from row to row go from order to order.
              <tr key={key} className={part} tabIndex={part === 'line' ? undefined : -1}>
                {selectable && (
                  <td data-label={choice && 'Select'} className="md:px-2 max-md:empty:hidden">
                    {choice && <SelectBox choice={choice} {...selectable} />}
                  </td>
                )}
                {columns.map(({ head, kind, isEnd }, i) => {
                  const Cell = part === 'head' && i === 0 ? 'th' : 'td'
                  return (
                    <Cell
                      key={head}
                      scope={Cell === 'th' ? 'rowgroup' : undefined}
                      data-label={head}
                      className={isEnd ? 'end' : kind === 'number' ? 'text-right' : ''}
                    >
                      <NamedRow name={name}>{cells[i]}</NamedRow>
                    </Cell>
                  )
                })}
              </tr>
            ))}
            {body[0]!.group?.foot && (
              <tr className="more">
                {selectable && <td className="max-md:hidden" />}
                <td className="max-md:hidden" />
                <td colSpan={columns.length - 1}>
                  <NamedRow name={body[0]!.group.name}>{body[0]!.group.foot}</NamedRow>
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
    </>
  )
}

type Selectable = NonNullable<Props['selectable']>

function SelectBox({ choice: { key, label }, isSelected, toggle }: { choice: Choice } & Selectable) {
  return (
    <input
      type="checkbox"
      className="checkbox checkbox-sm"
      aria-label={`Select ${label}`}
      checked={isSelected(key)}
      onChange={({ nativeEvent }) => toggle(key, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
    />
  )
}

function SelectAll({ rows, isSelected, toggleAll, text }: { rows: ShownRow[]; text?: string } & Selectable) {
  const keys = new Set(rows.flatMap(({ choice }) => choice?.key ?? []))
  const count = [...keys].filter(isSelected).length
  return (
    <label className="flex w-fit items-center gap-3 py-2 md:py-0">
      <input
        type="checkbox"
        className="checkbox checkbox-sm"
        aria-label="Select all on this page"
        checked={count > 0 && count === keys.size}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < keys.size
        }}
        onChange={toggleAll}
      />
      {text}
    </label>
  )
}

/** Rows without a group stay together, too. */
function splitByGroup(rows: ShownRow[]): ShownRow[][] {
  const bodies: ShownRow[][] = []
  for (const row of rows) {
    const body = bodies.at(-1)
    if (body && body[0]!.group?.key === row.group?.key) body.push(row)
    else bodies.push([row])
  }
  return bodies
}

/** False for half a second after an action, rather than a navigation, has moved rows: a second click was meant for the first row. */
function useSettled(rows: string) {
  const { key } = useLocation()
  const shown = useRef({ rows, key })
  const [settled, setSettled] = useState(true)
  useLayoutEffect(() => {
    const moved = shown.current.key === key && shown.current.rows !== rows
    shown.current = { rows, key }
    setSettled(!moved)
    if (!moved) return
    const timer = setTimeout(() => setSettled(true), armingMs)
    return () => clearTimeout(timer)
  }, [rows, key])
  return settled
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
