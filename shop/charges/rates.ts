import { z } from 'zod'
import { findRegions, isCountry } from '#shop/addresses/countries.ts'
import { findDestinationProblems } from '#shop/addresses/destination.ts'
import { calendarDay } from '#shop/calendar-day.ts'
import { optionalText, requiredText } from '#shop/fields.ts'
import { formatDollars } from '#shop/money.ts'
import { type TaxClass, taxClasses } from '#shop/parts/customs.ts'

const maxCents = 100_000_000

const cents = z
  .int('Enter an amount')
  .min(0, 'At least 0')
  .max(maxCents, { error: () => `At most ${formatDollars(maxCents / 100)}` })

const country = z.string('Choose a country').refine(isCountry, 'Choose a country')

/** Of ISO 3166-2, behind the country and the hyphen. */
const region = z.string('Choose a region').regex(/^[A-Z\d]{1,3}$/, 'Choose a region')

/** Without spaces and hyphens. */
const postcodeStart = z
  .string('Enter the beginning of a postcode')
  .transform((text) => normalizePostcode(text))
  .refine((text) => /^[A-Z\d]{1,10}$/.test(text), 'Enter the beginning of a postcode')

/** All of the country if neither regions nor postcodes are named; otherwise what is in one of either. */
const place = z.object({
  country,
  regions: z.array(region).max(100, 'At most 100 regions').default([]),
  postcodes: z.array(postcodeStart).max(200, 'At most 200 postcodes').default([]),
})
export type Place = z.output<typeof place>

/** Steps by grams or by cents of goods: the first whose `upTo` is not exceeded counts, and the last has none. */
const steps = z
  .array(z.object({ upTo: z.int('Enter a limit').min(1, 'At least 1').nullable(), cents }))
  .min(1, 'Add a step')
  .max(50, 'At most 50 steps')
  .refine(
    (all) =>
      all.every(({ upTo }, i) => (i === all.length - 1 ? upTo === null : upTo !== null)) &&
      all.every(({ upTo }, i) => i === 0 || upTo === null || upTo > all[i - 1]!.upTo!),
    'Each step ends higher than the one before, and the last has no end',
  )

const deliveryRate = z.discriminatedUnion('by', [
  z.object({ by: z.literal('order'), cents }),
  z.object({ by: z.literal('weight'), steps }),
  z.object({ by: z.literal('goods'), steps }),
])

const dayCount = z.int('Enter a number of days').min(1, 'At least 1').max(99, 'At most 99')

/** Working days from when an order ships. */
export const deliveryDays = z
  .object({ from: dayCount, to: dayCount })
  .refine(({ from, to }) => to >= from, { path: ['to'], message: 'Not fewer than the first' })
export type DeliveryDays = z.output<typeof deliveryDays>

const zone = z.object({
  name: requiredText('Name is required', 80),
  places: z.array(place).min(1, 'Add a place').max(250, 'At most 250 places'),
  rate: deliveryRate,
  /** Of goods, after price breaks and before tax: from there on, delivery is free. */
  freeFrom: cents.nullable(),
  days: deliveryDays.nullish(),
})
export type Zone = z.output<typeof zone>

const taxRate = z
  .object({
    /** As printed, such as VAT. */
    name: requiredText('Name is required', 40),
    country,
    /** Of these alone; all if empty. */
    regions: z.array(region).max(100, 'At most 100 regions').default([]),
    class: z.enum(taxClasses, 'Choose a tax class'),
    /** 200,000 is 20 %. */
    millionths: z.int('Enter a rate').min(0, 'At least 0 %').max(1_000_000, 'At most 100 %'),
    from: calendarDay('Enter a date'),
    /** The last day; none yet if null. */
    until: calendarDay('Enter a date').nullable(),
    onDelivery: z.boolean(),
    /** Whether buyers with a checked VAT ID of another country than the shop’s account for it themselves. */
    reverseCharge: z.boolean(),
  })
  .refine(({ from, until }) => until === null || until >= from, {
    path: ['until'],
    message: 'The last day is before the first',
  })
export type TaxRate = z.output<typeof taxRate>

const taxTable = z.object({
  /** With `stripe`, its tax service is asked instead of the rates, and prices are shown without tax. */
  mode: z.enum(['none', 'exclusive', 'inclusive', 'stripe'], 'Choose how prices are shown'),
  rates: z.array(taxRate).max(1_000, 'At most 1,000 rates'),
})

/** The factory, where customers can collect their orders. */
const collection = z
  .object({
    isOffered: z.boolean(),
    /** As customers read it. */
    address: requiredText('Address is required', 200),
    country,
    /** Empty where tax does not depend on it. */
    region: optionalText(3).transform((code) => code ?? ''),
    postcode: optionalText(16).transform((text) => text ?? ''),
  })
  .superRefine((place, { addIssue }) => {
    for (const [name, message] of Object.entries(findDestinationProblems(place, place.country)))
      if (message) addIssue({ code: 'custom', path: [name], message })
  })
