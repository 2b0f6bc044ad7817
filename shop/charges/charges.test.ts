import { expect, test } from 'vitest'
import { type BuyerTax, type ChargedLine, type Charges, computeCharges } from './charges.ts'
import {
  type Destination,
  deliveryAndTax,
  findOverlap,
  type Rates,
  type TaxRate,
  type Zone,
} from './rates.ts'
import { multiplyRounded, splitInShares } from './shares.ts'

const day = '2026-11-30'
const german: Destination = { country: 'DE', postcode: '28195' }
const nobody: BuyerTax = {}

const vat: TaxRate = {
  name: 'VAT',
  country: 'DE',
  regions: [],
  class: 'standard',
  millionths: 190_000,
  from: '2020-01-01',
  until: null,
  onDelivery: true,
  reverseCharge: true,
}
const austrian = { ...vat, country: 'AT', millionths: 200_000 }
const reduced = { ...vat, class: 'reduced' as const, millionths: 70_000 }
const zero = { ...vat, class: 'zero' as const, millionths: 0 }
const parcel: Zone = {
  name: 'Parcel',
  places: [place('DE'), place('AT'), place('US'), place('CH')],
  rate: { by: 'order', cents: 1_500 },
  freeFrom: 100_000,
}

function place(country: string, { regions = [] as string[], postcodes = [] as string[] } = {}) {
  return { country, regions, postcodes }
}

/** A shop in Germany. */
function sell(
  mode: Rates['tax']['mode'],
  taxRates = [vat, austrian, reduced, zero],
  zones = [parcel],
): Rates {
  return { homeCountry: 'DE', zones, tax: { mode, rates: taxRates } }
}

const line = (cents: number, taxClass: ChargedLine['taxClass'] = 'standard', grams: number | null = 500) =>
  ({ cents, taxClass, grams }) satisfies ChargedLine

function charge(lines: ChargedLine[], shop: Rates, to = german, buyer = nobody, on = day): Charges {
  const charges = computeCharges(lines, to, buyer, shop, on)
  if (typeof charges === 'string') throw new Error(charges)
  return charges
}

const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0)

/** The same numbers for the same seed, from 0 to 1. */
function randomNumbers(seed: number) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('with nothing set, delivery is free, no tax is charged, and the total is that of the goods', () => {
  const none = sell('none', [], [])
  expect(charge([line(153_600), line(89_600, 'zero', null)], none, { country: 'FJ' })).toEqual({
    goods: 243_200,
    delivery: 0,
    tax: 0,
    total: 243_200,
    lines: [
      { net: 153_600, tax: 0 },
      { net: 89_600, tax: 0 },
    ],
    deliveryTax: 0,
    taxes: [],
    zone: null,
    deliveryDays: null,
  })
})

