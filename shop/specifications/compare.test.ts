import { expect, test } from 'vitest'
import { compareTexts, compareUrl, readCompared } from './compare.ts'

const read = (query: string) => readCompared(new URLSearchParams(query))

test('readCompared takes up to four different parts, and one more to add', () => {
  expect(read('parts=a,b,a,,c,d,e&add=x')).toEqual({ ids: ['a', 'b', 'c', 'd'], add: 'x' })
  expect(read('parts=a&add=a')).toEqual({ ids: ['a'], add: null })
  expect(read('')).toEqual({ ids: [], add: null })
  expect(read(`parts=${'x'.repeat(10_000)}`).ids[0]).toHaveLength(64)
  expect(compareUrl(['a', 'b&c'], 'd')).toBe('/compare?parts=a,b%26c&add=d')
  expect(read(compareUrl(['a', 'b&c'], 'd').slice('/compare?'.length))).toEqual({
    ids: ['a', 'b&c'],
    add: 'd',
  })
  expect(compareUrl([])).toBe('/compare')
})

test('compareTexts has one row for each name, and says where parts differ', () => {
  const rows = compareTexts([
    [
      ['Price', '$7'],
      ['Weight', '90 g'],
      ['Speeds', '12'],
    ],
    [
      ['Price', '$7'],
      ['Brand', 'Own'],
      ['Weight', '95 g'],
    ],
    [
      ['Teeth', '42T'],
      ['Speeds', '12'],
    ],
  ])
  expect(rows.map(({ name, values, differs }) => [name, values.join(), differs])).toEqual([
    ['Price', '$7,$7,', true],
    ['Brand', ',Own,', true],
    ['Weight', '90 g,95 g,', true],
    ['Teeth', ',,42T', true],
    ['Speeds', '12,,12', true],
  ])
  expect(compareTexts([[['Price', '$7']], [['Price', '$7']]])[0]?.differs).toBe(false)
})
