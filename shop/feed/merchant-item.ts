import type { DeliveryAndTax, Zone } from '#shop/charges/rates.ts'
import { currencyCode } from '#shop/money.ts'
import type { PartDetails } from '#shop/parts/part.ts'
import { lowestQuantity, totalAt } from '#shop/parts/quantity.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import { pictureSources } from '#shop/pictures/picture.ts'
import type { Specification } from '#shop/specifications/specification.ts'
import type { XmlElement } from './xml.ts'

export interface RelatedPart {
  partNumber: string
  /** The part of the feed needs it; else it goes on the part of the feed. */
  isNeeded: boolean
}

export interface MerchantPart {
  part: PartDetails
  specifications: Pick<Specification, 'name' | 'value'>[]
  related: RelatedPart[]
}

export interface MerchantTerms {
  origin: string
  shipping: FlatRate[]
  pricesIncludeTax: boolean
}

/** Limits of Google’s product data specification. */
const [maxName, maxValue, maxPictures] = [140, 1_000, 10]

/** As on the part’s page. The specification allows 30, which would be most of a feed. */
export const maxRelated = 12

/** An item of Google’s product data specification. Prices are those of the smallest order, as nobody can buy fewer. */
export function merchantItem(
  { part, specifications, related }: MerchantPart,
  terms: MerchantTerms,
): XmlElement {
  const url = (path: string) => new URL(path, terms.origin).href
  const { partNumber, brand, gtin, weight } = part
  const quantity = lowestQuantity(part)
  const [image, ...others] = [...new Set([part.image, ...part.views])].map((picture) =>
    url(pictureSources(picture).full),
  )
  const price = totalAt(part, quantity)
  return [
    'item',
    [
      ['g:id', partNumber],
      ['g:title', part.name],
      ['g:description', part.description],
      ['g:link', url(`/parts/${encodeURIComponent(part._id)}`)],
      ['g:image_link', image ?? null],
      ...others.slice(0, maxPictures).map((picture): XmlElement => ['g:additional_image_link', picture]),
      ['g:availability', isSoldOut(part) ? 'out_of_stock' : 'in_stock'],
      ['g:condition', 'new'],
      ['g:price', formatAmount(price)],
      ...(quantity > 1 ? listPack(quantity) : []),
      ['g:brand', brand ? cutText(brand, 70) : null],
      ['g:gtin', gtin || null],
      ['g:mpn', partNumber],
      ['g:identifier_exists', gtin || brand ? null : 'no'],
      ['g:product_type', part.category || null],
      ['g:shipping_weight', weight === null ? null : formatKilograms(weight * quantity)],
      ...terms.shipping.map((rate) => toShipping(rate, price, terms)),
      ...specifications.map(
        ({ name, value }): XmlElement => [
          'g:product_detail',
          [
            ['g:attribute_name', cutText(name, maxName)],
            ['g:attribute_value', cutText(value, maxValue)],
          ],
        ],
      ),
      ...related.filter(canBeNamed).slice(0, maxRelated).map(toRelated),
    ],
  ]
}

/** So that the price of each can be shown beside that of all. */
function listPack(quantity: number): XmlElement[] {
  return [
    ['g:multipack', `${quantity}`],
    ['g:unit_pricing_measure', `${quantity}ct`],
    ['g:unit_pricing_base_measure', '1ct'],
  ]
}

function formatAmount(amount: number) {
  return `${amount.toFixed(2)} ${currencyCode()}`
}

function formatKilograms(grams: number) {
  return grams < 1_000 ? `${grams} g` : `${grams / 1_000} kg`
}

/** Never between the halves of a character. */
function cutText(text: string, max: number) {
  return text.length <= max ? text : [...text].slice(0, max).join('')
}

/** Identifiers of related products have no other characters. */
function canBeNamed({ partNumber }: RelatedPart) {
  return /^[\w-]+$/.test(partNumber)
}

function toRelated({ partNumber, isNeeded }: RelatedPart): XmlElement {
  return [
    'g:related_product',
    [
      ['g:relationship_type', isNeeded ? 'required_part' : 'accessory'],
      ['g:identifier_type', 'id'],
      ['g:identifier', partNumber],
    ],
  ]
}

interface FlatRate extends Pick<Zone, 'freeFrom' | 'days'> {
  country: string
  cents: number
}

const maxShipping = 100

/** Of countries with one price for every order to all of the country; Merchant Center must know the others from the seller. */
export function listFlatRates({ zones }: Pick<DeliveryAndTax, 'zones'>): FlatRate[] {
  const all = zones.flatMap(({ places, rate, freeFrom, days }) =>
    places.map(({ country, regions, postcodes }) => ({
      country,
      freeFrom,
      days,
      cents: rate.by === 'order' && regions.length + postcodes.length === 0 ? rate.cents : null,
    })),
  )
  const byCountry = Map.groupBy(all, ({ country }) => country)
  const flat = [...byCountry.values()].flatMap(([first, ...others]) => {
    const { cents, ...rate } = first!
    return others.length === 0 && cents !== null ? [{ ...rate, cents }] : []
  })
  return flat.slice(0, maxShipping)
}

/** Without a price where goods are near the amount from which delivery is free, which is without tax. */
function toShipping(
  { country, cents, freeFrom, days }: FlatRate,
  price: number,
  { pricesIncludeTax }: MerchantTerms,
): XmlElement {
  const isFree = freeFrom !== null && price * 100 >= freeFrom
  if (isFree && pricesIncludeTax) return ['g:shipping', null]
  return [
    'g:shipping',
    [
      ['g:country', country],
      ['g:price', formatAmount(isFree ? 0 : cents / 100)],
      ['g:min_transit_time', days ? `${days.from}` : null],
      ['g:max_transit_time', days ? `${days.to}` : null],
    ],
  ]
}
