import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/** Selected rows of a list, also those of other pages. */
export interface Selection<Row> {
  rows: Row[]
  isSelected: (id: string) => boolean
  /** With `through`, all rows from the one toggled last get the same state, as with the Shift key in other lists. */
  toggle: (row: Row, through?: boolean) => void
  /** Selects the rows, or clears them when all are selected. */
  toggleAll: (rows: Row[]) => void
  select: (rows: Row[]) => void
  clear: () => void
}

interface State<Row> {
  list: string
  rows: Row[]
}

/** By entry of the browser’s history: who goes back finds what was selected there. */
const kept = new Map<string, State<unknown>>()
const maxKept = 20

function keep(key: string, state: State<unknown>) {
  kept.delete(key)
  kept.set(key, state)
  for (const oldest of [...kept.keys()].slice(0, -maxKept)) kept.delete(oldest)
}

/** Another search or filter clears it; another page, order or number of rows doesn't, nor does going to another page and back. */
export function useSelection<Row extends { _id: string }>(current: Row[]): Selection<Row> {
  const { pathname, search, key } = useLocation()
  const params = new URLSearchParams(search)
  for (const name of ['page', 'sort', 'limit']) params.delete(name)
  const list = `${pathname}?${params}`
  const [state, setState] = useState(() => (kept.get(key) as State<Row> | undefined) ?? { list, rows: [] })
  useEffect(() => keep(key, state), [key, state])
  const last = useRef<string>(undefined)
  // Rows that are shown may have changed since they were selected.
  const shown = new Map(current.map((row) => [row._id, row]))
  const rows = state.list === list ? state.rows.map((row) => shown.get(row._id) ?? row) : []
  const ids = new Set(rows.map(({ _id }) => _id))
  const set = (rows: Row[]) => setState({ list, rows })
  const without = (removed: Row[]) => rows.filter(({ _id }) => !removed.some((row) => row._id === _id))

  return {
    rows,
    isSelected: (id) => ids.has(id),
    toggle(row, through = false) {
      const [from, to] = [last.current, row._id].map((id) => current.findIndex(({ _id }) => _id === id))
      const range =
        through && from! >= 0 && to! >= 0
          ? current.slice(Math.min(from!, to!), Math.max(from!, to!) + 1)
          : [row]
      last.current = row._id
      set(ids.has(row._id) ? without(range) : [...without(range), ...range])
    },
    toggleAll: (all) => set(all.every(({ _id }) => ids.has(_id)) ? without(all) : [...without(all), ...all]),
    select: set,
    clear: () => set([]),
  }
}
