import type { orderLines, orders, Queries } from '#db/schema.ts'
import { findRegions } from '#shop/addresses/countries.ts'
import { nameCountry } from '#shop/addresses/country-name.ts'
import type { StoredDestination } from '#shop/addresses/destination.ts'
import { findDay } from '#shop/dates.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import type { TaxClass } from '#shop/parts/customs.ts'
import type { Shop } from '#shop/ports.ts'
import type { VersionedSettings } from '#shop/settings/settings-memory.server.ts'
import type { KnownTaxes } from './calculate-taxes.server.ts'
import { addCalculatedTax } from './calculated-charges.ts'
import { type BuyerTax, type Charges, type ChargesProblem, computeCharges, isExempt } from './charges.ts'
import { describeTax } from './describe-charges.ts'
import type { StoredCharges } from './order-charges.ts'
import { type Destination, findTaxRate, findZone, type Rates } from './rates.ts'
import type { TaxRequest } from './tax-service.ts'

/** A line of an order to be charged. */
export interface LineToCharge {
  name: string
  /** In the order. */
  position: number
  quantity: number
  /** Dollars. */
  price: number
  taxClass: TaxClass
  /** Of a piece; null when it is not known. */
  weight: number | null
}

/** What does not change when an order is charged again. */
export interface ChargeBasis {
  rates: Rates
  buyer: BuyerTax
  /** The day of the shop on which it was placed. */
  day: string
  /** Of the parts, by id. */
  parts: Record<string, Pick<LineToCharge, 'taxClass' | 'weight'>>
}

/** What is stored of it. */
export interface ChargedOrder {
  charges: StoredCharges
  deliveryCents: number
  /** In the order of the lines. */
  lines: Pick<typeof orderLines.$inferSelect, 'addedCents' | 'taxCents' | 'taxLabel'>[]
}

export interface CurrentRates {
  rates: Rates
  /** As the function `rates_version` has it. */
  version: string
}

/** From memory, however old: what is placed with rates of another version is refused. */
export function recallRates({ settings }: Pick<Shop, 'settings'>): CurrentRates {
  return toRates(settings.currentVersions)
}

/** As they are now. In a transaction, `db` is its own. */
export async function readRates({ settings }: Pick<Shop, 'settings'>, db?: Queries): Promise<CurrentRates> {
  return toRates(await settings.readAgain(db))
}

function toRates({ settings: current, versions }: VersionedSettings): CurrentRates {
  const { zones, tax, collection } = current.deliveryAndTax
  const version = ['company', 'deliveryAndTax'].map((section) => versions.get(section) ?? 0).join('.')
  return { rates: { homeCountry: current.company.country, zones, tax, collection }, version }
}

/** Whether goods are all that is ever charged. */
export function chargesNothingElse({ zones, tax }: Pick<Rates, 'zones' | 'tax'>) {
  return zones.length === 0 && tax.mode === 'none'
}

export function findToday({ timeZone }: Pick<Shop, 'timeZone'>) {
  return findDay(Date.now(), timeZone)
}

/** The card provider's limit for one payment. */
const maxTotalCents = 99_999_999

export function tooMuchError(cents: number) {
  return new ShopError('invalid', `An order can total at most ${formatDollars(toDollars(cents))}.`)
}

/** Where an order goes, unless it is collected at the factory. */
export interface OrderDestination extends StoredDestination {
  collected: boolean
}

interface OrderToCharge {
  lines: LineToCharge[]
  to: OrderDestination
  buyer: BuyerTax
  rates: Rates
  day: string
}

/** Null when goods are all that is charged. Throws 'invalid' when the shop does not deliver there. */
export function chargeOrder(
  shop: Pick<Shop, 'settings'>,
  order: OrderToCharge,
  taxes: KnownTaxes,
): ChargedOrder | null {
  const { lines, rates, buyer, day } = order
  if (order.to.collected && !rates.collection?.isOffered) throw noCollectionError()
  if (chargesNothingElse(rates) && !order.to.collected) return null
  const to = toTaxPlace(order.to, rates)
  const isCalculated = rates.tax.mode === 'stripe'
  const own = isCalculated ? { ...rates, tax: { ...rates.tax, mode: 'none' as const } } : rates
  const known = computeCharges(lines.map(toChargedLine), to, buyer, own, day)
  if (typeof known === 'string') throw deliveryError(shop, known, { lines, to })
  const calculation = isCalculated ? taxes(toTaxRequest(order, to, known)) : null
  const charges = calculation ? addCalculatedTax(known, calculation) : known
  if (charges.total > maxTotalCents) throw tooMuchError(maxTotalCents)
  return {
    charges: { ...pickOrderCharges(charges, order), ...(calculation && { calculation: calculation.id }) },
    deliveryCents: charges.delivery + charges.deliveryTax,
    lines: charges.lines.map(({ net, tax, ...taxed }, i) => ({
      addedCents: net + tax - lines[i]!.price * 100,
      taxCents: tax,
      taxLabel: rates.tax.mode === 'none' ? null : describeTax(taxed),
    })),
  }
}

