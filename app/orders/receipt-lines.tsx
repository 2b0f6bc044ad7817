import { formatCount, formatDollars, toCents, toDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

export function ReceiptLines({ lines }: { lines: Purchase[] }) {
  const price = lines.reduce((sum, line) => sum + line.price, 0)
  const refunded = toDollars(lines.reduce((cents, line) => cents + toCents(line.refunded), 0))
  return (
    <table className="mt-8 w-full text-sm [&_td]:py-2 [&_td]:align-top [&_th]:py-2 [&_tr]:border-b [&_tr]:border-base-300">
      <thead>
        <tr>
          <th scope="col" className="text-left">
            Product
          </th>
          <th scope="col" className="pl-3 text-right">
            Quantity
          </th>
          <th scope="col" className="pl-3 text-right">
            Price per unit
          </th>
          <th scope="col" className="pl-3 text-right">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ _id, parts, quantity, price }) => (
          <tr key={_id}>
            <td className="wrap-anywhere">{parts}</td>
            <td className="pl-3 text-right">{formatCount(quantity)}</td>
            <td className="pl-3 text-right">{formatDollars(price / quantity)}</td>
            <td className="pl-3 text-right">{formatDollars(price)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <Sum label="Total paid" amount={formatDollars(price)} />
        {lines.map(
          ({ _id, parts, refunded }) =>
            refunded > 0 && (
              <Sum
                key={_id}
                label={lines.length === 1 ? 'Refunded' : `Refunded: ${parts}`}
                amount={`− ${formatDollars(refunded)}`}
              />
            ),
        )}
        {refunded > 0 && <Sum label="Total after refund" amount={formatDollars(price - refunded)} />}
      </tfoot>
    </table>
  )
}

function Sum({ label, amount }: { label: string; amount: string }) {
  return (
    <tr>
      <th scope="row" colSpan={3} className="text-left font-semibold">
        {label}
      </th>
      <td className="pl-3 text-right font-semibold whitespace-nowrap">{amount}</td>
    </tr>
  )
}
