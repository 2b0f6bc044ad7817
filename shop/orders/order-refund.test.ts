import { expect, test } from 'vitest'
import { priceToRefund, refundableQuantity, rowError } from './order-refund.ts'
import type { Purchase } from './purchase.ts'

const line = (quantity: number, charged: number, refunded = 0) =>
  ({ quantity, charged, refunded, refundPending: 0, disputed: 0, returnedQuantity: 0 }) as Purchase

test('parts that were refunded are not offered again, however an item is refunded', () => {
  for (const quantity of [1, 2, 3, 7, 12, 99, 100])
    for (const cents of [quantity * 100, quantity * 100 + 1, quantity * 100 + 33, 76_800, 99_999]) {
      let left = line(quantity, cents / 100)
      let refunded = 0
      for (let step = 1; refundableQuantity(left) > 0; step = (step % 5) + 1) {
        const count = Math.min(step, refundableQuantity(left))
        const amount = priceToRefund(left, count)
        refunded += count
        left = line(quantity, cents / 100, Math.round((left.refunded + amount) * 100) / 100)
        expect(refundableQuantity(left), `${quantity} for ${cents}`).toBe(quantity - refunded)
      }
      expect(left.refunded).toBe(cents / 100)
    }
})

test('a discount on all parts leaves all of them to be refunded', () => {
  expect(refundableQuantity(line(12, 768, 60))).toBe(12)
  expect(priceToRefund(line(12, 768, 60), 12)).toBe(708)
})

test('more parts than are left to refund are refused', () => {
  const left = line(12, 768, 128)
  expect(rowError(left, { quantity: '10', amount: '640' })).toBeNull()
  expect(rowError(left, { quantity: '11', amount: '640' })).toBe('Quantity must be at most 10')
})
