import { Link } from 'react-router'
import { formatCount, formatDollars, toDollars } from '#shop/money.ts'
import type { Overview, PartSales } from '#shop/overview/overview.ts'

export function BestParts({ overview: { bestByRevenue, bestByQuantity } }: { overview: Overview }) {
  if (bestByRevenue.length === 0) return null
  return (
    <>
      <div className="grid gap-8 xl:grid-cols-2">
        <PartTable title="Best parts by revenue" rows={bestByRevenue} />
        <PartTable title="Best parts by quantity" rows={bestByQuantity} />
      </div>
      <p className="mt-3 text-sm text-base-content/75">
        Items that were paid for in this period; refunds aren’t subtracted.
      </p>
    </>
  )
}

function PartTable({ title, rows }: { title: string; rows: PartSales[] }) {
  return (
    <div className="min-w-0 overflow-x-auto">
      <table className="table table-sm">
        <caption className="mb-3 text-left text-base font-semibold">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col" className="text-right">
              Revenue
            </th>
            <th scope="col" className="text-right">
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ partId, name, partNumber, revenueCents, quantity }) => (
            <tr key={partId}>
              <th scope="row" className="font-normal wrap-anywhere">
                <Link
                  to={`/dashboard/manageAllOrders?${new URLSearchParams({ q: partNumber })}`}
                  className="link"
                >
                  {name}
                </Link>
              </th>
              <td className="text-right">{formatDollars(toDollars(revenueCents))}</td>
              <td className="text-right">{formatCount(quantity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
