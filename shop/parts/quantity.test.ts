import { expect, test } from 'vitest'
import {
  formatUnitPrice,
  highestQuantity,
  lowestQuantity,
  nearestQuantities,
  nextQuantity,
  priceRows,
  quantityError,
  quantityHint,
  stepQuantity,
  totalAt,
  unitPriceAt,
} from './quantity.ts'

/** At 42 the last of the cartons of 12 is half full. */
const chain = {
  minQuantity: 36,
  availableQuantity: 500,
  perUnitPrice: 26,
  multiple: 6,
  cartonSize: 12,
  priceBreaks: [
    { quantity: 48, unitPrice: 24 },
    { quantity: 240, unitPrice: 22 },
  ],
}
const plain = { ...chain, multiple: 1, cartonSize: null, priceBreaks: [] }

test('unitPriceAt returns the price of the last break that the quantity reaches', () => {
  const prices = [1, 47, 48, 239, 240, 5_000].map((quantity) => unitPriceAt(chain, quantity))
  expect(prices).toEqual([26, 26, 24, 24, 22, 22])
  expect(unitPriceAt(plain, 5_000)).toBe(26)
})

test('nextQuantity and lowestQuantity return a multiple of at least the minimum', () => {
  const next = [1, 36, 37, 42, 43].map((quantity) => nextQuantity(chain, quantity))
  expect(next).toEqual([36, 36, 42, 42, 48])
  expect(lowestQuantity({ minQuantity: 10, multiple: 12 })).toBe(12)
  expect(lowestQuantity({ minQuantity: 12, multiple: 12 })).toBe(12)
  expect(lowestQuantity({ minQuantity: 13, multiple: 12 })).toBe(24)
})

test('quantityError reports minimum, stock, multiple and total in this order', () => {
  const error = (quantity: number) => quantityError(chain, quantity)
  expect(error(35)).toBe('Purchase atleast minimum 36 quantity.')
  expect(error(501)).toBe("Purchase can't be higher than 500 available quantity.")
  expect(error(43)).toBe('Order in multiples of 6: 42 or 48.')
  expect([36, 42, 498].map(error)).toEqual([undefined, undefined, undefined])
  const costly = { ...chain, perUnitPrice: 30_000 }
  expect(quantityError(costly, 43)).toBe('Order in multiples of 6: 42 or 48.')
  expect(quantityError(costly, 42)).toBe('An order can total at most $999,999.')
  expect(quantityError(costly, 48), 'the break makes it affordable').toBeUndefined()
})

test('the error of a multiple names only quantities that can be ordered', () => {
  expect(quantityError(chain, 499)).toBe('Order in multiples of 6: 498.')
  expect(quantityError({ ...chain, minQuantity: 37 }, 38)).toBe('Order in multiples of 6: 42.')
  const large = { ...chain, multiple: 600, availableQuantity: 5_000 }
  expect(quantityError(large, 1_500)).toBe('Order in multiples of 600: 1,200 or 1,800.')
  expect(quantityError({ ...chain, minQuantity: 10, multiple: 12, availableQuantity: 11 }, 11)).toBe(
    'Order in multiples of 12.',
  )
})

test('nearestQuantities offers what can be ordered instead', () => {
  const nearest = [1, 36, 43, 499, 501].map((quantity) => nearestQuantities(chain, quantity))
  expect(nearest).toEqual([[36], [], [42, 48], [498], [498]])
  expect(nearestQuantities(plain, 1)).toEqual([36])
})

test('stepQuantity goes to the next multiple within minimum and stock', () => {
  const steps = (quantity: number) => [stepQuantity(chain, quantity, -1), stepQuantity(chain, quantity, 1)]
  expect([36, 42, 43, 498, 700].map(steps)).toEqual([
    [36, 42],
    [36, 48],
    [42, 48],
    [492, 498],
    [498, 498],
  ])
  expect(stepQuantity(chain, 1, 1)).toBe(36)
})

test('quantityHint says what a few more bring', () => {
  const hints = [42, 36, 47, 60, 66, 234, 240].map((quantity) => quantityHint(chain, quantity))
  expect(hints).toEqual([
    'Add 6 to pay $24 each and fill the last carton of 12.',
    'Add 12 to pay $24 each.',
    undefined,
    'Add 180 to pay $22 each.',
    'Add 6 to fill the last carton of 12, or 174 to pay $22 each.',
    'Add 6 to pay $22 each and fill the last carton of 12: $336 less in total.',
    undefined,
  ])
  expect(quantityHint(plain, 40)).toBeUndefined()
})

