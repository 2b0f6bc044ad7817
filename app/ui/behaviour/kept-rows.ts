import { useState } from 'react'
import { useLocation } from 'react-router'

/**
 * A row that an action takes out of the list stays where it was until the list is opened again, so that no other row slides under the
 * mouse. Pass the changed row to `keep`.
 */
export function useKeptRows<Row extends { _id: string }>(rows: Row[]) {
  const { key } = useLocation()
  const [kept, setKept] = useState<{ key: string; places: { row: Row; index: number }[] }>()
  const places = kept?.key === key ? kept.places : []
  const shown = [...rows]
  for (const { row, index } of places.toSorted((a, b) => a.index - b.index)) {
    if (!rows.some(({ _id }) => _id === row._id)) shown.splice(index, 0, row)
  }

  function keep(row: Row) {
    const index = shown.findIndex(({ _id }) => _id === row._id)
    setKept((before) => {
      const others = before?.key === key ? before.places.filter((place) => place.row._id !== row._id) : []
      return { key, places: [...others, { row, index }] }
    })
  }

  return { rows: shown, keep, isKept: (id: string) => places.some(({ row }) => row._id === id) }
}
