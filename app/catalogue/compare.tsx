import { type ReactNode, useEffect } from 'react'
import { Link, redirect, useNavigate } from 'react-router'
import { AddToBasket } from '#app/basket/add-to-basket.tsx'
import { sessionItems } from '#app/browser/storage.ts'
import { shopContext } from '#app/context.ts'
import { noindex } from '#app/meta.ts'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { formatCount } from '#shop/money.ts'
import { type PartSummary, type Product, partSummary } from '#shop/parts/part.ts'
import { readPartsById } from '#shop/parts/parts.server.ts'
import { formatUnitPrice, lowestQuantity } from '#shop/parts/quantity.ts'
import { isSoldOut, stockLabel } from '#shop/parts/stock.ts'
import { formatWeight } from '#shop/parts/weight.ts'
import { compareTexts, compareUrl, maxCompared, readCompared } from '#shop/specifications/compare.ts'
import { listSpecifications } from '#shop/specifications/specifications.server.ts'
import type { Route } from './+types/compare'
import { PurchaseLink } from './part-card.tsx'
import { Picture } from './picture.tsx'

export const meta = () => noindex('Compare parts')

export async function loader({ context, request }: Route.LoaderArgs) {
  const { reader: shop } = context.get(shopContext)
  const { ids, add } = readCompared(new URL(request.url).searchParams)
  if (add && ids.length < maxCompared && ids.length > 0) throw redirect(compareUrl([...ids, add]))
  const shownIds = ids.length === 0 && add ? [add] : ids
  const [read, specifications] = await Promise.all([
    readPartsById(shop, add ? [...shownIds, add] : shownIds),
    listSpecifications(shop, shownIds),
  ])
  const sold = new Map(
    read.flatMap((part) => ('deletedAt' in part && part.deletedAt ? [] : [[part._id, part]])),
  )
  const parts = shownIds.flatMap((id) => sold.get(id) ?? [])
  const texts = parts.map((part) => [
    ...listTexts(part),
    ...(specifications.get(part._id) ?? []).map(({ name, value }): [string, string] => [name, value]),
  ])
  return {
    add,
    waiting: ids.length > 0 && add ? (sold.get(add)?.name ?? null) : null,
    parts: parts.map((part) => partSummary.parse(part)),
    rows: compareTexts(texts),
    category: parts.at(-1)?.category ?? '',
  }
}

function listTexts(part: Product): [string, string][] {
  const texts: [string, string | null][] = [
    ['Price per unit', formatUnitPrice(part)],
    ['Min. Quantity', formatCount(lowestQuantity(part))],
    ['Available Quantity', formatCount(part.availableQuantity)],
    ['Stock', stockLabel(part)],
    ['Part number', part.partNumber],
    ['Brand', part.brand],
    ['Category', part.category],
    ['Weight', part.weight === null ? null : formatWeight(part.weight)],
    ['Country of origin', part.origin && nameCountry(part.origin)],
  ]
  return texts.filter((text): text is [string, string] => Boolean(text[1]))
}

/** What is compared in this tab, for parts that are added from other pages. */
const storedList = 'compared'

function useStoredList(ids: string[], add: string | null) {
  const navigate = useNavigate()
  const shown = ids.join(',')
  useEffect(() => {
    const isFirst = add !== null && (shown === add || shown === '')
    const stored = isFirst ? (sessionItems.read(storedList) ?? '') : ''
    const others = readCompared(new URLSearchParams({ parts: stored })).ids.filter((id) => id !== add)
    if (others.length >= maxCompared) return void navigate(compareUrl(others, add), { replace: true })
    const all = isFirst && shown !== '' ? [...others, add].join(',') : shown
    // Before the page opens: it may be left at once.
    sessionItems.keep(storedList, all)
    if (others.length > 0) navigate(compareUrl(all.split(',')), { replace: true })
  }, [shown, add, navigate])
}

export default function Compare({ loaderData }: Route.ComponentProps) {
  const { parts, rows, add, waiting, category } = loaderData
  const ids = parts.map(({ _id }) => _id)
  useStoredList(ids, add)
  const another = category ? `/parts?${new URLSearchParams({ category })}` : '/parts'
  return (
    <>
      <h1 className="mt-10 mb-6">Compare parts</h1>
      {waiting && (
        <p className="mb-5 border-l-4 border-warning pl-3" role="status">
          {`${maxCompared} parts can be compared at a time. Remove one to add ${waiting}.`}
        </p>
      )}
      {parts.length === 0 ? (
        <p>
          {'No parts to compare yet. Select Compare at a part. '}
          <Link to="/parts" className="link">
            Browse parts
          </Link>
        </p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: people who use no mouse scroll it */}
          <section aria-label="Comparison" className="overflow-x-auto" tabIndex={0}>
            <table
              className="w-full table-fixed border-separate border-spacing-0 text-sm"
              style={{ minWidth: `${7 + 11 * parts.length}rem` }}
            >
              <thead>
                <tr>
                  <td className={first} />
                  {parts.map((part) => (
                    <th key={part._id} scope="col" className="p-3 text-left align-top font-normal">
                      <PartHead part={part} rest={ids.filter((id) => id !== part._id)} add={waiting && add} />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(({ name, values, differs }) => (
                  <tr key={name}>
                    <th scope="row" className={`${first} border-t text-left align-top font-normal`}>
                      {name}
                      {differs && <span className="block text-xs font-semibold">≠ differs</span>}
                    </th>
                    {values.map((value, i) => (
                      <Cell key={ids[i]} differs={differs}>
                        {value}
                      </Cell>
                    ))}
                  </tr>
                ))}
                <tr>
                  <td className={first} />
                  {parts.map((part) => (
                    <td key={part._id} className="border-t border-base-300 p-3 align-top">
                      <div className="grid gap-2">
                        <PurchaseLink part={part} />
                        {!isSoldOut(part) && <AddToBasket part={part} />}
                      </div>
                    </td>
                  ))}
                </tr>
              </tbody>
            </table>
          </section>
          {parts.length < maxCompared && (
            <Link to={another} className="mt-6 btn">
              Add another part
            </Link>
          )}
        </>
      )}
    </>
  )
}

export { ErrorMessage as ErrorBoundary }

/** Stays when the others are scrolled. */
const first = 'sticky left-0 z-1 w-28 border-base-300 bg-base-100 py-3 pr-3 text-base-content/75'

function Cell({ differs, children }: { differs: boolean; children: ReactNode }) {
  return (
    <td className={`border-t border-base-300 p-3 align-top ${differs ? 'bg-base-200 font-semibold' : ''}`}>
      {children ?? <span className="text-base-content/70">Not stated</span>}
    </td>
  )
}

function PartHead({ part, rest, add }: { part: PartSummary; rest: string[]; add: string | null }) {
  return (
    <>
      <div className="plate mb-3">
        <Picture src={part.image} alt="" sizes="14rem" className="aspect-4/3 w-full object-cover" />
      </div>
      <Link to={`/parts/${part._id}`} className="block text-base leading-snug font-semibold hover:underline">
        {part.name}
      </Link>
      <Link
        to={compareUrl(rest, add)}
        replace
        className="mt-1 inline-block link py-1"
        aria-label={`Remove ${part.name}`}
      >
        Remove
      </Link>
    </>
  )
}
