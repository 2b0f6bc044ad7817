import type { TaxClass } from '#shop/parts/customs.ts'
import type { NoTaxReason } from './order-charges.ts'
import {
  type DeliveryDays,
  type Destination,
  findTaxRate,
  findZone,
  type Rates,
  type TaxRate,
  type Zone,
} from './rates.ts'
import { multiplyRounded, splitInShares } from './shares.ts'

export interface ChargedLine {
  /** Quantity × price per unit, as the shop shows it. */
  cents: number
  taxClass: TaxClass
  /** Of all pieces; null when it is not known. */
  grams: number | null
}

/** What an admin has checked: nothing else changes the tax. */
export interface BuyerTax {
  /** Printed on papers. */
  taxId?: string | undefined
  /** The country of a checked VAT ID. */
  vatCountry?: string | undefined
  exemption?: { country: string; region?: string | undefined; until: string } | undefined
}

/** With a rate, or with the reason for which there is none. */
export interface TaxLine {
  rate?: Pick<TaxRate, 'name' | 'country' | 'millionths'>
  reason?: NoTaxReason
  /** Net, in cents. */
  base: number
  tax: number
}

/** All in cents. `goods` and `delivery` are net: with `tax` they add up to `total`. */
export interface Charges {
  goods: number
  delivery: number
  tax: number
  total: number
  /** In the order of the lines. */
  lines: ({ net: number; tax: number } & Pick<TaxLine, 'rate' | 'reason'>)[]
  deliveryTax: number
  /** One for each rate and reason, which add up to `goods` + `delivery` and `tax`. */
  taxes: TaxLine[]
  /** Of the zone; null when nothing is charged for delivery anywhere. */
  zone: string | null
  /** Of the zone. */
  deliveryDays: DeliveryDays | null
}

/** `no region` and `no postcode`: it is needed to choose the zone or the tax, and missing. */
export type ChargesProblem = 'no delivery' | 'no weight' | 'no region' | 'no postcode'

/** What is taxed alike. */
interface TaxGroup {
  /** Undefined where none applies. With a reason, it is what inclusive prices are freed of. */
  rate: TaxRate | undefined
  reason: NoTaxReason | undefined
  isIncluded: boolean
  /** What the shop shows, tax included or not: one for each line, and one for its part of delivery. */
  amounts: { line: number | 'delivery'; cents: number }[]
}

/**
 * What an order costs, from nothing but its arguments: `day` is the shop’s calendar day. Without zones, delivery is free everywhere; with zones,
 * an address outside of them all is a problem, as is a rate by weight for parts whose weight is not known. What is collected has no delivery.
 * Tax is computed once for each rate and split over lines and delivery by their amounts, so that lines, rates and total add up.
 */
export function computeCharges(
  lines: ChargedLine[],
  to: Destination,
  buyer: BuyerTax,
  rates: Rates,
  day: string,
): Charges | ChargesProblem {
  const zone = findZone(rates.zones, to)
  if (!zone && !to.isCollected && rates.zones.length > 0) return findMissingPart(rates.zones, to)
  if (lines.some(({ taxClass }) => lacksRegion(taxClass, to, rates, day))) return 'no region'
  const groups = groupByTax(lines, (taxClass) => chooseTax(taxClass, to, buyer, rates, day))
  const netGoods = sum(groups.map((group) => shownCents(group) - (group.isIncluded ? taxCents(group) : 0)))
  const deliveryCents = zone ? findDeliveryPrice(zone, lines, netGoods) : 0
  if (deliveryCents === null) return 'no weight'
  return addUp(lines, shareDelivery(groups, deliveryCents), zone, rates.tax.mode !== 'none')
}

/** Of an address that is in no zone as it is. */
function findMissingPart(zones: Zone[], to: Destination): ChargesProblem {
  const places = zones.flatMap(({ places }) => places).filter(({ country }) => country === to.country)
  if (!to.region && places.some(({ regions }) => regions.length > 0)) return 'no region'
  if (!to.postcode && places.some(({ postcodes }) => postcodes.length > 0)) return 'no postcode'
  return 'no delivery'
}

/** Otherwise whoever leaves out the region would pay no tax. */
function lacksRegion(taxClass: TaxClass, to: Destination, { tax }: Rates, day: string) {
  if (tax.mode === 'none' || to.region || findTaxRate(tax.rates, to, taxClass, day)) return false
  return tax.rates.some(
    ({ country, regions, ...rate }) =>
      country === to.country && findTaxRate([{ ...rate, country, regions: [] }], to, taxClass, day),
  )
}

/** Goods after price breaks, before tax and delivery, count for the threshold; null when a weight is needed and not known. */
function findDeliveryPrice({ rate, freeFrom }: Zone, lines: ChargedLine[], netGoods: number): number | null {
  if (freeFrom !== null && netGoods >= freeFrom) return 0
  if (rate.by === 'order') return rate.cents
  const weights = lines.flatMap(({ grams }) => grams ?? [])
  if (rate.by === 'weight' && weights.length < lines.length) return null
  const measure = rate.by === 'weight' ? sum(weights) : netGoods
  return rate.steps.find(({ upTo }) => upTo === null || measure <= upTo)!.cents
}