test('lines, the table of rates and the total add up for 100,000 random orders', () => {
  const random = randomNumbers(7)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <Value>(values: readonly Value[]) => values[below(values.length)]!
  const strange = { ...vat, country: 'US', regions: ['OR'], millionths: 88_750, onDelivery: false }
  for (let i = 0; i < 100_000; i++) {
    const lines = Array.from({ length: 1 + below(6) }, () =>
      line(pick([0, 1, 7, 99, 100, 3_333, below(5_000_000)]), pick(['standard', 'reduced', 'zero'])),
    )
    const zone = { ...parcel, rate: { by: 'order' as const, cents: pick([0, 1, 499, 1_500]) } }
    const mode = pick(['none', 'exclusive', 'inclusive'] as const)
    const to = pick([german, { country: 'AT' }, { country: 'CH' }, { country: 'US', region: 'OR' }])
    const buyer = pick([nobody, { vatCountry: 'AT' }, { exemption: { country: 'US', until: day } }])
    const shop = sell(mode, [vat, austrian, reduced, zero, strange], [zone])
    const found = charge(lines, shop, to, buyer)
    const { goods, delivery, tax, total, deliveryTax, taxes } = found
    const shown = sum(lines.map(({ cents }) => cents))
    const isPaidAsShown = mode === 'inclusive' && taxes.every(({ reason }) => reason === undefined)
    const amounts = [goods, delivery, deliveryTax, ...found.lines.flatMap(({ net, tax }) => [net, tax])]
    const rules = {
      'net lines are the goods': sum(found.lines.map(({ net }) => net)) === goods,
      'taxes of lines and delivery are the tax': sum(found.lines.map((one) => one.tax)) + deliveryTax === tax,
      'goods, delivery and tax are the total': goods + delivery + tax === total,
      'amounts are whole cents': amounts.every((cents) => Number.isInteger(cents) && cents >= 0),
      'bases of rates are goods and delivery':
        mode === 'none' || sum(taxes.map(({ base }) => base)) === goods + delivery,
      'taxes of rates are the tax': sum(taxes.map((one) => one.tax)) === tax,
      'a rate times its base is its tax':
        mode !== 'exclusive' ||
        taxes.every(
          ({ rate, base, tax }) => !rate || tax === multiplyRounded(base, rate.millionths, 1_000_000),
        ),
      'inclusive prices are paid as shown':
        !isPaidAsShown || [shown, shown + zone.rate.cents].includes(total),
    }
    const broken = Object.entries(rules).find(([, isKept]) => !isKept)
    if (broken) expect.fail(`${broken[0]}: ${JSON.stringify({ lines, mode, to, buyer, found })}`)
  }
})

test('what is collected has no delivery, and the tax of the factory’s place without reverse charge', () => {
  const at = { country: 'AT', isCollected: true }
  const shop = sell('exclusive', [vat, { ...austrian, reverseCharge: true }], [parcel])
  const found = charge([line(10_000)], shop, at, { vatCountry: 'AT' })
  expect(found).toMatchObject({ delivery: 0, zone: null, deliveryDays: null, total: 12_000 })
  expect(found.taxes).toMatchObject([{ rate: { country: 'AT' }, tax: 2_000 }])
  expect(charge([line(10_000)], shop, { country: 'AT' }, { vatCountry: 'AT' }).tax).toBe(0)
})

test('tax is rounded once for each rate, not for each line', () => {
  const lines = Array.from({ length: 3 }, () => line(10))
  const { tax, lines: charged } = charge(lines, sell('exclusive', [vat], []))
  // 1.9 cents of each would be 2, and 6 of all.
  expect([tax, charged.map(({ tax }) => tax)]).toEqual([6, [2, 2, 2]])
  const small = charge([line(2), line(2), line(2)], sell('exclusive', [vat], []))
  expect([small.tax, small.lines.map(({ tax }) => tax)]).toEqual([1, [1, 0, 0]])
})

test('one and two of a thing differ by no cent that the order does not show', () => {
  for (const mode of ['exclusive', 'inclusive'] as const)
    for (let cents = 1; cents < 400; cents++) {
      const [one, two] = [1, 2].map((quantity) => charge([line(quantity * cents)], sell(mode, [vat], [])))
      expect(Math.abs(two!.tax - 2 * one!.tax)).toBeLessThanOrEqual(1)
      expect(two!.goods + two!.tax).toBe(two!.total)
      if (mode === 'inclusive') expect(two!.total).toBe(2 * one!.total)
    }
})

test('inclusive prices are what is paid, whatever tax of the destination is in them', () => {
  const shop = sell('inclusive')
  expect(charge([line(11_900)], shop)).toMatchObject({ goods: 10_000, tax: 2_139, total: 13_400 })
  expect(charge([line(12_000)], shop, { country: 'AT' })).toMatchObject({ goods: 10_000, total: 13_500 })
})

test('inclusive prices lose the tax of the shop’s country where none is due', () => {
  expect(charge([line(11_900)], sell('inclusive'), { country: 'CH' })).toMatchObject({
    goods: 10_000,
    delivery: 1_261,
    tax: 0,
    total: 11_261,
    taxes: [{ reason: 'no rate', base: 11_261, tax: 0 }],
  })
})

