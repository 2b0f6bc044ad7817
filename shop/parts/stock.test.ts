import { expect, test } from 'vitest'
import { isSoldOut, stockLabel } from './stock.ts'

test('a part is sold out below its minimum quantity, and has few left below three times of it', () => {
  const labels = [9, 10, 29, 30].map((availableQuantity) =>
    stockLabel({ minQuantity: 10, multiple: 1, availableQuantity }),
  )
  expect(labels).toEqual(['Sold out', 'Low stock', 'Low stock', 'In stock'])
  expect(
    [9, 10].map((availableQuantity) => isSoldOut({ minQuantity: 10, multiple: 1, availableQuantity })),
  ).toEqual([true, false])
})

test('a part is sold out below the lowest multiple of at least its minimum quantity', () => {
  const labels = [11, 12, 35, 36].map((availableQuantity) =>
    stockLabel({ minQuantity: 10, multiple: 12, availableQuantity }),
  )
  expect(labels).toEqual(['Sold out', 'Low stock', 'Low stock', 'In stock'])
})
