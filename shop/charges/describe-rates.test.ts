import { expect, test } from 'vitest'
import {
  describePlace,
  describeValidity,
  describeZonePrice,
  formatMillionths,
  listDeliveryAndTax,
} from './describe-rates.ts'
import type { Zone } from './rates.ts'

test('each kind of price of delivery is said with its limits', () => {
  const goods: Zone['rate'] = {
    by: 'goods',
    steps: [
      { upTo: 10_050, cents: 1_250 },
      { upTo: null, cents: 0 },
    ],
  }
  const weight: Zone['rate'] = { by: 'weight', steps: [{ upTo: null, cents: 500 }] }
  expect(describeZonePrice({ rate: goods, freeFrom: null })).toBe('$12.50 up to $100.50 of goods, $0 above')
  expect(describeZonePrice({ rate: weight, freeFrom: 0 })).toBe('$5 per order, free from $0 of goods')
  expect([190_000, 88_750, 0, 1].map(formatMillionths)).toEqual(['19 %', '8.875 %', '0 %', '0.0001 %'])
})

test('a rate is valid from its first day to its last', () => {
  const ended = { from: '2026-01-01', until: '2026-12-31' }
  const days = ['2025-12-31', '2026-01-01', '2026-12-31', '2027-01-01']
  expect(days.map((day) => describeValidity(ended, day))).toEqual([
    'not valid yet',
    null,
    null,
    'no longer valid',
  ])
  expect(describeValidity({ ...ended, until: null }, '2099-01-01')).toBeNull()
})

test('a place names its regions, and a code that is none of them stays', () => {
  expect(describePlace({ country: 'CA', regions: ['QC', 'XX'], postcodes: ['H2'] })).toBe(
    'Canada (Quebec, XX, postcodes that begin with H2)',
  )
  expect(describePlace({ country: 'DE', regions: ['BE'], postcodes: [] })).toBe('Germany (BE)')
})

test('two zones of one name are two in the list', () => {
  const zone = (cents: number): Zone => ({
    name: 'Parcel',
    places: [],
    rate: { by: 'order', cents },
    freeFrom: null,
  })
  const listed = listDeliveryAndTax({
    zones: [zone(100), zone(200)],
    tax: { mode: 'none', rates: [] },
    note: 'Why',
  })
  expect(listed).toMatchObject({
    'Zone “Parcel”, price': '$1 per order',
    'Zone “Parcel”, price (2)': '$2 per order',
    'Sentence on invoices without tax': 'Why',
  })
})