test('a tax class of zero stands beside the standard one on one order', () => {
  const { taxes, lines } = charge([line(10_000), line(5_000, 'zero')], sell('exclusive'))
  expect(lines.map(({ tax }) => tax)).toEqual([1_900, 0])
  expect(taxes).toEqual([
    { rate: { name: 'VAT', country: 'DE', millionths: 190_000 }, base: 11_000, tax: 2_090 },
    { rate: { name: 'VAT', country: 'DE', millionths: 0 }, base: 5_500, tax: 0 },
  ])
})

test('delivery is taxed as the goods are, in proportion, or not at all where the rate says so', () => {
  const goods = [line(10_000), line(30_000, 'reduced')]
  const { delivery, deliveryTax, taxes } = charge(goods, sell('exclusive'))
  expect([delivery, deliveryTax]).toEqual([1_500, 71 + 79])
  expect(taxes.map(({ base, tax }) => [base, tax])).toEqual([
    [10_375, 1_971],
    [31_125, 2_179],
  ])
  const oregon = { country: 'US', region: 'OR' }
  const sales = { ...vat, name: 'Sales tax', country: 'US', regions: ['OR'], onDelivery: false }
  expect(charge([line(10_000)], sell('exclusive', [sales]), oregon)).toMatchObject({
    tax: 1_900,
    deliveryTax: 0,
    total: 13_400,
    taxes: [
      { base: 10_000, tax: 1_900 },
      { reason: 'not on delivery', base: 1_500, tax: 0 },
    ],
  })
})

test('the threshold counts goods before tax and delivery, and is looked at again when a line goes', () => {
  const shop = sell('exclusive')
  expect(charge([line(60_000), line(40_000)], shop)).toMatchObject({ goods: 100_000, delivery: 0 })
  expect(charge([line(60_000)], shop)).toMatchObject({ delivery: 1_500 })
  expect(charge([line(99_999)], shop)).toMatchObject({ delivery: 1_500 })
  // 100,000 with tax, but 84,034 without.
  expect(charge([line(100_000)], sell('inclusive')).delivery).toBeGreaterThan(0)
  expect(charge([line(119_000)], sell('inclusive')).delivery).toBe(0)
})

test('an address outside of all zones is a problem, never free', () => {
  expect(computeCharges([line(10_000)], { country: 'FJ' }, nobody, sell('none'), day)).toBe('no delivery')
  const bremen = { ...parcel, places: [place('DE', { postcodes: ['28'] })] }
  const shop = sell('none', [], [bremen])
  expect(computeCharges([line(1)], { country: 'DE', postcode: '28 195' }, nobody, shop, day)).toMatchObject({
    delivery: 1_500,
    zone: 'Parcel',
  })
  for (const to of [
    { country: 'DE', postcode: '12827' },
    { country: 'US', postcode: '28195' },
  ])
    expect(computeCharges([line(1)], to, nobody, shop, day)).toBe('no delivery')
})

test('delivery by weight and by goods takes the first step that is not exceeded', () => {
  const steps = [
    { upTo: 1_000, cents: 500 },
    { upTo: 5_000, cents: 900 },
    { upTo: null, cents: 2_000 },
  ]
  for (const by of ['weight', 'goods'] as const) {
    const shop = sell('none', [], [{ ...parcel, rate: { by, steps } }])
    const delivery = (size: number) =>
      charge([line(by === 'goods' ? size : 1, 'standard', by === 'goods' ? null : size)], shop).delivery
    expect([1, 1_000, 1_001, 5_000, 5_001].map(delivery)).toEqual([500, 500, 900, 900, 2_000])
  }
  const shop = sell('none', [], [{ ...parcel, rate: { by: 'weight', steps } }])
  expect(computeCharges([line(1), line(1, 'standard', null)], german, nobody, shop, day)).toBe('no weight')
})

