import type { ReactNode } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { formatCount } from '#shop/money.ts'
import type { Facets as Counts } from '#shop/parts/facets.ts'
import { priceBands } from '#shop/parts/price-bands.ts'
import { quantityLimits } from '#shop/parts/quantity-limits.ts'
import type { Filters } from './filters.ts'

const initiallyShown = 10

interface Props {
  facets: Pick<Counts, 'price' | 'minQuantity' | 'available'> & { lists: FacetList[] }
  filters: Filters
  total: number
}

/** A sheet on phones, beside the list on wider screens. */
export function FacetFilters({ facets, filters, total }: Props) {
  return (
    <div>
      <button type="button" popoverTarget="filters" className="btn w-full lg:hidden">
        Filters
      </button>
      <div id="filters" popover="auto" className="sheet">
        <div className="mb-4 flex items-center justify-between lg:hidden">
          <h2>Filter parts</h2>
          <button
            type="button"
            popoverTarget="filters"
            popoverTargetAction="hide"
            className="btn btn-square btn-ghost btn-sm"
            aria-label="Close filters"
          >
            <Icon name="close" />
          </button>
        </div>
        <div className="grid gap-x-8 gap-y-7 sm:grid-cols-2 lg:grid-cols-1">
          {facets.lists.map((list) => (
            <Values key={list.title} {...list} chosen={filters[list.name]} />
          ))}
          <Ranges
            title="Price per unit"
            name="price"
            any="Any price"
            ranges={priceBands}
            counts={facets.price}
            chosen={filters.price}
          />
          <Ranges
            title="Minimum quantity"
            name="minQuantity"
            any="Any quantity"
            ranges={quantityLimits}
            counts={facets.minQuantity}
            chosen={filters.minQuantity}
          />
          <Facet title="Stock">
            <Choice
              type="checkbox"
              name="available"
              value="true"
              label="In stock"
              count={facets.available}
              checked={filters.available}
            />
          </Facet>
          <Facet title="Fits what I have">
            {filters.fits.map((text) => (
              <input key={text} type="hidden" name="fits" value={text} />
            ))}
            <input
              key={filters.fits.join()}
              name="fits"
              aria-label="Part number that it must fit"
              placeholder="WW-HR148"
              // Searched for by Enter: half a number is none.
              onChange={(event) => event.stopPropagation()}
              className="input input-sm w-full"
            />
          </Facet>
          <noscript>
            <button type="submit" className="btn btn-primary">
              Apply filters
            </button>
          </noscript>
        </div>
        <div className="scripted sticky -bottom-5 -mx-5 mt-6 -mb-5 border-t border-base-300 bg-base-100 p-5 lg:hidden">
          <button
            type="button"
            popoverTarget="filters"
            popoverTargetAction="hide"
            className="btn btn-primary w-full"
          >
            {`Show ${formatCount(total)} ${total === 1 ? 'part' : 'parts'}`}
          </button>
        </div>
      </div>
    </div>
  )
}

interface RangesProps {
  title: string
  name: 'price' | 'minQuantity'
  /** The label of the choice that removes the filter. */
  any: string
  ranges: readonly { key: string; label: string }[]
  counts: Counts['price'] | Counts['minQuantity']
  chosen: string
}

function Ranges({ title, name, any, ranges, counts, chosen }: RangesProps) {
  return (
    <Facet title={title}>
      <Choice type="radio" name={name} value="" label={any} checked={chosen === ''} />
      {ranges.map(({ key, label }) => (
        <Choice
          key={key}
          type="radio"
          name={name}
          value={key}
          label={label}
          count={counts.find(({ value }) => value === key)?.count ?? 0}
          checked={chosen === key}
        />
      ))}
    </Facet>
  )
}

function Facet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="border-t-2 border-base-content pt-3">
      <legend className="float-left mb-2 w-full font-[640] font-stretch-[114%]">{title}</legend>
      <div className="clear-both">{children}</div>
    </fieldset>
  )
}

export interface FacetList {
  title: string
  name: 'brand' | 'category' | 'spec'
  /** With what is chosen. */
  counts: Value[]
}

interface Value {
  value: string
  label?: string
  count: number
}

function Values({ title, name, counts, chosen }: FacetList & { chosen: string[] }) {
  const choice = ({ value, label = value, count }: Value) => (
    <Choice
      key={value}
      type="checkbox"
      name={name}
      value={value}
      label={label}
      count={count}
      checked={chosen.includes(value)}
    />
  )
  const rest = counts.slice(initiallyShown)
  if (counts.length === 0) return null
  return (
    <Facet title={title}>
      {counts.slice(0, initiallyShown).map(choice)}
      {rest.length > 0 && (
        <details open={rest.some(({ value }) => chosen.includes(value))}>
          <summary className="link py-1 text-sm">{`Show ${rest.length} more`}</summary>
          {rest.map(choice)}
        </details>
      )}
    </Facet>
  )
}

interface ChoiceProps {
  type: 'checkbox' | 'radio'
  name: string
  value: string
  label: string
  count?: number
  checked: boolean
}

function Choice({ type, name, value, label, count, checked }: ChoiceProps) {
  return (
    <label className="flex cursor-pointer items-center gap-2.5 py-1 text-[0.9375rem]">
      <input
        type={type}
        name={name}
        value={value}
        defaultChecked={checked}
        className={type === 'radio' ? 'radio radio-xs' : 'checkbox checkbox-xs'}
      />
      <span className="grow">{label}</span>
      {count !== undefined && <span className="text-sm text-base-content/70">{count}</span>}
    </label>
  )
}
