import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuantity, readWrittenNumber } from './quantity-text.ts'

test('readQuantity reads grouped digits and refuses what is no whole number', () => {
  const grouped = ['1,200', '1.200', '1 200', '1\u00a0200', '1\u202f200', '1’200', ' 1200 ', '1200.0']
  expect(grouped.map(readQuantity)).toEqual(grouped.map(() => 1_200))
  for (const typed of ['', '1,2', '1,20', '1.5', '1e3', '-60', '60-'])
    expect(readQuantity(typed), typed).toBeUndefined()
  fc.assert(
    fc.property(fc.nat(999_999_999), fc.constantFrom(',', '.', ' ', '’'), (quantity, separator) => {
      expect(readQuantity(quantity.toLocaleString('en-US').replaceAll(',', separator))).toBe(quantity)
    }),
  )
})

test('readQuantity reads separators, units, other scripts and dozens', () => {
  const texts = [
    '1200',
    ' 1200 ',
    '1,200',
    '1 200',
    '1\u00a0200',
    "1'200.00",
    '1.200,00',
    '+1200',
    '1200 pcs.',
    'qty: 1200',
    '(1200)',
  ]
  for (const text of [...texts, '×1200', '１２００', '١٢٠٠', '100 dozen', '\u200b1200'])
    expect(readQuantity(text), text).toBe(1_200)
})

test('readQuantity gives nothing for what is no quantity', () => {
  for (const text of [
    '',
    '12.5',
    '60-',
    '-60',
    '1e3',
    '$60',
    '2 boxes',
    '29"',
    '60 mm',
    '1/2',
    '60²',
    'sixty',
  ])
    expect(readQuantity(text), text).toBeUndefined()
})

test('readWrittenNumber tells prices by currency and decimals, and quantities by units', () => {
  const short = (text: string) => {
    const number = readWrittenNumber(text)
    return number && [number.isMoney, number.hasDecimals, number.isMarked]
  }
  expect(['€ 24,00', '@ 24', '24.00', '60.000', '60 pcs', 'Chain'].map(short)).toEqual([
    [true, true, false],
    [true, false, false],
    [false, true, false],
    [false, false, false],
    [false, false, true],
    null,
  ])
})
