import { expect, test } from 'vitest'
import { chargeNothingElse } from '#shop/charges/order-charges.ts'
import { describeGroup } from './order-group.tsx'

test('an order of which a page has only some items says how many', () => {
  const order = { lineCount: 12, charges: chargeNothingElse(120_000) }
  expect(describeGroup(order, 12)).toBe('12 items, $1,200')
  expect(describeGroup(order, 5)).toBe('5 of 12 items on this page, $1,200')
})