test('reverse charge needs a checked VAT ID of another country, goods that go abroad, and a rate with it', () => {
  const austria = { country: 'AT' }
  const taxOf = (buyer: BuyerTax, to = austria, rate = austrian) =>
    charge([line(10_000)], sell('exclusive', [vat, rate], []), to, buyer)
  expect(taxOf({ vatCountry: 'AT' })).toMatchObject({
    tax: 0,
    total: 10_000,
    taxes: [{ reason: 'reverse charge', base: 10_000, tax: 0 }],
  })
  expect(taxOf({}).tax, 'an ID that nobody has checked').toBe(2_000)
  expect(taxOf({ vatCountry: 'DE' }).tax, 'an ID of the shop’s country').toBe(2_000)
  expect(taxOf({ vatCountry: 'AT' }, german).tax, 'goods that stay').toBe(1_900)
  expect(taxOf({ vatCountry: 'AT' }, austria, { ...austrian, reverseCharge: false }).tax).toBe(2_000)
})

test('an exemption counts until its last day, in its place', () => {
  const oregon = { country: 'US', region: 'OR' }
  const sales = { ...vat, country: 'US', regions: ['OR', 'WA'], reverseCharge: false }
  const taxOf = (exemption: BuyerTax['exemption'], to = oregon, on = day) =>
    charge([line(10_000)], sell('exclusive', [sales], []), to, { exemption }, on).tax
  expect(taxOf({ country: 'US', region: 'OR', until: day })).toBe(0)
  expect(taxOf({ country: 'US', region: 'OR', until: day }, oregon, '2026-12-01')).toBe(1_900)
  expect(taxOf({ country: 'US', region: 'OR', until: day }, { country: 'US', region: 'WA' })).toBe(1_900)
  expect(taxOf({ country: 'US', until: day })).toBe(0)
})

test('a rate counts from its first to its last day', () => {
  const older = { ...vat, millionths: 160_000, until: '2026-12-31' }
  const newer = { ...vat, millionths: 190_000, from: '2027-01-01' }
  const taxOn = (on: string) =>
    charge([line(10_000)], sell('exclusive', [older, newer], []), german, nobody, on).tax
  expect(['2026-12-31', '2027-01-01', '2019-12-31'].map(taxOn)).toEqual([1_600, 1_900, 0])
})

test('zones and rates that both match an address are named', () => {
  const zone = (name: string, ...places: Zone['places']) => ({ ...parcel, name, places })
  const overlap = (a: Zone, b: Zone) =>
    findOverlap({ zones: [a, b], tax: { mode: 'none', rates: [] } })?.message
  const bremen = zone('Bremen', place('DE', { postcodes: ['28'] }))
  for (const other of [
    zone('All', place('DE')),
    zone('Centre', place('DE', { postcodes: ['28195'] })),
    zone('A state', place('DE', { regions: ['HB'] })),
    zone('North', place('DK'), place('DE', { postcodes: ['2'] })),
  ])
    expect(overlap(bremen, other)).toBe(
      `“Bremen” and “${other.name}” have places in common. Each address needs one zone.`,
    )
  expect(
    overlap(bremen, zone('Hamburg', place('DE', { postcodes: ['20', '21'] }), place('AT'))),
  ).toBeUndefined()
  const west = zone('West', place('US', { regions: ['OR', 'WA'] }))
  expect(overlap(west, zone('East', place('US', { regions: ['NY'] })))).toBeUndefined()
  expect(overlap(west, zone('Oregon', place('US', { regions: ['OR'] })))).toBeDefined()

  const same = (...taxRates: TaxRate[]) =>
    findOverlap({ zones: [], tax: { mode: 'exclusive', rates: taxRates } })?.message
  expect(same(vat, { ...vat, name: 'MwSt', from: '2027-01-01' })).toBe(
    'Two standard rates of DE are valid on one day: VAT and MwSt.',
  )
  expect(
    same({ ...vat, until: '2026-12-31' }, { ...vat, from: '2027-01-01' }, reduced, austrian),
  ).toBeUndefined()
})

