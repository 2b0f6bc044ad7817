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

const noMoney = { refundPending: 0, disputed: 0, dispute: null, testPayment: false }
const unpaid = {
  paid: false,
  expired: false,
  cancelled: false,
  shipping: false,
  toShip: 10,
  refunded: 0,
  charged: 90,
  ...noMoney,
}
const paid = { ...unpaid, paid: true }

const cases: [StatusFields, string, (keyof typeof rules)[]][] = [
  [unpaid, 'awaiting payment', ['canBePaid', 'canBeCancelled']],
  [{ ...unpaid, expired: true }, 'expired', ['canBeCancelled']],
  [{ ...unpaid, cancelled: true }, 'cancelled', []],
  [{ ...unpaid, cancelled: true, expired: true }, 'cancelled', []],
  [paid, 'paid', ['canBeShipped', 'canBeRefunded']],
  [{ ...paid, refunded: 89 }, 'paid', ['canBeShipped', 'canBeRefunded']],
  [{ ...paid, shipping: true, toShip: 0 }, 'shipped', ['canBeRefunded']],
  [{ ...paid, toShip: 0 }, 'paid', ['canBeRefunded']],
  [{ ...paid, refunded: 90 }, 'refunded', []],
  [{ ...paid, refundPending: 90 }, 'refunded', []],
  [{ ...paid, refunded: 12.5, refundPending: 77.5 }, 'refunded', []],
  [{ ...paid, refunded: 12.5, refundPending: 77.49 }, 'paid', ['canBeShipped', 'canBeRefunded']],
  [{ ...paid, dispute: 'open', disputed: 90 }, 'paid', []],
  [{ ...paid, dispute: 'open' }, 'paid', ['canBeRefunded']],
  [{ ...paid, dispute: 'lost', disputed: 90 }, 'paid', []],
  [{ ...paid, dispute: 'won' }, 'paid', ['canBeShipped', 'canBeRefunded']],
  [{ ...paid, testPayment: true }, 'paid', []],
  [{ ...paid, shipping: true, toShip: 0, refunded: 90 }, 'refunded', []],
]

describe('orderStatus', () => {
  test.each(cases)('%j is %s and allows %j', (order, status, allowed) => {
    expect(orderStatus(order)).toBe(status)
    const granted = Object.entries(rules).filter(([, isAllowed]) => isAllowed(order))
    expect(granted.map(([name]) => name)).toEqual(allowed)
  })
})
