import { formatDollars } from '#shop/money.ts'
import { formatAmount, listCharges } from './charge-facts.ts'
import { ChargeList } from './charge-list.tsx'
import type { ShownEstimate } from './use-estimate.ts'

interface Props {
  shown: ShownEstimate
  /** Absent where it stands elsewhere. */
  totalLabel?: string
}

/** What an order will cost; nothing where goods are all that is charged. */
export function EstimateSummary({ shown, totalLabel }: Props) {
  const { isOn, estimate, goods, isLoading } = shown
  if (!isOn) return null
  const { charges = null, problem = null, missingForFreeDelivery: missing = null } = estimate ?? {}
  return (
    <section
      aria-label="Order summary"
      aria-busy={isLoading}
      className={`mb-4 border-t border-base-300 pt-3 transition-opacity ${isLoading ? 'opacity-60' : ''}`}
    >
      {charges ? (
        <ChargeList charges={charges} goods={goods} {...(totalLabel && { totalLabel })} />
      ) : (
        <p className="flex justify-between gap-4 text-sm">
          <span>Goods</span> <span>{formatDollars(goods)}</span>
        </p>
      )}
      {missing !== null && (
        <p className="mt-2 text-sm font-medium">{`${formatAmount(missing)} more${charges?.mode === 'inclusive' ? ' before tax' : ''} for free delivery`}</p>
      )}
      {findNotes(estimate, goods).map((note) => (
        <p key={note} className="mt-2 text-sm text-base-content/75">
          {note}
        </p>
      ))}
      {!estimate && !isLoading && (
        <p className="mt-2 text-sm text-base-content/75">
          We couldn’t work out delivery and tax. We show them before we place your order.
        </p>
      )}
      <p role="alert" className="mt-2 text-sm font-medium text-error empty:hidden">
        {problem}
      </p>
    </section>
  )
}

function findNotes(estimate: ShownEstimate['estimate'], goods: number): string[] {
  if (!estimate) return []
  const note = estimate.charges && listCharges(estimate.charges, goods).note
  return [...(note ? [note] : []), ...estimate.notes]
}
