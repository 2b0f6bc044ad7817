import { describe, expect, test } from 'vitest'
import { countParts, describeState, type StateFields } from './state.ts'

const unpaid: StateFields = {
  paid: false,
  expired: false,
  cancelled: false,
  shipping: false,
  quantity: 24,
  shippedQuantity: 0,
  returnedQuantity: 0,
  toShip: 24,
  charged: 240,
  refunded: 0,
  refundPending: 0,
  dispute: null,
  disputed: 0,
  testPayment: false,
}

function paid(quantity: number, shippedQuantity: number, returnedQuantity: number, money = {}): StateFields {
  const toShip = Math.max(0, quantity - shippedQuantity - returnedQuantity)
  const shipping = shippedQuantity > 0 && toShip === 0
  return {
    ...unpaid,
    paid: true,
    quantity,
    shippedQuantity,
    returnedQuantity,
    toShip,
    shipping,
    charged: quantity * 10,
    ...money,
  }
}

const cases: [string, StateFields[], (string | null)[]][] = [
  ['unpaid', [unpaid], ['Awaiting payment', 'Awaiting payment', null]],
  ['expired', [{ ...unpaid, expired: true }], ['Expired', 'Expired', null]],
  ['cancelled', [{ ...unpaid, cancelled: true }], ['Cancelled', 'Cancelled', null]],
  ['paid', [paid(24, 0, 0)], ['Not shipped yet', 'Not shipped yet', null]],
  ['half shipped', [paid(48, 24, 0)], ['Partly shipped', '24 of 48 shipped', null]],
  ['shipped', [paid(24, 24, 0)], ['Shipped', 'Shipped', null]],
  [
    'half shipped, and the other half refunded',
    [paid(24, 12, 12, { refunded: 120 })],
    ['Shipped', '12 shipped, 12 refunded before shipping', 'Refunded $120 of $240'],
  ],
  [
    'a third shipped, a third refunded',
    [paid(36, 12, 12, { refunded: 120 })],
    ['Partly shipped', '12 shipped, 12 refunded before shipping, 12 to ship', 'Refunded $120 of $360'],
  ],
  [
    'returned before it shipped, and refunded with a fee kept',
    [paid(24, 0, 24, { refunded: 230 })],
    ['Refunded', 'Refunded before shipping', 'Refunded $230 of $240'],
  ],
  [
    'shipped, returned, and refunded with a fee kept',
    [paid(24, 24, 24, { refunded: 230 })],
    ['Shipped', 'Shipped and returned', 'Refunded $230 of $240'],
  ],
  [
    'shipped, and a few of it returned',
    [paid(24, 24, 6, { refunded: 60 })],
    ['Shipped', '24 shipped, 6 of them returned', 'Refunded $60 of $240'],
  ],
  ['refunded and never shipped', [paid(24, 0, 0, { refunded: 240 })], ['Refunded', null, 'Refunded']],
  [
    'a refund under way',
    [paid(24, 0, 12, { refundPending: 120 })],
    ['Not shipped yet', '12 won’t ship, 12 to ship', 'Refund of $120 pending'],
  ],
  [
    'refunded in part, and the rest under way',
    [paid(24, 0, 24, { refunded: 120, refundPending: 120 })],
    ['Refunded', 'Won’t ship', 'Refunded $120 of $240. Refund of $120 pending'],
  ],
  [
    'an order whose first item shipped and whose second was refunded',
    [paid(24, 24, 0), paid(10, 0, 10, { refunded: 100 })],
    ['Shipped', '24 shipped, 10 refunded before shipping', 'Refunded $100 of $340'],
  ],
  [
    'an order with a cancelled item',
    [{ ...unpaid, cancelled: true }, paid(10, 0, 0)],
    ['Not shipped yet', 'Not shipped yet', null],
  ],
]

describe('describeState', () => {
  test.each(cases)('%s', (_, lines, [label, parts, money]) => {
    expect(describeState(lines)).toEqual({ label, parts, money })
  })

  test('no combination of small quantities has wrong numbers', () => {
    const lines = allLines()
    expect(lines.length).toBeGreaterThan(300)
    for (const line of lines) check([line])
  })

  test('nor does an order of two items', () => {
    const lines = allLines().filter(({ quantity }) => quantity <= 2)
    for (const first of lines) for (const second of lines) check([first, second])
  })
})

/** Every state of up to four parts: what shipped, what returned, and what of its money was refunded or is pending. */
function allLines(): StateFields[] {
  const upTo = (most: number) => [...Array(most + 1).keys()]
  return [1, 2, 3, 4].flatMap((quantity) =>
    upTo(quantity).flatMap((shipped) =>
      upTo(quantity).flatMap((returned) =>
        moneyOf(quantity, returned).map((money) => paid(quantity, shipped, returned, money)),
      ),
    ),
  )
}

/** Parts return only with a refund. */
function moneyOf(quantity: number, returned: number) {
  const price = quantity * 10
  const refunded = [{ refunded: 5 }, { refunded: price - 1 }, { refunded: price }]
  const pending = [{ refundPending: 5 }, { refundPending: price }, { refunded: 5, refundPending: price - 5 }]
  return returned > 0 ? [...refunded, ...pending] : [{}, ...refunded, ...pending]
}

function check(lines: StateFields[]) {
  const { label, parts, money } = describeState(lines)
  const context = JSON.stringify(lines.map(({ dispute, testPayment, ...line }) => line))
  const sum = (of: (line: StateFields) => number) => lines.reduce((total, line) => total + of(line), 0)
  const ordered = sum(({ quantity }) => quantity)
  const shipped = sum(({ shippedQuantity }) => shippedQuantity)
  const returned = sum(({ returnedQuantity }) => returnedQuantity)
  const toShip = sum((line) => countParts(line).toShip)

  expect(parts === 'Not shipped yet', context).toBe(toShip === ordered)
  expect(label === 'Not shipped yet' || label === 'Partly shipped', context).toBe(toShip > 0)
  if (returned > 0) expect(parts, context).not.toBe('Not shipped yet')
  expect(money !== null, context).toBe(sum(({ refunded, refundPending }) => refunded + refundPending) > 0)

  const numberOf = (word: RegExp) => Number(parts?.match(word)?.[1] ?? 0)
  if (!parts || !/^\d/.test(parts)) return
  const told = / of \d+ shipped$/.test(parts)
    ? { shipped: numberOf(/^(\d+) of/), withheld: 0, toShip: ordered - numberOf(/^(\d+) of/) }
    : {
        shipped: numberOf(/(\d+) shipped/),
        withheld: numberOf(/(\d+) (?:won’t ship|refunded before shipping)/),
        toShip: numberOf(/(\d+) to ship/),
      }
  expect(told.shipped, context).toBe(shipped)
  expect(told.toShip, context).toBe(toShip)
  expect(told.shipped + told.withheld + told.toShip, context).toBe(ordered)
  expect(numberOf(/(\d+) of them returned/), context).toBeLessThanOrEqual(shipped)
}