function groupByTax(lines: ChargedLine[], choose: (taxClass: TaxClass) => Omit<TaxGroup, 'amounts'>) {
  const groups: TaxGroup[] = []
  for (const [line, { cents, taxClass }] of lines.entries()) {
    const chosen = choose(taxClass)
    const group = groups.find(({ rate, reason }) => rate === chosen.rate && reason === chosen.reason)
    if (group) group.amounts.push({ line, cents })
    else groups.push({ ...chosen, amounts: [{ line, cents }] })
  }
  return groups
}

/** In inclusive prices is the tax of the destination or, where it has none or the buyer pays none, that of the shop’s country. */
function chooseTax(taxClass: TaxClass, to: Destination, buyer: BuyerTax, rates: Rates, day: string) {
  const { homeCountry, tax } = rates
  const isInclusive = tax.mode === 'inclusive'
  if (tax.mode === 'none') return { rate: undefined, reason: undefined, isIncluded: false }
  const rate = findTaxRate(tax.rates, to, taxClass, day)
  const reason = rate ? findExemption(rate, to, buyer, homeCountry, day) : 'no rate'
  if (reason === undefined) return { rate, reason, isIncluded: isInclusive }
  const included = isInclusive ? findTaxRate(tax.rates, { country: homeCountry }, taxClass, day) : undefined
  return { rate: included, reason, isIncluded: included !== undefined }
}

/** The member states of the European Union, in ISO 3166-1. */
const union = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
)

function findExemption(
  { reverseCharge }: TaxRate,
  to: Destination,
  { vatCountry, exemption }: BuyerTax,
  homeCountry: string,
  day: string,
): NoTaxReason | undefined {
  // What is collected at the factory is sold there.
  const isAbroad =
    !to.isCollected && to.country !== homeCountry && vatCountry !== undefined && vatCountry !== homeCountry
  // Within the Union, only a number of a member state counts.
  const counts = isAbroad && (!union.has(to.country) || union.has(vatCountry))
  if (reverseCharge && counts) return 'reverse charge'
  return isExempt({ exemption }, to, day) ? 'exempt' : undefined
}

export function isExempt({ exemption }: Pick<BuyerTax, 'exemption'>, to: Destination, day: string) {
  return (
    exemption !== undefined &&
    exemption.until >= day &&
    exemption.country === to.country &&
    (exemption.region === undefined || exemption.region === to.region)
  )
}

/** Delivery is taxed as the goods are, each rate in proportion; what a rate does not tax of it stands alone. */
function shareDelivery(groups: TaxGroup[], deliveryCents: number): TaxGroup[] {
  if (deliveryCents === 0) return groups
  const shares = splitInShares(deliveryCents, groups.map(shownCents))
  let untaxed = 0
  const shared = groups.map((group, i) => {
    const cents = shares[i]!
    if (group.rate && !group.rate.onDelivery) {
      untaxed += cents
      return group
    }
    return { ...group, amounts: [...group.amounts, { line: 'delivery' as const, cents }] }
  })
  if (untaxed === 0) return shared
  const amounts = [{ line: 'delivery' as const, cents: untaxed }]
  return [...shared, { rate: undefined, reason: 'not on delivery' as const, isIncluded: false, amounts }]
}

function addUp(lines: ChargedLine[], groups: TaxGroup[], zone: Zone | undefined, isTaxed: boolean): Charges {
  const charged: Charges['lines'] = lines.map(() => ({ net: 0, tax: 0 }))
  const delivery: Charges['lines'][number] = { net: 0, tax: 0 }
  for (const group of groups) {
    const tax = taxCents(group)
    const parts = splitInShares(
      tax,
      group.amounts.map(({ cents }) => cents),
    )
    for (const [i, { line, cents }] of group.amounts.entries()) {
      const entry = line === 'delivery' ? delivery : charged[line]!
      entry.net += group.isIncluded ? cents - parts[i]! : cents
      entry.tax += group.reason === undefined ? parts[i]! : 0
      if (isTaxed) Object.assign(entry, nameTax(group))
    }
  }
  const goods = sum(charged.map(({ net }) => net))
  const tax = sum(charged.map(({ tax }) => tax)) + delivery.tax
  return {
    goods,
    delivery: delivery.net,
    tax,
    total: goods + delivery.net + tax,
    lines: charged,
    deliveryTax: delivery.tax,
    taxes: isTaxed ? groups.map(toTaxLine) : [],
    zone: zone?.name ?? null,
    deliveryDays: zone?.days ?? null,
  }
}

function toTaxLine(group: TaxGroup): TaxLine {
  const tax = taxCents(group)
  const base = shownCents(group) - (group.isIncluded ? tax : 0)
  const named = nameTax(group)
  return { ...named, base, tax: named.rate ? tax : 0 }
}

function nameTax({ rate, reason }: TaxGroup): Pick<TaxLine, 'rate' | 'reason'> {
  if (reason !== undefined || rate === undefined) return { reason: reason ?? 'no rate' }
  const { name, country, millionths } = rate
  return { rate: { name, country, millionths } }
}

function shownCents({ amounts }: TaxGroup) {
  return sum(amounts.map(({ cents }) => cents))
}

/** Contained in what is shown, or on top of it. */
function taxCents(group: TaxGroup) {
  const millionths = group.rate?.millionths ?? 0
  return multiplyRounded(shownCents(group), millionths, 1_000_000 + (group.isIncluded ? millionths : 0))
}

function sum(numbers: number[]) {
  return numbers.reduce((all, number) => all + number, 0)
}
