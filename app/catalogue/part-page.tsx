import { data, isRouteErrorResponse, Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { BuildWarning } from '#app/builds/build-warning.tsx'
import NotFound from '#app/content/not-found.tsx'
import { reviewSection } from '#app/content/review-card.ts'
import { Reviews } from '#app/content/reviews.tsx'
import { shopContext } from '#app/context.ts'
import { PartFitSection } from '#app/fit/part-fit.tsx'
import { breadcrumbs, indexable, noindex } from '#app/meta.ts'
import { useShippingPromise } from '#app/orders/ships-by.tsx'
import { loadPartPapers } from '#app/sheets/part-papers.server.ts'
import { PartPapers } from '#app/sheets/part-papers.tsx'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { readOfferTerms, readPricing } from '#shop/charges/pricing.server.ts'
import { formatDay } from '#shop/dates.ts'
import { listDrawingsOf } from '#shop/drawings/drawings.server.ts'
import { ShopError } from '#shop/errors.ts'
import { maxFitText } from '#shop/fit/fit-text.ts'
import { readPartFit } from '#shop/fit/part-fit.server.ts'
import { findModel } from '#shop/models/models.server.ts'
import { formatCount, formatDollars, formatTotal } from '#shop/money.ts'
import { type Part, type PartDetails, partDetails, partSummary } from '#shop/parts/part.ts'
import { readPart, relatedParts } from '#shop/parts/parts.server.ts'
import { lowestQuantity, unitPriceAt } from '#shop/parts/quantity.ts'
import { isSoldOut, stockLabel } from '#shop/parts/stock.ts'
import { formatWeight } from '#shop/parts/weight.ts'
import { pictureSources } from '#shop/pictures/picture.ts'
import { listPartReviews, listReviews, readPartRating } from '#shop/reviews/reviews.server.ts'
import { listSpecifications } from '#shop/specifications/specifications.server.ts'
import { findNextDelivery } from '#shop/stock/deliveries.server.ts'
import type { ExpectedDelivery } from '#shop/stock/delivery.ts'
import type { Route } from './+types/part-page'
import { Breadcrumb, breadcrumbSteps } from './breadcrumb.tsx'
import { loadFormerPart, loadReplacementTexts } from './former-part.server.ts'
import { FormerPartPage, RelatedParts } from './former-part.tsx'
import { Gallery } from './gallery.tsx'
import { PartName } from './part-name.tsx'
import { listPictures, type PartRating, productData } from './product-data.ts'
import { QuantityForm } from './quantity-form.tsx'

export const meta: Route.MetaFunction = ({ matches, loaderData, error }) => {
  if (!loaderData) return noindex(isMissing(error) ? 'This part doesn’t exist' : 'Part')
  if (loaderData.former) return indexable(matches, loaderData.former.meta)
  const { part, about } = loaderData
  const path = `/parts/${part._id}`
  return indexable(matches, {
    title: part.name,
    description: part.shortDescription,
    path,
    picture: pictureSources(part.image).social,
    about: [about, breadcrumbs(matches, breadcrumbSteps(part))],
  })
}

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { shop: own, reader: shop } = context.get(shopContext)
  try {
    const row = await readPart(shop, params.partId)
    const asked = new URL(request.url).searchParams.get('fitsWith')
    const [
      related,
      reviews,
      average,
      delivery,
      pricing,
      offerTerms,
      replacement,
      specifications,
      { fit, carriers },
      model,
      drawings,
      papers,
    ] = await Promise.all([
      relatedParts(shop, row),
      listPartReviews(shop, row._id, { limit: 4 }),
      readPartRating(shop, row._id),
      isSoldOut(row) ? findNextDelivery(shop, row._id) : null,
      readPricing(own),
      readOfferTerms(own),
      loadReplacementTexts(shop, row),
      listSpecifications(shop, [row._id]),
      readPartFit(shop, row._id, asked?.slice(0, maxFitText) ?? null),
      findModel(shop.db, row._id),
      listDrawingsOf(shop, row._id),
      loadPartPapers(shop, row._id),
    ])
    const rating = average === null ? null : { average, count: reviews.total }
    return {
      former: null,
      part: partDetails.parse(row),
      drawings,
      papers,
      model: model && { hash: model.hash, size: model.size },
      saleFacts: listSaleFacts(row),
      priceNote: pricing?.note,
      facts: [...listFacts(row, delivery, replacement.replaces), ...ratingFact(rating)],
      plan: replacement.plan,
      specifications: (specifications.get(row._id) ?? []).map(({ name, value }): Fact => [name, value]),
      fit,
      // Written on the server, so that browsers need no script for it.
      about: productData(partDetails.parse(row), shop.origin, {
        rating,
        terms: offerTerms,
        replaces: replacement.replaces,
        carriers,
      }),
      soldOut: isSoldOut(row),
      related: {
        title: row.category ? `More in ${row.category}` : `More from ${row.brand}`,
        parts: related.map((other) => partSummary.parse(other)),
      },
      reviews:
        reviews.total > 0
          ? reviewSection(reviews, {
              title: `What customers say about ${row.name}`,
              to: `/reviews?part=${row._id}`,
            })
          : reviewSection(await listReviews(shop, { limit: 4 }), {
              title: `What customers say about ${brand.name}`,
            }),
    }
  } catch (error) {
    const former = error instanceof ShopError && (await loadFormerPart(shop, params.partId))
    if (former) return data({ former }, former.by ? 200 : 410)
    if (error instanceof ShopError) throw data({ message: error.message }, 404)
    throw error
  }
}

