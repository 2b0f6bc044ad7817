import type { OfferTerms } from '#shop/charges/pricing.server.ts'
import type { CarryingPart } from '#shop/fit/part-fit.server.ts'
import { currencyCode } from '#shop/money.ts'
import type { Part, PartDetails } from '#shop/parts/part.ts'
import { lowestQuantity, priceRows } from '#shop/parts/quantity.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import { pictureSources } from '#shop/pictures/picture.ts'

export interface PartRating {
  average: string
  count: number
}

interface ProductFacts {
  /** As the page shows it. */
  rating?: PartRating | null
  terms?: OfferTerms
  /** Part numbers. */
  replaces?: string
  /** Parts that this one goes on, as the page lists them. */
  carriers?: CarryingPart[]
}

export function productData(
  part: PartDetails,
  origin: string,
  { rating, terms, replaces = '', carriers = [] }: ProductFacts = {},
) {
  const absoluteUrl = (path: string) => new URL(path, origin).href
  const toModel = ({ id, name, number }: CarryingPart) => ({
    '@type': 'ProductModel',
    name,
    sku: number,
    url: absoluteUrl(`/parts/${id}`),
  })
  const [used, added] = [
    carriers.filter(({ wearsOut }) => wearsOut),
    carriers.filter(({ wearsOut }) => !wearsOut),
  ]
  return {
    '@type': replaces ? ['Product', 'ProductModel'] : 'Product',
    name: part.name,
    description: part.description,
    sku: part.partNumber,
    mpn: part.partNumber,
    ...(part.gtin && { gtin: part.gtin }),
    image: listPictures(part).map((picture) => absoluteUrl(pictureSources(picture).full)),
    ...(part.brand && { brand: { '@type': 'Brand', name: part.brand } }),
    ...(replaces && {
      successorOf: replaces.split(', ').map((sku) => ({ '@type': 'ProductModel', sku })),
    }),
    ...(added.length > 0 && { isAccessoryOrSparePartFor: added.map(toModel) }),
    ...(used.length > 0 && { isConsumableFor: used.map(toModel) }),
    ...(part.category && { category: part.category }),
    ...(part.weight && {
      weight: { '@type': 'QuantitativeValue', value: part.weight, unitCode: 'GRM' },
    }),
    ...(part.origin && { countryOfOrigin: { '@type': 'Country', name: part.origin } }),
    ...(rating && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: rating.average,
        reviewCount: rating.count,
        bestRating: 5,
        worstRating: 1,
      },
    }),
    offers: {
      '@type': 'Offer',
      url: absoluteUrl(`/parts/${part._id}`),
      price: part.perUnitPrice,
      priceCurrency: currencyCode(),
      availability: `https://schema.org/${isSoldOut(part) ? 'OutOfStock' : 'InStock'}`,
      eligibleQuantity: { '@type': 'QuantitativeValue', minValue: lowestQuantity(part) },
      ...terms?.delivery,
      ...((terms?.tax || part.priceBreaks.length > 0) && {
        priceSpecification: priceRows(part).map(({ from, to, unitPrice }) => ({
          '@type': 'UnitPriceSpecification',
          price: unitPrice,
          priceCurrency: currencyCode(),
          ...terms?.tax,
          eligibleQuantity: { '@type': 'QuantitativeValue', minValue: from, ...(to && { maxValue: to }) },
        })),
      }),
    },
  }
}

export function listPictures({ image, views }: Part) {
  return [...new Set([image, ...views])]
}
