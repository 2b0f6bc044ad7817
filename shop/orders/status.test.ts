import { describe, expect, test } from 'vitest'
import {
  canBeCancelled,
  canBePaid,
  canBeRefunded,
  canBeShipped,
  orderStatus,
  type StatusFields,
} from './status.ts'

const rules = { canBePaid, canBeCancelled, canBeShipped, canBeRefunded }

const unpaid = { paid: false, expired: false, cancelled: false, shipping: false, refunded: 0, price: 90 }
const paid = { ...unpaid, paid: true }

const cases: [StatusFields, string, (keyof typeof rules)[]][] = [
  [unpaid, 'awaiting payment', ['canBePaid', 'canBeCancelled']],
  [{ ...unpaid, expired: true }, 'expired', ['canBeCancelled']],
  [{ ...unpaid, cancelled: true }, 'cancelled', []],
  [{ ...unpaid, cancelled: true, expired: true }, 'cancelled', []],
  [paid, 'paid', ['canBeShipped', 'canBeRefunded']],
  [{ ...paid, refunded: 89 }, 'paid', ['canBeShipped', 'canBeRefunded']],
  [{ ...paid, shipping: true }, 'shipped', ['canBeShipped', 'canBeRefunded']],
  [{ ...paid, refunded: 90 }, 'refunded', []],
  [{ ...paid, shipping: true, refunded: 90 }, 'refunded', []],
]

describe('orderStatus', () => {
  test.each(cases)('%j is %s and allows %j', (order, status, allowed) => {
    expect(orderStatus(order)).toBe(status)
    const granted = Object.entries(rules).filter(([, isAllowed]) => isAllowed(order))
    expect(granted.map(([name]) => name)).toEqual(allowed)
  })
})
