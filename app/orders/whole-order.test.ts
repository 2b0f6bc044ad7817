import { expect, test } from 'vitest'
import type { Purchase } from '#shop/orders/purchase.ts'
import { joinLines } from './whole-order.ts'

const base = { paid: true, price: 100, refunded: 0, refundPending: 0, quantity: 10, shippedAt: null }
const line = (changes: Partial<Purchase>) =>
  ({ ...base, shippedQuantity: 0, toShip: 10, ...changes }) as Purchase

test('joinLines adds up amounts and quantities, and leaves out what was refunded of what is to ship', () => {
  const shipped = line({ shippedQuantity: 10, toShip: 0, shippedAt: '2026-11-24T10:00:00.000Z' })
  const refunded = line({ refunded: 100 })
  expect(joinLines([shipped, refunded, line({ shippedQuantity: 4, toShip: 6 })])).toMatchObject({
    ...{ price: 300, refunded: 100, shippedQuantity: 14, toShip: 6, shipping: false, shippedAt: null },
  })
  expect(joinLines([shipped, refunded])).toMatchObject({ shipping: true, shippedAt: shipped.shippedAt })
})
