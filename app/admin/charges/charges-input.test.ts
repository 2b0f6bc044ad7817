import { afterEach, expect, test } from 'vitest'
import { deliveryAndTax } from '#shop/charges/rates.ts'
import { setCurrency } from '#shop/money.ts'
import {
  findProblems,
  newRate,
  newStep,
  newZone,
  parseAmount,
  parsePercent,
  readChargesInput,
  toChargesInput,
} from './charges-input.ts'
import { chargesExamples } from './examples.ts'

afterEach(() => setCurrency('USD'))

test('amounts are read in cents, and nothing is guessed', () => {
  const typed = ['12.50', '12.5', '0', '$1,000', '1000', ' 1,234,567.89 ']
  expect(typed.map(parseAmount)).toEqual([1_250, 1_250, 0, 100_000, 100_000, 123_456_789])
  for (const text of ['', '12,50', '1.234', '-1', '1,00', '1e3', '١٢']) expect(parseAmount(text)).toBe(text)
})

test.for([
  ['USD', ['$12.50', '$ 12.50', '12.50 USD'], ['€12.50', '12.50 EUR', '$']],
  [
    'EUR',
    ['€12.50', '12.50 €', '12.50€', 'EUR 12.50', '12.50 eur'],
    ['$12.50', 'CHF 12.50', '12,50 €', '€€12.50'],
  ],
  ['CHF', ['CHF 12.50', 'chf12.50', '12.50\u{a0}CHF'], ['€12.50', 'CHF', 'CHF -1']],
  ['CAD', ['CA$12.50', '$12.50', '12.50 CAD'], ['USD 12.50']],
] as const)('amounts are read with the name of the currency %s', ([code, known, foreign]) => {
  setCurrency(code)
  for (const text of known) expect(parseAmount(text)).toBe(1_250)
  for (const text of foreign) expect(parseAmount(text)).toBe(text)
})

test('per cent are read in millionths, with up to four decimals', () => {
  expect(['19', '8.875', '5,5 %', '0', '100'].map(parsePercent)).toEqual([
    190_000, 88_750, 55_000, 0, 1_000_000,
  ])
  for (const text of ['', '1.00001', '-1', '1,000,0']) expect(parsePercent(text)).toBe(text)
})

test('the examples are valid, and are the same after they were shown', () => {
  for (const { value } of chargesExamples('2027')) {
    const read = deliveryAndTax.parse(readChargesInput(toChargesInput(value)))
    expect(read).toEqual(value)
    const names = [...value.zones, ...value.tax.rates].map(({ name }) => name)
    for (const name of names) expect(name).toContain('Example')
  }
})

test('each problem has the path of its field', () => {
  const weights = { by: 'weight' as const, weightSteps: [newStep('much', '5'), newStep('', 'free')] }
  const zone = { ...newZone(['DE']), ...weights, freeFrom: 'never', daysFrom: '4', daysTo: '2' }
  const collection = { isOffered: true, address: '', country: 'DE', region: '', postcode: '1' }
  const rate = { ...newRate('DE', '2026-01-01'), name: 'VAT', percent: 'a fifth', until: '2025-01-01' }
  const problems = findProblems({ zones: [zone], mode: 'inclusive', rates: [rate], note: '', collection })
  expect(Object.fromEntries(problems)).toEqual({
    'zones.0.name': 'Name is required',
    'zones.0.rate.steps.0.upTo': 'Enter a limit',
    'zones.0.rate.steps.1.cents': 'Enter an amount',
    'zones.0.freeFrom': 'Enter an amount',
    'zones.0.days.to': 'Not fewer than the first',
    'tax.rates.0.millionths': 'Enter a rate',
    'collection.address': 'Address is required',
    'collection.postcode': expect.any(String),
  })
})
