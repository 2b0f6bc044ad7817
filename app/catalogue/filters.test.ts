import { expect, test } from 'vitest'
import { type Filters, filtersUrl, readFilters, sorts } from './filters.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))
const readUrl = (url: string) => readFilters(new URL(url, 'http://shop.test').searchParams)

const noFilters: Filters = {
  q: '',
  brand: [],
  category: [],
  spec: [],
  price: '',
  minQuantity: '',
  available: false,
  fits: [],
  sort: '',
  view: 'grid',
  page: 1,
}
const allFilters: Filters = {
  q: '100% carbon & “29"” + #1',
  brand: ['Fernholt & Sons', 'Ostrand'],
  category: ['Forks', 'Räder'],
  spec: ['axle:12 × 148 mm', 'travel:100~150'],
  price: '100-249',
  minQuantity: 'up-to-30',
  available: true,
  fits: ['WW-HR148'],
  sort: '-price',
  view: 'list',
  page: 2,
}

test('an empty query selects the first page of all parts as a grid', () => {
  expect(read('')).toEqual(noFilters)
  expect(filtersUrl({})).toBe('/parts')
  expect(filtersUrl(noFilters)).toBe('/parts')
})

test('readFilters restores the filters from the URL that filtersUrl built', () => {
  expect(readUrl(filtersUrl(allFilters))).toEqual(allFilters)
  for (const name of Object.keys(allFilters) as (keyof Filters)[]) {
    const one = { ...noFilters, [name]: allFilters[name] }
    expect(filtersUrl(one), name).toMatch(new RegExp(`^/parts\\?${name}=[^&]+(&${name}=[^&]+)?$`))
    expect(readUrl(filtersUrl(one)), name).toEqual(one)
  }
  for (const { value: sort } of sorts) expect(readUrl(filtersUrl({ sort })).sort).toBe(sort)
})

test('filtersUrl builds one canonical URL whatever the order and repetition of values', () => {
  const filters = read('page=2&category=Tyres&brand=Ostrand&brand=Fernholt&q=+carbon+&brand=Ostrand&brand=')
  expect(filters.brand).toEqual(['Fernholt', 'Ostrand'])
  expect(filtersUrl(filters)).toBe('/parts?q=carbon&brand=Fernholt&brand=Ostrand&category=Tyres&page=2')
})

test('readFilters limits the number and length of values', () => {
  const many = new URLSearchParams({ q: 'q'.repeat(10_000) })
  for (let i = 0; i < 1_600; i++) {
    many.append('brand', `${i}`.padEnd(10_000, 'x'))
    many.append('category', `${i}`.padEnd(10_000, 'y'))
  }
  const { q, brand, category } = readFilters(many)
  for (const values of [brand, category]) {
    expect(values).toHaveLength(20)
    expect(new Set(values.map((value) => value.length))).toEqual(new Set([80]))
  }
  expect(q).toHaveLength(100)
  expect(read(`brand=${'x'.repeat(80)}1&brand=${'x'.repeat(80)}2`).brand).toEqual(['x'.repeat(80)])
})

test.each([
  'price=x',
  'price=',
  'price=100',
  'price=UNDER-25',
  'sort=x',
  'sort=Price',
  'sort=relevance',
  'page=abc',
  'page=',
  'page=0',
  'page=-1',
  'page=1.5',
  'page=1000001',
  'page=1e99',
  'page=Infinity',
  'available=maybe',
  'available=1',
  'view=pile',
  'q=+++',
  'brand=&category=',
  'colour=red',
])('readFilters ignores %s', (query) => {
  expect(read(query)).toEqual(noFilters)
})

test('readFilters keeps valid parameters beside invalid ones', () => {
  expect(read('price=x&page=1000000&sort=x&brand=Ostrand&available=true')).toEqual({
    ...noFilters,
    page: 1_000_000,
    brand: ['Ostrand'],
    available: true,
  })
})
