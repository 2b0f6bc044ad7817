import { expect, test } from 'vitest'
import { chargeNothingElse } from '#shop/charges/order-charges.ts'
import { describeChange } from './describe-change.ts'

const chain = { _id: '1', parts: 'Chain', quantity: 12, price: 288 }
const ring = { _id: '2', parts: 'Ring', quantity: 48, price: 1_536 }

function orderOf(...lines: (typeof chain)[]) {
  const charges = chargeNothingElse(lines.reduce((cents, { price }) => cents + price * 100, 0))
  return lines.map((line) => ({ ...line, charges }))
}

test('describeChange says nothing about an order with the same total', () => {
  expect(describeChange(orderOf(chain, ring), orderOf(chain, ring))).toBeUndefined()
})

test('describeChange names the items that were removed, and both totals', () => {
  expect(describeChange(orderOf(chain, ring), orderOf(ring))).toBe(
    'This order has changed: 12 × Chain removed. The total is now $1,536, before it was $1,824.',
  )
})

test('describeChange names an item whose quantity has changed', () => {
  expect(describeChange(orderOf(chain, ring), orderOf({ ...chain, quantity: 6, price: 144 }, ring))).toBe(
    'This order has changed: 12 × Chain → 6 × Chain. The total is now $1,680, before it was $1,824.',
  )
})

test('describeChange says the totals of an order that goes elsewhere', () => {
  const [before] = orderOf(chain)
  const charges = { ...before!.charges, delivery: 1_550, total: 30_350 }
  expect(describeChange([before!], [{ ...before!, charges }])).toBe(
    'This order has changed. The total is now $303.50, before it was $288.',
  )
})