function pickOrderCharges(charges: Charges, { rates, buyer, to }: OrderToCharge): StoredCharges {
  const { goods, delivery, tax, total, deliveryTax, taxes, deliveryDays } = charges
  const mode = rates.tax.mode === 'stripe' ? 'exclusive' : rates.tax.mode
  const buyerTaxId = (mode !== 'none' && buyer.taxId) || null
  const { collected } = to
  return { goods, delivery, tax, total, deliveryTax, taxes, mode, buyerTaxId, deliveryDays, collected }
}

/** Where the postcode decides about the tax. */
const needPostcode = new Set(['US', 'CA'])

/** Without the street and the town, which an estimate does not have. */
function toTaxRequest(
  { lines, buyer, day }: OrderToCharge,
  to: Destination,
  { delivery }: Charges,
): TaxRequest {
  const { country, region, postcode } = to
  if (!postcode && needPostcode.has(country)) {
    const message = to.isCollected
      ? 'We can’t work out the tax at the factory, because its address has no postcode. Choose delivery, or write to us.'
      : 'Enter the postcode of the address, on which the tax depends.'
    throw new ShopError('invalid', message, { fields: { postcode: [message] } })
  }
  const { taxId: number, vatCountry } = buyer
  return {
    lines: lines.map(({ position, price, quantity, taxClass }) => {
      return { reference: String(position), cents: price * 100, quantity, taxClass }
    }),
    delivery,
    to: { country, region, postcode },
    vatId: number && vatCountry ? { country: vatCountry, number } : null,
    isExempt: isExempt(buyer, to, day),
  }
}

function toChargedLine({ price, taxClass, weight, quantity }: LineToCharge) {
  return { cents: price * 100, taxClass, grams: weight === null ? null : weight * quantity }
}

function noCollectionError() {
  const message = 'We no longer offer to collect orders at the factory. Choose delivery.'
  return new ShopError('invalid', message, { fields: { collect: [message] } })
}

/** The factory’s for what is collected there. */
export function toTaxPlace(
  { country, region, postcode, collected }: OrderDestination,
  { homeCountry, collection }: Rates,
): Destination {
  if (collected && collection) {
    const { country, region, postcode } = collection
    return { country, region: region || undefined, postcode: postcode || undefined, isCollected: true }
  }
  return { country: country ?? homeCountry, region: region ?? undefined, postcode: postcode ?? undefined }
}

function deliveryError(
  { settings }: Pick<Shop, 'settings'>,
  problem: ChargesProblem,
  { lines, to }: { lines: LineToCharge[]; to: Destination },
) {
  const { email } = settings.current.company
  if (problem === 'no region') {
    const message = `Choose the ${(findRegions(to.country)?.label ?? 'Region').toLowerCase()} of the address, on which delivery and tax depend.`
    return new ShopError('invalid', message, { fields: { region: [message] } })
  }
  if (problem === 'no postcode') {
    const message = 'Enter the postcode of the address, on which delivery depends.'
    return new ShopError('invalid', message, { fields: { postcode: [message] } })
  }
  if (problem === 'no delivery') {
    const message = `We don’t deliver to this address in ${nameCountry(to.country)} yet. Write to us: ${email}`
    return new ShopError('invalid', message, { fields: { country: [message] } })
  }
  const names = lines.filter(({ weight }) => weight === null).map(({ name }) => name)
  return new ShopError(
    'invalid',
    `We can’t work out what delivery costs, because we don’t know the weight of ${names.join(', ')}. Write to us: ${email}`,
  )
}

/** Of an order that was charged for more than its goods. */
export function toBasis(order: Omit<OrderToCharge, 'lines'>, parts: ChargeBasis['parts']): ChargeBasis {
  const { rates, buyer, day } = order
  const to = toTaxPlace(order.to, rates)
  const zone = findZone(rates.zones, to)
  const found = [to, { country: rates.homeCountry }].flatMap((place) =>
    Object.values(parts).map(({ taxClass }) => findTaxRate(rates.tax.rates, place, taxClass, day)),
  )
  const used = new Set(found.filter((rate) => rate !== undefined))
  const narrowed = {
    homeCountry: rates.homeCountry,
    collection: order.to.collected ? rates.collection : null,
    zones: zone ? [{ ...zone, places: [{ country: to.country, regions: [], postcodes: [] }] }] : [],
    tax: { mode: rates.tax.mode, rates: [...used] },
  }
  return { rates: narrowed, buyer, day, parts }
}

type KeptLine = Pick<typeof orderLines.$inferSelect, 'partId' | 'parts' | 'position' | 'quantity' | 'price'>

/** Lines of an order that was placed. */
export function chargeAgain(
  shop: Pick<Shop, 'settings'>,
  to: OrderDestination,
  lines: KeptLine[],
  basis: ChargeBasis,
  taxes: KnownTaxes,
): ChargedOrder | null {
  const toCharge = lines.map(({ partId, parts: name, position, quantity, price }) => {
    return { name, position, quantity, price, ...basis.parts[partId]! }
  })
  return chargeOrder(shop, { ...basis, to, lines: toCharge }, taxes)
}

/** The columns of an order. */
export function chargeColumns(charged: ChargedOrder | null, basis: ChargeBasis | null) {
  const { charges = null, deliveryCents = 0 } = charged ?? {}
  return { charges, deliveryCents, chargeBasis: charged && basis } satisfies Partial<
    typeof orders.$inferInsert
  >
}
