import { afterEach, expect, test } from 'vitest'
import {
  currencySymbol,
  formatCount,
  formatDollars,
  setCurrency,
  shortCurrencyName,
  toCents,
  toDollars,
} from './money.ts'

afterEach(() => setCurrency('USD'))

test('a currency has a symbol, and a name for sentences about amounts', () => {
  const named = ['USD', 'EUR', 'CHF', 'CAD'].map((code) => {
    setCurrency(code)
    return [currencySymbol(), shortCurrencyName()]
  })
  expect(named).toEqual([
    ['$', 'dollars'],
    ['€', 'euros'],
    ['CHF', 'Swiss francs'],
    ['CA$', 'Canadian dollars'],
  ])
})

test('dollars have thousands separators, and cents only when there are some', () => {
  const amounts = [0, 7, 19.99, 12.5, 0.07, 1_234, 1_234_567.8]
  expect(amounts.map(formatDollars)).toEqual([
    ...['$0', '$7', '$19.99', '$12.50', '$0.07', '$1,234', '$1,234,567.80'],
  ])
  expect([0, 999, 1_000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567'])
})

test('toCents is exact for every amount with at most two decimals', () => {
  // Each of these is a little less or more than it says when it is multiplied by 100.
  for (const [dollars, cents] of [
    [0, 0],
    [0.07, 7],
    [0.29, 29],
    [1.1, 110],
    [8.2, 820],
    [19.99, 1_999],
    [4_035.35, 403_535],
    [21_474_836.47, 2_147_483_647],
  ] as const)
    expect([toCents(dollars), toDollars(cents)]).toEqual([cents, dollars])
})
