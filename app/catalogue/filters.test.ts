import { expect, test } from 'vitest'
import { type Filters, filtersUrl, readFilters, sorts } from './filters.ts'

const read = (query: string) => readFilters(new URLSearchParams(query))
/** What the page at this address shows. */
const readAddress = (address: string) => readFilters(new URL(address, 'http://shop.test').searchParams)

const nothing: Filters = {
  q: '',
  brand: [],
  category: [],
  price: '',
  available: false,
  sort: '',
  view: 'grid',
  page: 1,
}
const all: Filters = {
  q: '100% carbon & “29"” + #1',
  brand: ['Fernholt & Sons', 'Ostrand'],
  category: ['Forks', 'Räder'],
  price: '100-249',
  available: true,
  sort: '-price',
  view: 'list',
  page: 2,
}

test('an address that says nothing shows the first page of everything, as a grid', () => {
  expect(read('')).toEqual(nothing)
  expect(filtersUrl({})).toBe('/parts')
  expect(filtersUrl(nothing)).toBe('/parts')
})

test('whatever is chosen, its address says the same again', () => {
  expect(readAddress(filtersUrl(all))).toEqual(all)
  for (const name of Object.keys(all) as (keyof Filters)[]) {
    const one = { ...nothing, [name]: all[name] }
    expect(filtersUrl(one), name).toMatch(new RegExp(`^/parts\\?${name}=[^&]+(&${name}=[^&]+)?$`))
    expect(readAddress(filtersUrl(one)), name).toEqual(one)
  }
  for (const { value: sort } of sorts) expect(readAddress(filtersUrl({ sort })).sort).toBe(sort)
})

test('one choice has one address, in whatever order and however often it was named', () => {
  const filters = read('page=2&category=Tyres&brand=Ostrand&brand=Fernholt&q=+carbon+&brand=Ostrand&brand=')
  expect(filters.brand).toEqual(['Fernholt', 'Ostrand'])
  expect(filtersUrl(filters)).toBe('/parts?q=carbon&brand=Fernholt&brand=Ostrand&category=Tyres&page=2')
})

test('an address of a thousand long brands makes no longer page than one of twenty short ones', () => {
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
])('%s is as if it had not been said', (query) => {
  expect(read(query)).toEqual(nothing)
})

test('what is said wrongly takes nothing from what is said rightly', () => {
  expect(read('price=x&page=-1&sort=x&brand=Ostrand&available=true')).toEqual({
    ...nothing,
    brand: ['Ostrand'],
    available: true,
  })
})
