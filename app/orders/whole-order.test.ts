import { expect, test } from 'vitest'
import { refundedLabel } from '#app/orders/refund/refund-status.ts'
import { shippedLabel } from '#app/orders/ship/shipped-label.ts'
import { chargeNothingElse } from '#shop/charges/order-charges.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { joinLines } from './whole-order.ts'

const base = {
  paid: true,
  price: 100,
  charged: 100,
  charges: chargeNothingElse(30_000),
  deliveryCharge: { charged: 0, refunded: 0, refundPending: 0 },
  refunded: 0,
  refundPending: 0,
  quantity: 10,
  shippedAt: null,
  returnedQuantity: 0,
}
const line = (changes: Partial<Purchase>) =>
  ({ ...base, shippedQuantity: 0, toShip: 10, ...changes }) as Purchase

test('joinLines adds up amounts and quantities, and leaves out what was refunded of what is to ship', () => {
  const shipped = line({ shippedQuantity: 10, toShip: 0, shippedAt: '2026-11-24T10:00:00.000Z' })
  const earlier = {
    ...shipped,
    quantity: 1_000,
    shippedQuantity: 1_000,
    shippedAt: '2026-11-09T10:00:00.000Z',
  }
  const refunded = line({ refunded: 100 })
  const partly = line({ shippedQuantity: 4, toShip: 6, refunded: 19.99 })
  expect(joinLines([shipped, refunded, partly])).toMatchObject({
    price: 300,
    refunded: 119.99,
    shippedQuantity: 14,
    toShip: 6,
    shipping: false,
    shippedAt: null,
    charged: 300,
  })
  const { shippedAt } = shipped
  const all = { quantity: 1_020, shipping: true, shippedAt }
  expect(joinLines([shipped, refunded, earlier])).toMatchObject(all)
  expect(joinLines([refunded])).toMatchObject({ shipping: false, shippedAt: null })
})

test('an item says what was refunded and shipped of it, unless nothing or all', () => {
  const refunds = [{}, { refunded: 0.5 }, { refunded: 100 }, { refunded: 50, refundPending: 50 }]
  expect(refunds.map((changes) => refundedLabel(line(changes)))).toEqual([
    ...[null, 'Refunded $0.50 of $100', 'Refunded', 'Refunded $50 of $100. Refund of $50 pending'],
  ])
  const delivered = { lineCount: 1, refunded: 100, deliveryCharge: { ...base.deliveryCharge, charged: 15.5 } }
  expect(refundedLabel(line(delivered))).toBe('Refunded $100 of $115.50')
  const parcels = [{}, { quantity: 1_500, shippedQuantity: 1_000 }, { shippedQuantity: 10, shipping: true }]
  expect(parcels.map((changes) => shippedLabel(line(changes)))).toEqual([
    ...[null, '1,000 of 1,500 shipped', null],
  ])
})
