import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { demoParts } from '#db/seed/parts.ts'
import { isCountry, listCountries } from '#shop/addresses/countries.ts'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { customsFields, formatHsCode } from './customs.ts'

const form = z.object(customsFields)
const read = (fields: object) => form.safeParse(fields)

test('an HS code is read as people write it, kept as digits and shown in groups', () => {
  const cases: [string, string | null, string?][] = [
    ['8714.91 30', '87149130', '8714 91 30'],
    ['8714.96', '871496', '8714 96'],
    ['8714-96-90', '87149690', '8714 96 90'],
    ['8714\u00a091\u202f30', '87149130', '8714 91 30'],
    [' 8714.91.30.10 ', '8714913010', '8714 91 30 10'],
    ['401150009', '401150009', '4011 50 00 9'],
    ['0101.21', '010121', '0101 21'],
    [' ', null],
    ['', null],
  ]
  for (const [typed, digits, shown] of cases) {
    expect(read({ hsCode: typed }).data, typed).toEqual({ hsCode: digits })
    if (digits) expect(formatHsCode(digits)).toBe(shown)
  }
  fc.assert(
    fc.property(fc.stringMatching(/^\d{6,10}$/), fc.constantFrom('', ' ', '.', '-'), (digits, separator) => {
      const typed = formatHsCode(digits).replaceAll(' ', separator)
      expect(read({ hsCode: typed }).data).toEqual({ hsCode: digits })
    }),
  )
})

test('what is no HS code, country or tax class is refused at its field', () => {
  const hsCode = 'Enter 6 to 10 digits, such as 8714.91 30'
  const origin = 'Enter a country code such as DE or TW'
  const taxClass = 'Tax class must be one of standard, reduced, zero'
  for (const [fields, message] of [
    [{ hsCode: '87149' }, hsCode],
    [{ hsCode: '8714.9' }, hsCode],
    [{ hsCode: '12345678901' }, hsCode],
    [{ hsCode: '8714/96' }, hsCode],
    [{ hsCode: 'bicycle' }, hsCode],
    [{ hsCode: '٨٧١٤٩٦' }, hsCode],
    [{ hsCode: 871496 }, 'Must be text'],
    [{ origin: 'Germany' }, origin],
    [{ origin: 'EU' }, origin],
    [{ origin: 'ZZ' }, origin],
    [{ origin: 49 }, 'Must be text'],
    [{ taxClass: 'luxury' }, taxClass],
    [{ taxClass: '' }, taxClass],
    [{ taxClass: null }, taxClass],
  ] as const) {
    const { issues } = read(fields).error!
    expect([issues[0]!.path[0], issues[0]!.message]).toEqual([Object.keys(fields)[0], message])
  }
})

test('a country is one of ISO 3166-1 or Kosovo, written in either case, and each has a name of its own', () => {
  expect(read({ origin: ' de ' }).data).toEqual({ origin: 'DE' })
  const countries = listCountries()
  expect(countries).toHaveLength(250)
  expect(new Set(countries.map(({ name }) => name)).size).toBe(250)
  expect(countries.filter(({ code, name }) => name === code)).toEqual([])
  expect(['UK', 'EU', 'de', 'D', 'DEU', ''].filter(isCountry)).toEqual([])
  expect(nameCountry('TW')).toBe('Taiwan')
})

test('a form without these fields leaves them out, and the demo’s parts have valid ones', () => {
  expect(read({}).data).toEqual({})
  for (const part of demoParts) {
    const { weight, origin, hsCode } = part
    expect(read(part).data, part.name).toMatchObject({ weight, origin, hsCode })
  }
})
