import type { OrderCharges } from '#shop/charges/order-charges.ts'
import { formatAmount, listCharges } from './charge-facts.ts'

interface Props {
  charges: OrderCharges
  /** Dollars: the sum of the prices that are shown. */
  goods: number
  /** Absent where it stands elsewhere. */
  totalLabel?: string
}

/** What an order costs, row by row. */
export function ChargeList({ charges, goods, totalLabel }: Props) {
  const { summands, contained } = listCharges(charges, goods)
  return (
    <dl className="grid gap-y-1 text-sm">
      {summands.map(([term, value]) => (
        <Row key={term} term={term} value={value} />
      ))}
      {totalLabel && (
        <div className="total mt-1 flex justify-between gap-4 border-t border-base-300 pt-2 text-lg font-semibold">
          <dt>{totalLabel}</dt>
          <dd aria-live="polite">{formatAmount(charges.total)}</dd>
        </div>
      )}
      {contained.map(([term, value]) => (
        <Row key={term} term={term} value={value} />
      ))}
    </dl>
  )
}

function Row({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-base-content/75">{term}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  )
}
