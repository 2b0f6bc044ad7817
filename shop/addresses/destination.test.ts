import { expect, test } from 'vitest'
import { addressForm } from './address.ts'
import { findRegions, isCountry, listCountries } from './countries.ts'
import { nameCountry } from './country-name.ts'
import { listDestination } from './destination.ts'
import { findPostcodeProblem, formatPostcode, hasPostcodes } from './postcodes.ts'

// biome-ignore format: a table
const right: [country: string, typed: string, written: string][] = [
  ['US', '97201', '97201'], ['US', '972011234', '97201-1234'], ['US', 'OR 97201-1234', '97201-1234'],
  ['DE', ' 28 195 ', '28195'], ['DE', 'D-28195', '28195'], ['AT', 'A-1010', '1010'], ['CH', 'CH-8001', '8001'],
  ['GB', 'sw1a1aa', 'SW1A 1AA'], ['GB', 'm11ae', 'M1 1AE'], ['GB', 'B33-8TH', 'B33 8TH'], ['GB', 'dn55 1pt', 'DN55 1PT'],
  ['GB', 'w1a 0ax', 'W1A 0AX'], ['CA', 'K1A0B1', 'K1A 0B1'], ['CA', 'k1a-0b1', 'K1A 0B1'], ['NL', '1012ab', '1012 AB'],
  ['IE', 'd02af30', 'D02 AF30'], ['IE', 'D6W XY00', 'D6W XY00'], ['FR', '75 001', '75001'], ['SE', '11455', '114 55'],
  ['SE', 'SE-114 55', '114 55'], ['PL', '00950', '00-950'], ['PT', '1000205', '1000-205'], ['CZ', '11000', '110 00'],
  ['GR', '10557', '105 57'], ['BR', '01310100', '01310-100'], ['JP', '１０００００１', '100-0001'], ['AU', '2000', '2000'],
  ['IN', '110 001', '110001'], ['LV', '1010', 'LV-1010'], ['LV', 'lv1010', 'LV-1010'], ['AD', '500', 'AD500'],
  ['MT', 'vlt1117', 'VLT 1117'], ['KY', 'KY11100', 'KY1-1100'], ['AR', 'c1425cla', 'C1425CLA'], ['TW', '106', '106'],
  ['JE', 'je23xp', 'JE2 3XP'], ['SG', '018956', '018956'], ['IT', 'I-00144', '00144'], ['ZA', '0001', '0001'],
]

// biome-ignore format: a table
const wrong: [country: string, typed: string][] = [
  ['US', '9720'], ['US', '97201-12'], ['US', 'SW1A 1AA'], ['DE', '2819'], ['DE', '281955'], ['DE', '2819O'], ['AT', '28195'],
  ['GB', '12345'], ['GB', 'SW1A 11A'], ['GB', 'SW1A'], ['CA', '90210'], ['CA', 'K1A 0BB'], ['NL', '1012'], ['NL', '1012 A1'],
  ['IE', 'D02'], ['FR', '7500'], ['SE', '1145'], ['PL', '009-50x'], ['BR', '01310'], ['JP', '1000'], ['LV', 'LT-1010'],
  ['AD', 'BD500'], ['AU', '20000'], ['SG', '18956'], ['IN', '11001'],
]

test('postcodes of 25 countries are accepted however they are typed, and written as people there do', () => {
  expect(new Set(right.map(([country]) => country)).size).toBeGreaterThanOrEqual(25)
  for (const [country, typed, written] of right) {
    expect(formatPostcode(country, typed), `${country} ${typed}`).toBe(written)
    expect(formatPostcode(country, written), written).toBe(written)
    expect(findPostcodeProblem(country, typed)).toBeUndefined()
  }
})

test('a postcode of another form is refused with an example of the country', () => {
  for (const [country, typed] of wrong)
    expect(formatPostcode(country, typed), `${country} ${typed}`).toBeNull()
  expect(findPostcodeProblem('GB', '12345')).toBe('Enter a postcode such as SW1A 1AA')
  expect(findPostcodeProblem('IE', '12345')).toBe('Enter a postcode such as D02 AF30')
  expect(findPostcodeProblem('HK', '12345')).toBe('This country has no postcodes. Leave this empty.')
})

