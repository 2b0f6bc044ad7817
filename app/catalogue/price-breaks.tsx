import { formatCount, formatDollars } from '#shop/money.ts'
import type { Part } from '#shop/parts/part.ts'
import { priceRows } from '#shop/parts/quantity.ts'

interface Props {
  part: Part
  /** Its row is highlighted. */
  quantity?: number | undefined
}

export function PriceBreaks({ part, quantity }: Props) {
  if (part.priceBreaks.length === 0) return null
  const rows = priceRows(part)
  const current = rows.findLast(({ from }) => quantity !== undefined && from <= quantity)
  return (
    <table className="mb-6 w-full text-sm">
      <caption className="mb-1 text-left font-medium">Price breaks</caption>
      <thead className="border-b border-base-300 text-base-content/75">
        <tr>
          <th scope="col" className="px-3 py-1.5 text-left font-normal">
            Quantity
          </th>
          <th scope="col" className="px-3 py-1.5 text-right font-normal">
            Price per unit
          </th>
          <th scope="col" className="px-3 py-1.5 text-right font-normal">
            You save
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.from}
            aria-current={row === current || undefined}
            className="border-b border-base-300 tabular-nums aria-current:bg-base-200 aria-current:font-semibold aria-current:shadow-[inset_3px_0_0_var(--color-primary)]"
          >
            <td className="px-3 py-1.5">{formatQuantities(row)}</td>
            <td className="px-3 py-1.5 text-right">{formatDollars(row.unitPrice)}</td>
            <td className="px-3 py-1.5 text-right">{formatSaving(part, row.unitPrice)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function formatQuantities({ from, to }: ReturnType<typeof priceRows>[number]) {
  if (to === undefined) return `${formatCount(from)} or more`
  return to > from ? `${formatCount(from)}–${formatCount(to)}` : formatCount(from)
}

function formatSaving({ perUnitPrice }: Part, unitPrice: number) {
  const percent = Math.floor((100 * (perUnitPrice - unitPrice)) / perUnitPrice)
  return percent > 0 ? `${percent}%` : '–'
}
