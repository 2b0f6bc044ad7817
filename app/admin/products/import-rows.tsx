import { useState } from 'react'
import { type Column, Table } from '#app/ui/table/table.tsx'
import { formatCount } from '#shop/money.ts'
import type { ImportRow } from '#shop/parts/import/import.ts'

const perStep = 50

const columns: Column[] = [{ head: 'Row', kind: 'number' }, { head: 'Part' }, { head: 'What happens' }]

export function ImportRows({ rows }: { rows: ImportRow[] }) {
  const [shown, setShown] = useState(perStep)
  return (
    <>
      <Table
        columns={columns}
        rows={rows.slice(0, shown).map((row) => ({
          key: String(row.row),
          name: `row ${formatCount(row.row)}`,
          cells: cells(row),
        }))}
      />
      {shown < rows.length && (
        <button type="button" className="btn mt-4 btn-sm" onClick={() => setShown(shown + perStep)}>
          {`Show ${formatCount(Math.min(perStep, rows.length - shown))} more rows`}
        </button>
      )}
    </>
  )
}

function cells({ row, partNumber, name, kind, errors, changes }: ImportRow) {
  return [
    formatCount(row),
    <div key="part" className="wrap-anywhere">
      <p>{name}</p>
      <p className="text-sm text-base-content/70">{partNumber}</p>
    </div>,
    <ul key="what" className="space-y-1 text-sm wrap-anywhere">
      {errors.map(({ column, message }) => (
        <li key={`${column} ${message}`} className="font-medium text-error">
          {column ? `${column}: ${message}` : message}
        </li>
      ))}
      {kind === 'add' && <li>New part</li>}
      {changes.map(({ column, before, after }) => (
        <li key={column}>
          <span className="font-medium">{column}: </span>
          <Value text={before} /> → <Value text={after} />
        </li>
      ))}
    </ul>,
  ]
}

function Value({ text }: { text: string }) {
  return text === '' ? <span className="text-base-content/70">empty</span> : text
}
