import { randomId } from '#app/browser/random-id.ts'
import {
  type Collection,
  type DeliveryAndTax,
  deliveryAndTax,
  type TaxRate,
  type Zone,
} from '#shop/charges/rates.ts'
import { currencyCode, currencySymbol, toDollars } from '#shop/money.ts'
import type { TaxClass } from '#shop/parts/customs.ts'
import { formatWeight, parseWeight } from '#shop/parts/weight.ts'

/** Amounts, weights and per cent are as typed. A key is that of its row on the screen. */
export interface StepInput {
  key: string
  upTo: string
  cents: string
}

export interface PlaceInput {
  country: string
  regions: string[]
  postcodes: string
}

export interface ZoneInput {
  key: string
  name: string
  places: PlaceInput[]
  by: Zone['rate']['by']
  cents: string
  /** Kept while another kind of price is looked at. */
  weightSteps: StepInput[]
  goodsSteps: StepInput[]
  freeFrom: string
  daysFrom: string
  daysTo: string
}

export interface RateInput {
  key: string
  name: string
  country: string
  regions: string[]
  class: TaxClass
  percent: string
  from: string
  until: string
  onDelivery: boolean
  reverseCharge: boolean
}

/** The country is empty until one is chosen. */
export type CollectionInput = Collection

export interface ChargesInput {
  zones: ZoneInput[]
  mode: DeliveryAndTax['tax']['mode']
  rates: RateInput[]
  note: string
  collection: CollectionInput
}

export function newStep(upTo = '', cents = ''): StepInput {
  return { key: randomId(), upTo, cents }
}

export function newZone(countries: string[]): ZoneInput {
  return {
    key: randomId(),
    name: '',
    places: countries.map(newPlace),
    by: 'order',
    cents: '',
    weightSteps: [newStep()],
    goodsSteps: [newStep()],
    freeFrom: '',
    daysFrom: '',
    daysTo: '',
  }
}

export function newPlace(country: string): PlaceInput {
  return { country, regions: [], postcodes: '' }
}

export function newRate(country: string, from: string): RateInput {
  return {
    key: randomId(),
    name: '',
    country,
    regions: [],
    class: 'standard',
    percent: '',
    from,
    until: '',
    onDelivery: true,
    reverseCharge: false,
  }
}

const noCollection: CollectionInput = {
  isOffered: false,
  address: '',
  country: '',
  region: '',
  postcode: '',
}

export function toChargesInput({ zones, tax, note, collection }: DeliveryAndTax): ChargesInput {
  return {
    zones: zones.map(toZoneInput),
    mode: tax.mode,
    rates: tax.rates.map(toRateInput),
    note,
    collection: collection ?? noCollection,
  }
}

function toZoneInput({ name, places, rate, freeFrom, days }: Zone): ZoneInput {
  const typed = { ...newZone([]), name, by: rate.by, freeFrom: writeAmount(freeFrom) }
  const steps = (write: (upTo: number) => string) =>
    rate.by === 'order'
      ? [newStep()]
      : rate.steps.map(({ upTo, cents }) => newStep(upTo === null ? '' : write(upTo), writeAmount(cents)))
  return {
    ...typed,
    ...(days && { daysFrom: `${days.from}`, daysTo: `${days.to}` }),
    places: places.map((place) => ({ ...place, postcodes: place.postcodes.join(', ') })),
    ...(rate.by === 'order' && { cents: writeAmount(rate.cents) }),
    ...(rate.by === 'weight' && { weightSteps: steps(formatWeight) }),
    ...(rate.by === 'goods' && { goodsSteps: steps(writeAmount) }),
  }
}

function toRateInput({ millionths, until, ...rate }: TaxRate): RateInput {
  return { key: randomId(), ...rate, percent: `${millionths / 10_000}`, until: until ?? '' }
}

/** What cannot be read stays text, so that the schema of the settings refuses it. */
export function readChargesInput({ zones, mode, rates, note, collection }: ChargesInput) {
  return {
    zones: zones.map(readZone),
    tax: { mode, rates: rates.map(readRate) },
    note,
    // The place is kept for orders that are still to be collected.
    collection: collection.isOffered || collection.address.trim() ? collection : null,
  }
}

export function readZone({ name, places, freeFrom, daysFrom = '', daysTo = '', ...price }: ZoneInput) {
  return {
    name,
    places: places.map(({ postcodes, ...place }) => ({
      ...place,
      postcodes: postcodes.split(/[,;\n]/).filter((start) => start.trim() !== ''),
    })),
    rate: readPrice(price),
    freeFrom: freeFrom.trim() === '' ? null : parseAmount(freeFrom),
    ...readDays(daysFrom.trim(), daysTo.trim()),
  }
}

/** One number stands for both. */
function readDays(from: string, to: string) {
  if (from === '' && to === '') return {}
  const parse = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : text)
  return { days: { from: parse(from || to), to: parse(to || from) } }
}

function readPrice({
  by,
  cents,
  weightSteps,
  goodsSteps,
}: Pick<ZoneInput, 'by' | 'cents' | 'weightSteps' | 'goodsSteps'>) {
  if (by === 'order') return { by, cents: parseAmount(cents) }
  const [steps, parse] =
    by === 'weight' ? [weightSteps, (text: string) => parseWeight(text) ?? text] : [goodsSteps, parseAmount]
  return {
    by,
    steps: steps.map((step, i) => ({
      upTo: i === steps.length - 1 ? null : parse(step.upTo),
      cents: parseAmount(step.cents),
    })),
  }
}

export function readRate({ key, percent, until, ...rate }: RateInput) {
  return { ...rate, millionths: parsePercent(percent), until: until || null }
}

/** The first problem of each field, by its path in the settings. */
export function findProblems(input: ChargesInput): Map<string, string> {
  const { error } = deliveryAndTax.safeParse(readChargesInput(input))
  const problems = new Map<string, string>()
  for (const { path, message } of error?.issues ?? [])
    if (!problems.has(path.join('.'))) problems.set(path.join('.'), message)
  return problems
}

function writeAmount(cents: number | null) {
  if (cents === null) return ''
  return cents % 100 === 0 ? `${toDollars(cents)}` : toDollars(cents).toFixed(2)
}

const writtenAmount = /^(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/

/** Cents of `12.50`, `$1,000`, `1000` and `12 USD`, in the currency of the shop. Other text as it is. */
export function parseAmount(text: string): number | string {
  const typed = text.trim()
  const [, dollars, cents = ''] = writtenAmount.exec(typed) ?? writtenAmount.exec(dropCurrency(typed)) ?? []
  return dollars ? Number(dollars.replaceAll(',', '') + cents.padEnd(2, '0')) : text
}

/** Before or after the number. */
function dropCurrency(typed: string) {
  const format = { style: 'currency', currency: currencyCode(), currencyDisplay: 'narrowSymbol' } as const
  const parts = new Intl.NumberFormat('en-US', format).formatToParts(0)
  const narrow = parts.find(({ type }) => type === 'currency')!.value
  const names = [currencyCode(), currencySymbol(), narrow]
  const text = typed.toUpperCase()
  const before = names.find((name) => text.startsWith(name.toUpperCase()))
  if (before) return typed.slice(before.length).trim()
  const after = names.find((name) => text.endsWith(name.toUpperCase()))
  return after ? typed.slice(0, -after.length).trim() : typed
}

/** Millionths of `19`, `8.875` and `5,5 %`. Other text as it is. */
export function parsePercent(text: string): number | string {
  const [, whole, fraction = ''] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s?%?$/.exec(text.trim()) ?? []
  return whole ? Number(whole + fraction.padEnd(4, '0')) : text
}
