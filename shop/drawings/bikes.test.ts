import { expect, test } from 'vitest'
import { countNeeds, describeRounding, readBikes } from './bikes.ts'

const chain = { _id: 'chain', name: 'Chain', minQuantity: 10, multiple: 1, availableQuantity: 500 }
const spokes = { _id: 'spokes', name: 'Spokes', minQuantity: 30, multiple: 12, availableQuantity: 700 }
const parts = [chain, spokes]

const needOf = (part: typeof chain, quantity: number, bikes: number) =>
  countNeeds([{ partId: part._id, quantity }], [part], bikes)[0]!

test('countNeeds orders what the bikes need when the rules allow it', () => {
  const need = needOf(chain, 1, 20)
  expect(need).toMatchObject({ needed: 20, quantity: 20 })
  expect(describeRounding(need)).toBeNull()
})

test('countNeeds raises a quantity to the minimum, and says so', () => {
  const need = needOf(chain, 1, 3)
  expect(need.quantity).toBe(10)
  expect(describeRounding(need)).toBe('10 instead of 3: at least 10')
})

test('countNeeds raises a quantity to a multiple, and the minimum to one', () => {
  expect(describeRounding(needOf(spokes, 32, 20))).toBe('648 instead of 640: in multiples of 12')
  expect(describeRounding(needOf(spokes, 1, 1))).toBe('36 instead of 1: at least 30, in multiples of 12')
})

test('countNeeds leaves out what the stock, in whole multiples, has too few of', () => {
  expect(needOf(chain, 1, 500).quantity).toBe(500)
  expect(needOf(chain, 1, 501).quantity).toBeNull()
  // 700 are in stock, and 696 can be ordered.
  expect(needOf(spokes, 1, 696).quantity).toBe(696)
  expect(needOf(spokes, 1, 697).quantity).toBeNull()
  expect(describeRounding(needOf(spokes, 1, 697))).toBeNull()
})

test('countNeeds adds up the places of a part before it rounds, and skips parts that are no longer for sale', () => {
  const spots = [
    { partId: 'spokes', quantity: 16 },
    { partId: 'gone', quantity: 1 },
    { partId: 'chain', quantity: 1 },
    { partId: 'spokes', quantity: 17 },
  ]
  const needs = countNeeds(spots, parts, 2)
  expect(needs.map(({ part, needed, quantity }) => [part._id, needed, quantity])).toEqual([
    ['spokes', 66, 72],
    ['chain', 2, 10],
  ])
})

test('readBikes reads whole numbers from 1 to 10,000', () => {
  expect(['20', ' 1 ', '10,000', '0', '10001', '1.5', '-3', '', 'two', '1e3'].map(readBikes)).toEqual([
    20,
    1,
    10_000,
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ])
})