type Fact = [term: string, value: string]

/** What decides whether to buy it. Written on the server, so that browsers need no script for it. */
function listSaleFacts(part: Part): Fact[] {
  return [
    ['Price per unit', formatDollars(unitPriceAt(part, lowestQuantity(part)))],
    ['Min. Quantity', formatCount(lowestQuantity(part))],
    ['Available Quantity', formatCount(part.availableQuantity)],
    ['Stock', stockLabel(part)],
  ]
}

function listFacts(part: PartDetails, delivery: ExpectedDelivery | null, replaces: string): Fact[] {
  const facts: [string, string | false | null][] = [
    ['Part number', part.partNumber],
    ['GTIN', part.gtin],
    ['Brand', part.brand],
    ['Category', part.category],
    ['Order in multiples of', part.multiple > 1 && formatCount(part.multiple)],
    ['Carton size', part.cartonSize !== null && formatCount(part.cartonSize)],
    ['Weight', part.weight !== null && formatWeight(part.weight)],
    ['Country of origin', part.origin && nameCountry(part.origin)],
    ['Replaces', replaces],
    ['Expected', delivery && `${formatCount(delivery.quantity)} on ${formatDay(delivery.expectedOn)}`],
  ]
  return facts.filter((fact): fact is Fact => Boolean(fact[1]))
}

function ratingFact(rating: PartRating | null): Fact[] {
  if (!rating) return []
  const { average, count } = rating
  return [['Rating', `${average} of 5, from ${formatTotal(count)} ${count === 1 ? 'review' : 'reviews'}`]]
}

export default function PartPage({ loaderData }: Route.ComponentProps) {
  const promise = useShippingPromise()
  if (loaderData.former) return <FormerPartPage former={loaderData.former} />
  const { model, drawings, papers } = loaderData
  const { part, saleFacts, priceNote, plan, facts, specifications, fit, soldOut, related, reviews } =
    loaderData
  return (
    <>
      <Breadcrumb part={part} />
      <article className="mt-4 grid items-start gap-x-14 gap-y-5 *:min-w-0 lg:mt-5 lg:grid-cols-[1.25fr_1fr] lg:grid-rows-[auto_1fr]">
        <header className="lg:col-start-2">
          <h1>
            <PartName name={part.name} />
          </h1>
          <p className="mt-3 text-lg max-sm:text-base">{part.shortDescription}</p>
          <SaleFacts facts={saleFacts} />
          {plan && (
            <p className="mt-3 border-l-4 border-warning pl-3">
              <Link to={plan.to} className="link">
                {plan.text}
              </Link>
            </p>
          )}
          {priceNote && <p className="mt-2 text-sm text-base-content/75">{`Prices ${priceNote}.`}</p>}
        </header>
        <div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <Gallery key={part._id} pictures={listPictures(part)} name={part.name} model={model} />
        </div>
        <div className="lg:col-start-2">
          {soldOut && (
            <Link to={`/dashboard/stockAlerts/${part._id}`} className="btn">
              Email me when it’s back in stock
            </Link>
          )}
          {!soldOut && <p className="font-medium">{promise}</p>}
          <BuildWarning partIds={[part._id]} />
          <QuantityForm key={part._id} part={part} />
          <p className="mt-8 max-w-[62ch] whitespace-pre-line text-base-content/80">{part.description}</p>
          <Facts facts={facts} />
          {specifications.length > 0 && (
            <section>
              <h2 className="mt-10">Specifications</h2>
              <Facts facts={specifications} />
            </section>
          )}
          <Link to={`/compare?add=${part._id}`} className="mt-5 inline-block link">
            Compare
          </Link>
          <PartPapers partId={part._id} papers={papers} />
          {drawings.map(({ _id, title }) => (
            <Link key={_id} to={`/drawings/${_id}`} className="mt-4 block link">
              {`Drawing: ${title}`}
            </Link>
          ))}
        </div>
      </article>

      {fit && <PartFitSection key={part._id} partId={part._id} fit={fit} />}

      <RelatedParts {...related} />

      <Reviews {...reviews} />
    </>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return isMissing(error) ? <NotFound /> : <ErrorMessage error={error} />
}

function isMissing(error: unknown) {
  return isRouteErrorResponse(error) && error.status === 404
}

const colours: Record<string, string> = { Sol: 'bg-error', Low: 'bg-warning' }

function SaleFacts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="mt-4 flex flex-wrap gap-x-7 gap-y-2">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt className="text-sm text-base-content/75">{term}</dt>
          <dd className="flex items-center gap-2 text-lg font-semibold">
            {term === 'Stock' && (
              <span aria-hidden="true" className={`size-2.5 ${colours[value.slice(0, 3)] ?? 'bg-success'}`} />
            )}
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="mt-6 border-t border-base-300">
      {facts.map(([term, value]) => (
        <div key={term} className="flex justify-between gap-4 border-b border-base-300 py-2">
          <dt className="text-base-content/75">{term}</dt>
          <dd className="text-right font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
