import { Link } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { priceBands } from '#shop/parts/price-bands.ts'
import { quantityLimits } from '#shop/parts/quantity-limits.ts'
import { type Filters, filtersUrl } from './filters.ts'

/** More are one filter. */
const fewFits = 3

interface Props {
  filters: Filters
  /** How people read the specifications among them. */
  specs: string[]
  /** Of the results that are loading, otherwise `filters`. */
  next: Filters
}

export function ActiveFilters({ filters, specs, next }: Props) {
  const values = (['brand', 'category', 'spec'] as const).flatMap((facet) =>
    filters[facet].map((value, i) => ({
      label: facet === 'spec' ? specs[i]! : value,
      to: filtersUrl({ ...next, [facet]: next[facet].filter((other) => other !== value), page: 1 }),
    })),
  )
  const price = priceBands
    .filter(({ key }) => key === filters.price)
    .map(({ label }) => ({ label, to: filtersUrl({ ...next, price: '', page: 1 }) }))
  const quantity = quantityLimits
    .filter(({ key }) => key === filters.minQuantity)
    .map(({ label }) => ({
      label: `Minimum quantity: ${label.toLowerCase()}`,
      to: filtersUrl({ ...next, minQuantity: '', page: 1 }),
    }))
  const stock = { label: 'In stock', to: filtersUrl({ ...next, available: false, page: 1 }) }
  const { fits } = filters
  const kept = (text: string) => fits.filter((other) => fits.length <= fewFits && other !== text)
  const fit = (fits.length > fewFits ? [`your ${fits.length} parts`] : fits).map((text) => ({
    label: `Fits ${text}`,
    to: filtersUrl({ ...next, fits: kept(text), page: 1 }),
  }))
  const chosen = [...fit, ...values, ...price, ...quantity, ...(filters.available ? [stock] : [])]
  if (chosen.length === 0) return null

  // The clicked link disappears, so the focus moves to the result count.
  const focusResults = () => document.getElementById('found')?.focus()
  return (
    <ul aria-label="Active filters" className="mb-3 flex flex-wrap items-center gap-2 text-sm">
      {chosen.map(({ label, to }) => (
        <li key={label}>
          <Link
            to={to}
            preventScrollReset
            onClick={focusResults}
            className="flex items-center gap-1.5 bg-base-200 py-1 pr-1.5 pl-2.5 hover:bg-base-300"
          >
            {label}
            <Icon name="close" className="size-3.5" />
            <span className="sr-only">, remove</span>
          </Link>
        </li>
      ))}
      <li>
        <Link
          to={filtersUrl({ q: next.q, view: next.view })}
          preventScrollReset
          onClick={focusResults}
          className="link px-1"
        >
          Clear all filters
        </Link>
      </li>
    </ul>
  )
}
