import { findRegions } from '#shop/addresses/countries.ts'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { formatDay } from '#shop/dates.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import { formatWeight } from '#shop/parts/weight.ts'
import { nameDays } from './describe-charges.ts'
import type { Collection, DeliveryAndTax, Place, TaxRate, Zone } from './rates.ts'

/** `8.875 %` of 88,750. */
export function formatMillionths(millionths: number) {
  return `${millionths / 10_000} %`
}

const formatCents = (cents: number) => formatDollars(toDollars(cents))

/** `Germany`, or `United States (Oregon, postcodes that begin with 98, 99)`. */
export function describePlace({ country, regions, postcodes }: Place) {
  const known = findRegions(country)?.regions ?? []
  const names = regions.map((code) => known.find((region) => region.code === code)?.name ?? code)
  const starts = postcodes.length > 0 ? [`postcodes that begin with ${postcodes.join(', ')}`] : []
  const parts = [...names, ...starts]
  return parts.length > 0 ? `${nameCountry(country)} (${parts.join(', ')})` : nameCountry(country)
}

/** `$15 per order, free from $1,000 of goods, 2–4 working days`. */
export function describeZonePrice({ rate, freeFrom, days }: Pick<Zone, 'rate' | 'freeFrom' | 'days'>) {
  const free = freeFrom === null ? [] : [`free from ${formatCents(freeFrom)} of goods`]
  return [...describeDeliveryRate(rate), ...free, ...(days ? [nameDays(days)] : [])].join(', ')
}

function describeDeliveryRate(rate: Zone['rate']) {
  if (rate.by === 'order') return [`${formatCents(rate.cents)} per order`]
  const limit = (upTo: number) =>
    rate.by === 'weight' ? formatWeight(upTo) : `${formatCents(upTo)} of goods`
  return rate.steps.map(({ upTo, cents }, i) => {
    if (upTo !== null) return `${formatCents(cents)} up to ${limit(upTo)}`
    return i === 0 ? `${formatCents(cents)} per order` : `${formatCents(cents)} above`
  })
}

/** `VAT of Germany, standard`, with its regions. */
export function describeTaxedPlace({ name, country, regions, class: taxClass }: TaxRate) {
  return `${name} of ${describePlace({ country, regions, postcodes: [] })}, ${taxClass}`
}

/** `19 % from 1 January 2026, also on delivery, reverse charge`. */
export function describeTaxTerms({ millionths, from, until, onDelivery, reverseCharge }: TaxRate) {
  const days = `from ${formatDay(from)}${until === null ? '' : ` to ${formatDay(until)}`}`
  const terms = [onDelivery ? 'also on delivery' : 'not on delivery', reverseCharge && 'reverse charge']
  return [`${formatMillionths(millionths)} ${days}`, ...terms].filter(Boolean).join(', ')
}

/** Null when `day` is one of its days. */
export function describeValidity({ from, until }: { from: string; until: string | null }, day: string) {
  if (day < from) return 'not valid yet'
  return until !== null && day > until ? 'no longer valid' : null
}

function describeCollection({ isOffered, address, country, region, postcode }: Collection) {
  const place = describePlace({ country, regions: region ? [region] : [], postcodes: [] })
  return `${isOffered ? 'offered' : 'not offered'}: ${address} (taxed as ${[postcode, place].filter(Boolean).join(' ')})`
}

const modeNames = {
  none: 'none',
  exclusive: 'on top of prices',
  inclusive: 'contained in prices',
  stripe: 'worked out by Stripe Tax, on top of prices',
}

/** By name, for the audit log: two lines for each zone, and one for each rate. */
export function listDeliveryAndTax({
  zones,
  tax,
  note,
  collection,
}: DeliveryAndTax): Record<string, unknown> {
  const entries = [
    ...zones.flatMap((zone) => [
      [`Zone “${zone.name}”, price`, describeZonePrice(zone)],
      [`Zone “${zone.name}”, places`, zone.places.map(describePlace)],
    ]),
    ...tax.rates.map((rate) => [describeTaxedPlace(rate), describeTaxTerms(rate)]),
  ] as [string, unknown][]
  const listed = new Map<string, unknown>([
    ['Delivery', zones.length > 0 ? 'by zones' : 'free everywhere'],
    ['Tax', modeNames[tax.mode]],
    ...(collection ? [['Collect at the factory', describeCollection(collection)] as const] : []),
    ...(note ? [['Sentence on invoices without tax', note] as const] : []),
  ])
  for (const [name, value] of entries) listed.set(findFreeName(listed, name), value)
  return Object.fromEntries(listed)
}

/** Of names that are there twice, the second gets a number. */
function findFreeName(listed: Map<string, unknown>, name: string) {
  let free = name
  for (let i = 2; listed.has(free); i++) free = `${name} (${i})`
  return free
}
