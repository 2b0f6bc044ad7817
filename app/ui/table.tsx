import type { ReactNode } from 'react'

interface Row {
  key: string
  cells: ReactNode[]
}

/** A table that becomes a list of blocks on a phone, where each cell names its column. */
export function Table({ heads, rows }: { heads: readonly string[]; rows: Row[] }) {
  return (
    <table className="stacked table">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {heads.map((head, i) => (
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
