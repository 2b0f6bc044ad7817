import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuantity } from './quantity-text.ts'

test('readQuantity reads grouped digits and refuses what is no whole number', () => {
  const grouped = ['1,200', '1.200', '1 200', '1\u00a0200', '1\u202f200', '1’200', ' 1200 ', '1200.0']
  expect(grouped.map(readQuantity)).toEqual(grouped.map(() => 1_200))
  for (const typed of ['', '1,2', '1,20', '1.5', '12 x', '1e3', '-60', '60-', '1234567890'])
    expect(readQuantity(typed), typed).toBeUndefined()
  fc.assert(
    fc.property(fc.nat(999_999_999), fc.constantFrom(',', '.', ' ', '’'), (quantity, separator) => {
      expect(readQuantity(quantity.toLocaleString('en-US').replaceAll(',', separator))).toBe(quantity)
    }),
  )
})
