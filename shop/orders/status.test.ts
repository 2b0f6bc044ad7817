import { describe, expect, test } from 'vitest'
import { orderRules, orderStatus, type StatusFields } from './status.ts'

const unpaid = { paid: false, expired: false, cancelled: false, shipping: false, refunded: 0, price: 90 }
const paid = { ...unpaid, paid: true }

const cases: [StatusFields, string, (keyof typeof orderRules)[]][] = [
  [unpaid, 'awaiting payment', ['bePaid', 'beCancelled']],
  [{ ...unpaid, expired: true }, 'expired', ['beCancelled']],
  [{ ...unpaid, cancelled: true }, 'cancelled', []],
  [{ ...unpaid, cancelled: true, expired: true }, 'cancelled', []],
  [paid, 'paid', ['beShipped', 'beRefunded']],
  [{ ...paid, refunded: 89 }, 'paid', ['beShipped', 'beRefunded']],
  [{ ...paid, shipping: true }, 'shipped', ['beShipped', 'beRefunded']],
  [{ ...paid, refunded: 90 }, 'refunded', []],
  [{ ...paid, shipping: true, refunded: 90 }, 'refunded', []],
]

describe('orderStatus', () => {
  test.each(cases)('%j is %s and allows %j', (order, status, allowed) => {
    expect(orderStatus(order)).toBe(status)
    const rules = Object.entries(orderRules).filter(([, isAllowed]) => isAllowed(order))
    expect(rules.map(([name]) => name)).toEqual(allowed)
  })
})
