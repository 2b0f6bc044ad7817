import { expect, test } from 'vitest'
import { chargeNothingElse } from '#shop/charges/order-charges.ts'
import type { ListedOrder } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeListed } from './listed-state.ts'

const base = {
  paid: true,
  price: 100,
  charged: 100,
  refunded: 0,
  refundPending: 0,
  quantity: 10,
  shippedQuantity: 0,
  returnedQuantity: 0,
  toShip: 10,
}
const line = (changes: Partial<Purchase> = {}) => ({ ...base, ...changes }) as Purchase
const shipped = line({ shippedQuantity: 10, toShip: 0, shipping: true })
const refunded = line({ refunded: 100 })

function describeOrder(lines: Purchase[], changes: Partial<ListedOrder> = {}) {
  const order = {
    ...base,
    lines,
    lineCount: 5,
    linesToShip: 5,
    charges: chargeNothingElse(50_000),
    ...changes,
  }
  return Object.values(describeListed(order as ListedOrder))
}

test('an order of several items says whether it is paid, and how many of its items are to ship', () => {
  const unpaid = line({ paid: false })
  expect(describeOrder([unpaid], { paid: false, linesToShip: 0 })).toEqual(['Awaiting payment', null])
  expect(describeOrder([line({ ...unpaid, expired: true })], { paid: false })).toEqual(['Expired', null])
  expect(describeOrder([line()])).toEqual(['Pending', null])
  expect(describeOrder([shipped], { linesToShip: 2 })).toEqual(['2 of 5 pending', null])
  expect(describeOrder([shipped], { linesToShip: 0 })).toEqual(['Shipped', null])
  expect(describeOrder([shipped], { linesToShip: 0, collected: true })).toEqual(['Ready', null])
})

test('an order of several items says what was refunded, and nothing else when that is all', () => {
  expect(describeOrder([refunded], { linesToShip: 4, refunded: 100 })).toEqual([
    ...['4 of 5 pending', 'Refunded $100 of $500'],
  ])
  expect(describeOrder([refunded], { linesToShip: 0, refunded: 100 }), 'the others shipped').toEqual([
    ...['Shipped', 'Refunded $100 of $500'],
  ])
  expect(describeOrder([refunded], { linesToShip: 0, refunded: 500 })).toEqual([null, 'Refunded'])
  expect(describeOrder([line({ dispute: 'open' })], { linesToShip: 0 }), 'a warning says it').toEqual([
    ...[null, null],
  ])
})