test('each country’s example is one of its postcodes, and no postcode has a country that is none', () => {
  const withPostcodes = listCountries().filter(({ code }) => hasPostcodes(code))
  expect(withPostcodes.length).toBeGreaterThan(170)
  for (const { code } of withPostcodes) {
    const example = findPostcodeProblem(code, '!')!.replace('Enter a postcode such as ', '')
    expect(formatPostcode(code, example), code).toBe(example)
  }
})

test('countries are listed by name, and those with regions have each once', () => {
  const names = listCountries().map(({ name }) => name)
  expect(names.length).toBeGreaterThan(240)
  expect(names).toEqual(names.toSorted(new Intl.Collator('en').compare))
  expect([isCountry('DE'), isCountry('de'), isCountry('XX'), nameCountry('DE')]).toEqual([
    true,
    false,
    false,
    'Germany',
  ])
  for (const [country, count] of [
    ['US', 62],
    ['CA', 13],
    ['AU', 8],
    ['BR', 27],
  ] as const) {
    const codes = findRegions(country)!.regions.map(({ code }) => code)
    expect(new Set(codes).size, country).toBe(count)
  }
  expect(findRegions('DE')).toBeUndefined()
  expect(findRegions('toString')).toBeUndefined()
})

test('town, region and postcode stand as the country has them, and another country is named', () => {
  const cases: [Parameters<typeof listDestination>[0], string[]][] = [
    [{ country: 'US', region: 'OR', postcode: '97201', town: 'Portland' }, ['Portland, OR 97201']],
    [{ country: 'US', town: 'Portland' }, ['Portland']],
    [{ country: 'US', region: 'OR', postcode: '97201' }, ['OR 97201']],
    [{ country: 'DE', postcode: '28195', town: 'Bremen' }, ['28195 Bremen', 'Germany']],
    [{ country: 'CA', region: 'ON', postcode: 'K1A 0B1', town: 'Ottawa' }, ['Ottawa ON K1A 0B1', 'Canada']],
    [{ country: 'AU', region: 'NSW', postcode: '2000', town: 'Sydney' }, ['Sydney NSW 2000', 'Australia']],
    [{ country: 'GB', postcode: 'SW1A 1AA', town: 'London' }, ['London', 'SW1A 1AA', 'United Kingdom']],
    [
      { country: 'BR', region: 'SP', postcode: '01310-100', town: 'São Paulo' },
      ['São Paulo - SP', '01310-100', 'Brazil'],
    ],
    [{ country: 'AE', town: 'Dubai' }, ['Dubai', 'United Arab Emirates']],
    [{ country: 'US' }, []],
    [{ country: null, region: null, postcode: null, town: null }, []],
    [{}, []],
  ]
  for (const [destination, lines] of cases) expect(listDestination(destination, 'US')).toEqual(lines)
  expect(listDestination({ country: 'DE', town: 'Bremen' }, null)).toEqual(['Bremen'])
})

test('a form says what is wrong with postcode and region also while other fields are empty', () => {
  const errorsOf = (form: object) => {
    const { error } = addressForm.safeParse({ address: '', phoneNumber: '5550100', ...form })
    return Object.fromEntries(error!.issues.map(({ path, message }) => [path.join('.'), message]))
  }
  expect(errorsOf({ country: 'de', postcode: '123', region: 'OR' })).toEqual({
    address: 'Address is required',
    postcode: 'Enter a postcode such as 28195',
    region: 'Addresses in this country need no region. Leave this empty.',
  })
  expect(errorsOf({ country: 'US', region: 'XX' })).toMatchObject({ region: 'Choose a state, such as AL' })
  expect(errorsOf({ country: 'USA' })).toMatchObject({
    country: 'Enter a country code such as US',
  })
  expect(errorsOf({ country: 'XX', address: 3 })).toMatchObject({ address: 'Address is required' })
})
