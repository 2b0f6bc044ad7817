import { useEffect, useRef, useState } from 'react'
import { data, isRouteErrorResponse, Link } from 'react-router'
import NotFound from '#app/content/not-found.tsx'
import { Reviews } from '#app/content/reviews.tsx'
import { shopContext } from '#app/context.ts'
import { breadcrumbs, indexable, noindex, shopOrigin } from '#app/meta.ts'
import { Failure } from '#app/ui/failure.tsx'
import { Field } from '#app/ui/field.tsx'
import { ShopError } from '#shop/errors.ts'
import { dollars } from '#shop/money.ts'
import { quantityProblem } from '#shop/orders/quantity.ts'
import type { Part } from '#shop/parts/part.ts'
import { readPart, relatedParts } from '#shop/parts/parts.server.ts'
import { pictureSources } from '#shop/parts/picture.ts'
import { soldOut, stockLabel } from '#shop/parts/stock.ts'
import { listReviews } from '#shop/reviews/reviews.server.ts'
import type { Route } from './+types/part-page'
import { filtersUrl } from './filters.ts'
import { Gallery } from './gallery.tsx'
import { PartCard, PurchaseLink } from './part-card.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData, error }) => {
  if (!loaderData) return noindex(isMissing(error) ? 'No such part' : 'Part')
  const { part } = loaderData
  const path = `/parts/${part._id}`
  return indexable(matches, {
    title: part.name,
    description: part.shortDescription,
    path,
    picture: pictureSources(part.image).social,
    about: [product(part, shopOrigin(matches)), breadcrumbs(matches, stepsTo(part))],
  })
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const { shop } = context.get(shopContext)
  try {
    const part = await readPart(shop, params.partId)
    const [related, reviews] = await Promise.all([relatedParts(shop, part), listReviews(shop, { limit: 4 })])
    return { part, related, reviews: reviews.rows }
  } catch (error) {
    if (error instanceof ShopError) throw data({ message: error.message }, 404)
    throw error
  }
}

