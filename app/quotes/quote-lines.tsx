import { PartName } from '#app/catalogue/part-name.tsx'
import { usePricing } from '#app/company.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { QuoteLine } from '#shop/quotes/quote.ts'

export function QuoteLines({ lines, total }: { lines: QuoteLine[]; total: number }) {
  const pricing = usePricing()
  return (
    <section aria-labelledby="quoted">
      <h2 id="quoted" className="text-base">
        Items
      </h2>
      <ul className="mt-2 border-t border-base-300 text-sm">
        {lines.map(({ partId, parts, quantity, unitPrice }) => (
          <li
            key={partId}
            className="grid grid-cols-[1fr_auto] gap-x-6 border-b border-base-300 py-2 sm:grid-cols-[1fr_6rem_6rem]"
          >
            <p className="wrap-anywhere">
              {`${formatCount(quantity)} × `}
              <PartName name={parts} />
            </p>
            <p className="text-base-content/75 max-sm:order-3 sm:text-right">{`${formatDollars(unitPrice)} each`}</p>
            <p className="text-right font-medium">{formatDollars(quantity * unitPrice)}</p>
          </li>
        ))}
      </ul>
      <p className="flex justify-between gap-6 py-3 text-lg font-semibold">
        <span>{pricing ? 'Goods' : 'Total'}</span> <span>{formatDollars(total)}</span>
      </p>
      {pricing?.note && <p className="text-sm text-base-content/75">{`Prices ${pricing.note}.`}</p>}
    </section>
  )
}