test('shares add up, and none is a cent or more from its part', () => {
  const random = randomNumbers(11)
  for (let i = 0; i < 20_000; i++) {
    const weights = Array.from({ length: 1 + Math.floor(random() * 9) }, () => Math.floor(random() * 1e9))
    const amount = Math.floor(random() * 1e12)
    const shares = splitInShares(amount, weights)
    const total = sum(weights)
    const isFair = shares.every((share, j) => Math.abs(share - (amount * weights[j]!) / total) <= 1)
    if (sum(shares) !== amount || !isFair) expect.fail(JSON.stringify({ amount, weights, shares }))
  }
  expect(splitInShares(10, [1, 1, 1])).toEqual([4, 3, 3])
  expect(splitInShares(2, [0, 1, 1, 1])).toEqual([0, 1, 1, 0])
  expect(splitInShares(5, [0, 0])).toEqual([5, 0])
})

test('halves of a cent are rounded up, also beyond what floating point can hold', () => {
  expect(multiplyRounded(50, 10_000, 1_000_000)).toBe(1)
  expect(multiplyRounded(49, 10_000, 1_000_000)).toBe(0)
  expect(multiplyRounded(9_007_199_254_740_991, 1_000_000, 1_000_000)).toBe(9_007_199_254_740_991)
})

test('settings refuse steps that go down, lack an end, or days in the wrong order', () => {
  const errors = (change: object) =>
    deliveryAndTax.safeParse({ ...sell('exclusive'), ...change }).error?.issues.length ?? 0
  const stepped = (...upTo: (number | null)[]) => ({
    zones: [{ ...parcel, rate: { by: 'weight', steps: upTo.map((upTo) => ({ upTo, cents: 1 })) } }],
  })
  expect(errors({})).toBe(0)
  expect(errors(stepped(1_000, null))).toBe(0)
  for (const wrong of [stepped(1_000), stepped(2_000, 1_000, null), stepped(null, null), stepped()])
    expect(errors(wrong)).toBeGreaterThan(0)
  expect(errors({ tax: { mode: 'exclusive', rates: [{ ...vat, until: '2019-01-01' }] } })).toBe(1)
  expect(
    deliveryAndTax.parse({
      ...sell('none', [], [{ ...parcel, places: [place('GB', { postcodes: ['sw1a 1'] })] }]),
    }),
  ).toMatchObject({ zones: [{ places: [{ postcodes: ['SW1A1'] }] }] })
})

test('an address without the region or postcode that decides its zone or tax is incomplete, and not untaxed', () => {
  const sales = { ...vat, name: 'Sales tax', country: 'US', regions: ['OR'] }
  const american = { country: 'US', postcode: '97201' }
  const compute = (shop: Rates, to: Destination) => computeCharges([line(10_000)], to, nobody, shop, day)
  expect(compute(sell('exclusive', [sales], []), american)).toBe('no region')
  expect(compute(sell('exclusive', [sales], []), { ...american, region: 'NY' })).toMatchObject({ tax: 0 })
  expect(compute(sell('none', [], []), american)).toMatchObject({ tax: 0 })
  const west = { ...parcel, places: [place('US', { regions: ['OR'] }), place('DE', { postcodes: ['2'] })] }
  const shop = sell('none', [], [west])
  expect(compute(shop, american)).toBe('no region')
  expect(compute(shop, { ...american, region: 'NY' })).toBe('no delivery')
  expect(compute(shop, { country: 'DE' })).toBe('no postcode')
  expect(compute(shop, { country: 'DE', postcode: '80331' })).toBe('no delivery')
})

test('within the Union, the VAT ID of a country outside of it changes nothing', () => {
  const austria = { country: 'AT' }
  const taxFor = (vatCountry: string) =>
    charge([line(10_000)], sell('exclusive', [vat, austrian], []), austria, { vatCountry }).tax
  expect([taxFor('FR'), taxFor('GB'), taxFor('CH')]).toEqual([0, 2_000, 2_000])
})