test('quantityHint names the break before a carton that is filled later', () => {
  const single = { ...chain, multiple: 1, priceBreaks: [{ quantity: 41, unitPrice: 20 }] }
  expect(quantityHint(single, 40)).toBe(
    'Add 1 to pay $20 each: $220 less in total, or 8 to fill the last carton of 12.',
  )
  expect(quantityHint({ ...single, priceBreaks: [] }, 47)).toBe('Add 1 to fill the last carton of 12.')
})

test('quantityHint promises nothing that is not in stock or above the highest total', () => {
  expect(quantityHint({ ...chain, availableQuantity: 47 }, 42)).toBeUndefined()
  expect(quantityHint({ ...chain, availableQuantity: 239 }, 48)).toBeUndefined()
  const costly = { ...chain, perUnitPrice: 23_000, priceBreaks: [{ quantity: 48, unitPrice: 22_000 }] }
  expect(quantityHint(costly, 42)).toBeUndefined()
})

test('priceRows covers every quantity from the lowest on', () => {
  expect(priceRows(chain)).toEqual([
    { from: 36, to: 42, unitPrice: 26 },
    { from: 48, to: 234, unitPrice: 24 },
    { from: 240, to: undefined, unitPrice: 22 },
  ])
})

test('for random rules, unit prices never rise, and steps, suggestions and price rows can be ordered', () => {
  const random = seededRandom(27)
  const pick = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  for (let round = 0; round < 500; round++) {
    const part = randomPart(pick)
    const lowest = lowestQuantity(part)
    const highest = highestQuantity(part)
    const canOrder = (quantity: number) => quantityError(part, quantity) === undefined
    for (let tries = 0; tries < 20; tries++) {
      const quantity = pick(1, part.availableQuantity + 20)
      const label = JSON.stringify({ part, quantity })
      expect(unitPriceAt(part, quantity + 1), label).toBeLessThanOrEqual(unitPriceAt(part, quantity))
      expect(totalAt(part, quantity), label).toBeLessThanOrEqual(quantity * part.perUnitPrice)
      expect(nextQuantity(part, quantity) % part.multiple, label).toBe(0)
      const isOrderable = quantity >= lowest && quantity <= highest && quantity % part.multiple === 0
      expect(canOrder(quantity), label).toBe(isOrderable)
      if (highest < lowest) continue
      const offered = nearestQuantities(part, quantity)
      const stepped = ([1, -1] as const).map((direction) => stepQuantity(part, quantity, direction))
      expect(
        [...offered, ...stepped].filter((one) => !canOrder(one)),
        label,
      ).toEqual([])
      if (isOrderable) expect(offered, label).toEqual([])
      const row = priceRows(part).findLast(({ from }) => from <= quantity)
      if (isOrderable) expect(row, label).toMatchObject({ unitPrice: unitPriceAt(part, quantity) })
      const more = Number(/^(\d+) more/.exec(quantityHint(part, quantity) ?? '')?.[1] ?? 0)
      if (more > 0) expect(canOrder(quantity + more), label).toBe(true)
    }
  }
})

function randomPart(pick: (least: number, most: number) => number) {
  const multiple = pick(1, 12)
  const part = {
    minQuantity: pick(1, 60),
    multiple,
    availableQuantity: pick(0, 400),
    perUnitPrice: pick(20, 90),
  }
  let { quantity, unitPrice } = { quantity: lowestQuantity(part), unitPrice: part.perUnitPrice }
  const priceBreaks = Array.from({ length: pick(0, 4) }, () => {
    quantity += multiple * pick(1, 8)
    unitPrice -= pick(1, 4)
    return { quantity, unitPrice }
  })
  return { ...part, cartonSize: pick(0, 1) ? multiple * pick(2, 6) : null, priceBreaks }
}

/** Mulberry32: the same numbers in every run. */
function seededRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test('formatUnitPrice says what the minimum quantity costs, and the lowest price with its quantity', () => {
  const part = { perUnitPrice: 24, minQuantity: 60, multiple: 6, priceBreaks: [] }
  const priceBreaks = [
    { quantity: 96, unitPrice: 23 },
    { quantity: 240, unitPrice: 22 },
  ]
  expect(formatUnitPrice(part)).toBe('$24')
  expect(formatUnitPrice({ ...part, priceBreaks })).toBe('$24, or $22 from 240')
  expect(formatUnitPrice({ ...part, minQuantity: 240, priceBreaks })).toBe('$22')
})
