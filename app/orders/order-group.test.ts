import { expect, test } from 'vitest'
import { describeGroup } from './order-group.tsx'

test('an order of which a page has only some items says how many', () => {
  const order = { lineCount: 12 }
  expect(describeGroup(order, 12)).toBe('12 items')
  expect(describeGroup(order, 5)).toBe('5 of 12 items on this page')
})