export default function PartPage({ loaderData: { part, related, reviews } }: Route.ComponentProps) {
  return (
    <>
      <Trail part={part} />
      <article className="mt-5 grid items-start gap-x-14 gap-y-8 *:min-w-0 lg:grid-cols-[1.25fr_1fr]">
        <Gallery key={part._id} pictures={picturesOf(part)} name={part.name} />
        <div>
          <p className="text-primary">{[part.brand, part.category].filter(Boolean).join(' · ')}</p>
          <h1 className="mt-1">{part.name}</h1>
          <p className="mt-4 text-lg">{part.shortDescription}</p>
          <p className="mt-3 max-w-[62ch] text-base-content/80">{part.description}</p>
          <Facts part={part} />
          <Order key={part._id} part={part} />
        </div>
      </article>

      {related.length > 0 && (
        <section className="mt-20">
          <h2 className="mb-6">Goes with it</h2>
          <div className="grid gap-x-6 gap-y-12 sm:grid-cols-2 lg:grid-cols-4">
            {related.map((other) => (
              <PartCard
                key={other._id}
                part={other}
                sizes="(width < 40rem) 92vw, (width < 64rem) 44vw, 18rem"
              />
            ))}
          </div>
        </section>
      )}

      <Reviews reviews={reviews} />
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return isMissing(error) ? <NotFound /> : <Failure error={error} />
}

/** Each picture once, the first one first. */
function picturesOf({ image, views }: Part) {
  return [...new Set([image, ...views])]
}

function isMissing(error: unknown) {
  return isRouteErrorResponse(error) && error.status === 404
}

function stepsTo(part: Part) {
  return [
    { name: 'Home', path: '/' },
    { name: 'Parts', path: '/parts' },
    ...(part.category ? [{ name: part.category, path: filtersUrl({ category: [part.category] }) }] : []),
    { name: part.name, path: `/parts/${part._id}` },
  ]
}

function Trail({ part }: { part: Part }) {
  const steps = stepsTo(part)
  return (
    <nav aria-label="Breadcrumb" className="mt-8 text-sm text-base-content/75">
      <ol className="flex flex-wrap">
        {steps.map(({ name, path }, i) => (
          <li key={path} className="not-first:before:px-2 not-first:before:content-['/']">
            {i < steps.length - 1 ? (
              <Link to={path} className="hover:underline">
                {name}
              </Link>
            ) : (
              <span aria-current="page">{name}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Facts({ part }: { part: Part }) {
  const words = stockLabel(part)
  const facts = [
    { term: 'Brand', value: part.brand },
    { term: 'Category', value: part.category },
    { term: 'Min. Quantity', value: part.minQuantity },
    { term: 'Available Quantity', value: part.availableQuantity },
    { term: 'Price per unit', value: dollars(part.perUnitPrice) },
    {
      term: 'Stock',
      value: (
        <span className="inline-flex items-center gap-2">
          <span
            aria-hidden="true"
            className={`size-2.5 ${words === 'Sold out' ? 'bg-error' : words === 'Few left' ? 'bg-warning' : 'bg-success'}`}
          />
          {words === 'Sold out' ? words : `${words}, ${part.availableQuantity} pieces`}
        </span>
      ),
    },
  ]
  return (
    <dl className="mt-6 border-t border-base-300">
      {facts
        .filter(({ value }) => value !== '')
        .map(({ term, value }) => (
          <div key={term} className="flex justify-between gap-4 border-b border-base-300 py-2">
            <dt className="text-base-content/75">{term}</dt>
            <dd className="text-right font-semibold">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A quantity with what it costs, taken along to the purchase page. */
function Order({ part }: { part: Part }) {
  const [typed, setTyped] = useState(String(part.minQuantity))
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    // What was typed before the browser had taken over the page.
    if (field.current) setTyped(field.current.value)
  }, [])

  if (soldOut(part)) {
    return (
      <div className="mt-6">
        <PurchaseLink part={part} />
      </div>
    )
  }
  const problem = problemWith(part, typed.trim())
  const quantity = problem ? undefined : Number(typed)
  return (
    <div className="mt-6 grid grid-cols-2 items-start gap-x-5">
      <Field
        label="Quantity"
        type="number"
        inputMode="numeric"
        min={part.minQuantity}
        max={part.availableQuantity}
        ref={field}
        defaultValue={part.minQuantity}
        onChange={(event) => setTyped(event.target.value)}
        error={problem}
        hint={`From ${part.minQuantity} to ${part.availableQuantity}`}
      />
      <p aria-live="polite" className="mt-6 text-right text-2xl font-[640] font-stretch-[114%]">
        {quantity ? (
          <span>
            <span className="sr-only">Total </span>
            {dollars(quantity * part.perUnitPrice)}
          </span>
        ) : (
          ''
        )}
      </p>
      <div className="col-span-2">
        <PurchaseLink part={part} quantity={quantity} look="btn-primary" />
      </div>
    </div>
  )
}

function problemWith(part: Part, typed: string) {
  if (typed === '') return 'Quantity is required'
  if (!/^-?\d{1,15}$/.test(typed)) return 'Whole numbers only'
  return quantityProblem(part, Number(typed))
}

function product(part: Part, origin: string) {
  const at = (path: string) => new URL(path, origin).href
  return {
    '@type': 'Product',
    name: part.name,
    description: part.description,
    sku: part._id,
    image: picturesOf(part).map((picture) => at(pictureSources(picture).full)),
    ...(part.brand && { brand: { '@type': 'Brand', name: part.brand } }),
    ...(part.category && { category: part.category }),
    offers: {
      '@type': 'Offer',
      url: at(`/parts/${part._id}`),
      price: part.perUnitPrice,
      priceCurrency: 'USD',
      availability: `https://schema.org/${soldOut(part) ? 'OutOfStock' : 'InStock'}`,
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: part.minQuantity },
    },
  }
}
