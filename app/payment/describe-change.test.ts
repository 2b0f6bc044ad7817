import { expect, test } from 'vitest'
import { describeChange } from './describe-change.ts'

const chain = { _id: '1', parts: 'Chain', quantity: 12, price: 288 }
const ring = { _id: '2', parts: 'Ring', quantity: 48, price: 1_536 }

test('describeChange says nothing about an order with the same total', () => {
  expect(describeChange([chain, ring], [chain, ring])).toBeUndefined()
})

test('describeChange names the items that were removed, and both totals', () => {
  expect(describeChange([chain, ring], [ring])).toBe(
    'This order has changed: 12 × Chain removed. The total is now $1,536, before it was $1,824.',
  )
})

test('describeChange names an item whose quantity has changed', () => {
  expect(describeChange([chain, ring], [{ ...chain, quantity: 6, price: 144 }, ring])).toBe(
    'This order has changed: 12 × Chain → 6 × Chain. The total is now $1,680, before it was $1,824.',
  )
})
