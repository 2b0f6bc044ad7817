import { findDay } from '#shop/dates.ts'
import { currencyCode } from '#shop/money.ts'
import type { Shop } from '#shop/ports.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import { chargesNothingElse } from './charge-order.server.ts'
import type { Collection, DeliveryAndTax, DeliveryDays, Place, TaxRate, Zone } from './rates.ts'

/** What pages say beside prices. */
export interface Pricing {
  /** Such as `plus VAT and delivery`; null when nothing is on top of prices or in them. */
  note: string | null
  /** Where orders can be collected, or could be when one was placed. */
  collection?: Pick<Collection, 'isOffered' | 'address'> | undefined
}

/** Null when goods are all that is ever charged. */
export async function readPricing(shop: Pick<Shop, 'settings' | 'timeZone'>): Promise<Pricing | null> {
  const { company, deliveryAndTax } = await readSettings(shop)
  const { zones, tax } = deliveryAndTax
  const collection = pickCollection(deliveryAndTax)
  if (chargesNothingElse(deliveryAndTax) && !collection) return null
  // The tax service knows which one it is only with an address.
  const own = tax.mode === 'stripe' ? [] : tax.rates
  const taxName = nameTax(own, company.country, findDay(Date.now(), shop.timeZone))
  const delivery = zones.some(isPaid) ? ['delivery'] : []
  if (tax.mode === 'inclusive') return { note: [`incl. ${taxName}`, ...delivery].join(', plus '), collection }
  const added = [...(tax.mode === 'none' ? [] : [taxName]), ...delivery]
  return { note: added.length > 0 ? `plus ${added.join(' and ')}` : null, collection }
}

function pickCollection({ collection }: DeliveryAndTax) {
  if (!collection) return undefined
  const { isOffered, address } = collection
  return { isOffered, address }
}

/** As the shop’s own country calls it. */
function nameTax(rates: TaxRate[], home: string, day: string) {
  const own = rates.filter(
    ({ country, from, until }) => country === home && from <= day && (until === null || until >= day),
  )
  const { name } = own.find((rate) => rate.class === 'standard') ?? own[0] ?? { name: 'tax' }
  // Abbreviations keep their capitals.
  return /^\p{Lu}\p{Ll}/u.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name
}

function isPaid({ rate }: Zone) {
  return rate.by === 'order' ? rate.cents > 0 : rate.steps.some(({ cents }) => cents > 0)
}

/** Search engines get no more of zones, which can have hundreds of places. */
const [maxZones, maxPlaces] = [10, 30]

/** Of the structured data of a part; undefined when goods are all that is ever charged. */
export async function readOfferTerms(shop: Pick<Shop, 'settings'>) {
  const { zones, tax } = (await readSettings(shop)).deliveryAndTax
  const perOrder = zones.slice(0, maxZones).flatMap(({ rate, places, days }) =>
    rate.by === 'order'
      ? {
          '@type': 'OfferShippingDetails',
          shippingRate: { '@type': 'MonetaryAmount', value: rate.cents / 100, currency: currencyCode() },
          shippingDestination: places.slice(0, maxPlaces).map(toRegion),
          ...(days && { deliveryTime: toDeliveryTime(days) }),
        }
      : [],
  )
  if (tax.mode === 'none' && perOrder.length === 0) return undefined
  return {
    ...(tax.mode !== 'none' && { tax: { valueAddedTaxIncluded: tax.mode === 'inclusive' } }),
    ...(perOrder.length > 0 && { delivery: { shippingDetails: perOrder } }),
  }
}
export type OfferTerms = Awaited<ReturnType<typeof readOfferTerms>>

function toDeliveryTime({ from, to }: DeliveryDays) {
  return {
    '@type': 'ShippingDeliveryTime',
    transitTime: { '@type': 'QuantitativeValue', minValue: from, maxValue: to, unitCode: 'DAY' },
  }
}

function toRegion({ country, regions, postcodes }: Place) {
  return {
    '@type': 'DefinedRegion',
    addressCountry: country,
    ...(regions.length > 0 && { addressRegion: regions }),
    ...(postcodes.length > 0 && { postalCodePrefix: postcodes }),
  }
}
