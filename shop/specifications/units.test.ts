import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMeasure, parseMeasure, tidySizes, type Unit, unitNames } from './units.ts'

const read = (text: string, unit: Unit | null, isRange = false) => {
  const { value, error } = parseMeasure(text, unit, isRange)
  return error ?? (isRange ? [value!.low, value!.high] : value!.low)
}

test('parseMeasure reads numbers with units as people write them', () => {
  for (const text of ['12', '12mm', ' 12 MM ', '1.2 cm', '1,2cm', '0.012 m', '12 millimetres'])
    expect(read(text, 'mm'), text).toBe(12)
  for (const text of ['1-1/8"', '1 1/8 in', '1⅛ inch', '1.125″', "1.125''", '28.575 mm'])
    expect(read(text, 'mm'), text).toBeCloseTo(28.575, 4)
  expect(read('9/16 in', 'in')).toBe(0.5625)
  expect(read('1.96 kg', 'g')).toBe(1960)
  expect(read('40 Nm', 'Nm')).toBe(40)
  expect(read('35 psi', 'bar')).toBe(2.4132)
  for (const text of ['36°', '36 deg', '36 degrees', '36']) expect(read(text, '°'), text).toBe(36)
  for (const text of ['51T', '51 t', '51 teeth', '51-tooth']) expect(read(text, 'T'), text).toBe(51)
  for (const text of ['12-speed', '12s', '12 speed', '12']) expect(read(text, 'speed'), text).toBe(12)
  expect(read('32 holes', 'H')).toBe(32)
  expect(read('-6°', '°')).toBe(-6)
  expect(read('7', null)).toBe(7)
})

test('parseMeasure reads ranges, and a number alone as one', () => {
  for (const text of ['28-50 mm', '28 – 50mm', '28 mm to 50 mm', '2.8–5 cm', '28...50', '28…50'])
    expect(read(text, 'mm', true), text).toEqual([28, 50])
  expect(read('11-51T', 'T', true)).toEqual([11, 51])
  expect(read('10–12-speed', 'speed', true)).toEqual([10, 12])
  expect(read('1.4 to 2.4 bar', 'bar', true)).toEqual([1.4, 2.4])
  expect(read('-6 to 6°', '°', true)).toEqual([-6, 6])
  expect(read('160 mm', 'mm', true)).toEqual([160, 160])
})

test('parseMeasure says what to write instead of anything else', () => {
  for (const text of ['12 x 148 mm', 'wide', '', '28-50 mm'])
    expect(read(text, 'mm'), text).toBe('Write one number, such as 12 mm')
  expect(read('1,500 g', 'g')).toBe('Write 1500 or 1.500, without a comma')
  expect(read('12 bar', 'mm')).toBe('Write it in mm, cm, m or in')
  expect(read('12 furlongs', 'mm')).toBe('Write it in mm, cm, m or in')
  expect(read('12 mm wide', 'mm')).toBe('Write it in mm, cm, m or in')
  expect(read('42 mm', 'T')).toBe('Write it in T')
  expect(read('12 mm', null)).toBe('Write a number without a unit')
  expect(read('50-28', 'mm', true)).toBe('Write the smaller number first')
  expect(read('wide', 'mm', true)).toBe('Write a range, such as 28–50 mm')
})

test('parseMeasure reads whatever formatMeasure writes', () => {
  const number = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((n) => n / 10_000)
  const unit = fc.constantFrom(...unitNames, null)
  fc.assert(
    fc.property(number, number, unit, (one, other, unit) => {
      const measure = { low: Math.min(one, other), high: Math.max(one, other) }
      expect(parseMeasure(formatMeasure(measure, unit), unit, true).value).toEqual(measure)
    }),
  )
})

test('parseMeasure reads long text in an instant', () => {
  for (const text of [
    '1 '.repeat(50_000),
    '1-'.repeat(50_000),
    '1/'.repeat(50_000),
    `12${' m'.repeat(50_000)}`,
  ])
    expect(read(text, 'mm', true)).toMatch(/^Write/)
})

test('tidySizes writes one size in one way', () => {
  for (const text of ['12x148mm', '12 X 148 mm', '12×148 mm', '12 * 148MM'])
    expect(tidySizes(text), text).toBe('12 × 148 mm')
  expect(tidySizes('max 5Nm')).toBe('max 5 Nm')
  expect(tidySizes('29 x 2.4')).toBe('29 × 2.4')
})
