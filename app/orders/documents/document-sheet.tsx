import type { ReactNode } from 'react'
import { useCompany } from '#app/company.ts'
import { Logo } from '#app/layout/logo.tsx'
import { Facts } from '#app/ui/facts.tsx'
import type { DocumentColumn, DocumentLayout } from '#shop/documents/layout.ts'

/** As the PDF shows it. */
export function DocumentSheet({ layout, picture }: { layout: DocumentLayout; picture?: ReactNode }) {
  const {
    title,
    number,
    notice,
    seller,
    deliverTo,
    deliverToLabel,
    facts,
    subtotals = [],
    totals,
    notes,
  } = layout
  const company = useCompany()
  const [sellerName, ...sellerLines] = seller
  return (
    <article className="document max-w-3xl rounded-box border border-base-300 p-5 text-left sm:p-8 [&_:is(p,td,dd)]:[unicode-bidi:plaintext]">
      <header className="grid gap-x-10 gap-y-6 sm:grid-cols-[1fr_auto]">
        <div>
          <h1>{title}</h1>
          <p className="mt-1 text-base-content/75">{number}</p>
        </div>
        <address className="text-sm not-italic sm:text-right">
          <p className="flex items-center gap-2 text-base font-semibold sm:justify-end">
            {sellerName === company.name && <Logo className="h-5" />}
            {sellerName}
          </p>
          {sellerLines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </address>
      </header>

      {notice && <p className="mt-6 border border-base-content px-4 py-2 font-semibold">{notice}</p>}

      <div className="mt-8 grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <section>
          <h2 className="text-base">{deliverToLabel}</h2>
          <address className="mt-2 border-t border-base-300 pt-2 text-sm not-italic">
            {deliverTo.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines may be equal, and never move
              <p key={i}>{line}</p>
            ))}
          </address>
          {picture}
        </section>
        <Facts title="Details" facts={facts} />
      </div>

      {layout.rows.length > 0 && <Lines layout={layout} />}

      {subtotals.length > 0 && (
        <dl className="mt-3 grid gap-1 text-sm">
          {subtotals.map(([label, value]) => (
            <div key={label} className="flex flex-wrap justify-between gap-x-6">
              <dt>{label}</dt>
              <dd className="ml-auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {totals.length > 0 && (
        <dl className="mt-3 grid gap-1 text-lg font-semibold">
          {totals.map(([label, value]) => (
            <div key={label} className="flex flex-wrap justify-between gap-x-6">
              <dt>{label}</dt>
              <dd className="ml-auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {notes.map((note) => (
        <p key={note} className="mt-4 text-sm">
          {note}
        </p>
      ))}
    </article>
  )
}

function Lines({ layout: { columns, rows, rowDetails } }: { layout: DocumentLayout }) {
  return (
    <table className="mt-8 w-full text-sm [&_tr]:border-b [&_tr]:border-base-300">
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.label} scope="col" className={`font-semibold ${cellClass(column)}`}>
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no id, and never move
          <tr key={i}>
            {columns.map((column, at) => (
              <td key={column.label} className={`align-top wrap-anywhere ${cellClass(column)}`}>
                {column.kind === 'check' && row[at] === '' ? <CheckBox /> : row[at]}
                {column.main && <MinorCells columns={columns} row={row} />}
                {column.main && rowDetails?.[i] && (
                  <p className="text-xs text-base-content/75">{rowDetails[i]}</p>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function MinorCells({ columns, row }: { columns: DocumentColumn[]; row: string[] }) {
  return columns.map(
    ({ label, minor }, at) =>
      minor &&
      row[at] && (
        <p key={label} className="text-base-content/75 sm:hidden">
          {`${label}: ${row[at]}`}
        </p>
      ),
  )
}

function cellClass({ kind, minor }: DocumentColumn) {
  const alignment = kind === 'number' ? 'pl-3 text-right' : 'pr-3 text-left'
  return `py-2 first:pl-0 ${alignment} ${minor ? 'max-sm:hidden' : ''}`
}

/** To tick on paper. */
function CheckBox() {
  return <span aria-hidden="true" className="inline-block size-4 border border-base-content align-middle" />
}