export type Collection = z.output<typeof collection>

/** What an admin sets. */
export const deliveryAndTax = z
  .object({
    zones: z.array(zone).max(100, 'At most 100 zones'),
    tax: taxTable,
    /** Printed on invoices without tax, such as why there is none. */
    note: optionalText(300).transform((text) => text ?? ''),
    collection: collection.nullish(),
  })
  .superRefine((value, { addIssue }) => {
    if (lacksRegion(value.collection, value.tax)) {
      const message = `Choose the ${findRegions(value.collection!.country)?.label.toLowerCase()}, on which tax depends`
      addIssue({ code: 'custom', path: ['collection', 'region'], message })
    }
    const overlap = findOverlap(value)
    if (overlap) addIssue({ code: 'custom', path: [overlap.field], message: overlap.message })
  })
export type DeliveryAndTax = z.output<typeof deliveryAndTax>

function lacksRegion(place: DeliveryAndTax['collection'], { mode, rates }: DeliveryAndTax['tax']) {
  if (!place || place.region || mode === 'none') return false
  return rates.some(({ country, regions }) => country === place.country && regions.length > 0)
}

export interface Rates extends Pick<DeliveryAndTax, 'zones' | 'tax' | 'collection'> {
  /** Where the shop is: its tax is in inclusive prices. */
  homeCountry: string
}

export interface Destination {
  country: string
  region?: string | undefined
  postcode?: string | undefined
  /** At the factory, which is there. */
  isCollected?: boolean | undefined
}

export function normalizePostcode(postcode: string) {
  return postcode.toUpperCase().replace(/[\s-]/g, '')
}

function isIn({ country, regions, postcodes }: Place, to: Destination) {
  if (country !== to.country) return false
  if (regions.length === 0 && postcodes.length === 0) return true
  const postcode = normalizePostcode(to.postcode ?? '')
  return regions.includes(to.region ?? '') || postcodes.some((start) => postcode.startsWith(start))
}

/** At most one matches: `findOverlap` refuses others. None does for what is collected. */
export function findZone(zones: Zone[], to: Destination) {
  if (to.isCollected) return undefined
  return zones.find(({ places }) => places.some((place) => isIn(place, to)))
}

/** At most one is valid on a day. */
export function findTaxRate(all: TaxRate[], to: Destination, taxClass: TaxClass, day: string) {
  return all.find(
    ({ country, regions, class: its, from, until }) =>
      its === taxClass &&
      country === to.country &&
      (regions.length === 0 || regions.includes(to.region ?? '')) &&
      from <= day &&
      (until === null || until >= day),
  )
}

/** The first two zones that both match an address, or the first two tax rates for one day; undefined when each address has one. */
export function findOverlap({ zones, tax }: Pick<Rates, 'zones' | 'tax'>) {
  const twoZones = findPair(zones, (a, b) =>
    a.places.some((one) => b.places.some((two) => overlaps(one, two))),
  )
  if (twoZones) {
    const [a, b] = twoZones
    const message = `“${a.name}” and “${b.name}” have places in common. Each address needs one zone.`
    return { field: 'zones' as const, message }
  }
  const twoRates = findPair(tax.rates, isSameTax)
  if (!twoRates) return undefined
  const [a, b] = twoRates
  const message = `Two ${a.class} rates of ${a.country} are valid on one day: ${a.name} and ${b.name}.`
  return { field: 'tax' as const, message }
}

function findPair<Item>(items: Item[], isPair: (a: Item, b: Item) => boolean): [Item, Item] | undefined {
  for (const [i, a] of items.entries())
    for (let j = i + 1; j < items.length; j++) if (isPair(a, items[j]!)) return [a, items[j]!]
  return undefined
}

/** Regions and postcodes of one country may mean the same addresses. */
function overlaps(a: Place, b: Place) {
  if (a.country !== b.country) return false
  const isWhole = ({ regions, postcodes }: Place) => regions.length === 0 && postcodes.length === 0
  if (isWhole(a) || isWhole(b)) return true
  if (a.regions.some((one) => b.regions.includes(one))) return true
  if (a.postcodes.some((one) => b.postcodes.some((other) => one.startsWith(other) || other.startsWith(one))))
    return true
  return (a.regions.length > 0 && b.postcodes.length > 0) || (a.postcodes.length > 0 && b.regions.length > 0)
}

/** A thousand rates have half a million pairs, most of which differ in what is compared first. */
function isSameTax(a: TaxRate, b: TaxRate) {
  if (a.country !== b.country || a.class !== b.class) return false
  if ((a.until !== null && a.until < b.from) || (b.until !== null && b.until < a.from)) return false
  return a.regions.length === 0 || b.regions.length === 0 || a.regions.some((one) => b.regions.includes(one))
}
