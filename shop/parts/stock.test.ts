import { expect, test } from 'vitest'
import { isSoldOut, stockLabel } from './stock.ts'

test('a part is sold out below its minimum quantity, and has few left below three times of it', () => {
  const labels = [9, 10, 29, 30].map((availableQuantity) =>
    stockLabel({ minQuantity: 10, availableQuantity }),
  )
  expect(labels).toEqual(['Sold out', 'Low stock', 'Low stock', 'In stock'])
  expect([9, 10].map((availableQuantity) => isSoldOut({ minQuantity: 10, availableQuantity }))).toEqual([
    true,
    false,
  ])
})
