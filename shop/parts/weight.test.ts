import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAboutWeight, formatWeight, weightField } from './weight.ts'

const read = (typed: unknown) => weightField.safeParse(typed)

test('a weight is read in grams and kilograms, with a point or a comma', () => {
  const cases: [unknown, number | null | undefined][] = [
    [200, 200],
    ['200', 200],
    [' 200 g ', 200],
    ['200g', 200],
    ['200\u00a0g', 200],
    ['0.2 kg', 200],
    ['0,2 KG', 200],
    ['0.250kg', 250],
    ['0,250 kg', 250],
    ['1.96 kg', 1_960],
    ['1,25 kg', 1_250],
    ['12 kg', 12_000],
    ['1000 kg', 1_000_000],
    ['', null],
    [' ', null],
    [null, null],
    [undefined, undefined],
  ]
  for (const [typed, grams] of cases) expect(read(typed), `${typed}`).toEqual({ success: true, data: grams })
})

test('a weight that could mean two, is no whole number of grams or out of range is refused', () => {
  const form = 'Enter a weight such as 200 g or 0.2 kg'
  const unclear = ['1,250 kg', '1,000 g', '1.000 g', '1,960', '200.5 g', '0.2', '0.0005 kg', '1e3', '0x10']
  for (const typed of [...unclear, '5 lb', '-5 g', 'heavy', 'kg', '1 2 g', `${'9'.repeat(5_000)} g`, true])
    expect(read(typed).error?.issues[0]?.message, `${typed}`).toBe(form)
  for (const [typed, message] of [
    [0, 'At least 1 g'],
    ['0 kg', 'At least 1 g'],
    [-1, 'At least 1 g'],
    [200.5, 'Whole grams only'],
    [1_000_001, 'At most 1,000,000 g'],
    ['1000.001 kg', 'At most 1,000,000 g'],
  ] as const)
    expect(read(typed).error?.issues[0]?.message, `${typed}`).toBe(message)
})

test('every weight is read again as it is written', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (grams) => {
      expect(read(formatWeight(grams)).data).toBe(grams)
      expect(read(`${grams} g`).data).toBe(grams)
      expect(read(`${grams / 1_000} kg`).data).toBe(grams)
    }),
  )
})

test('weights are written in grams below a kilogram, and what is packed with one decimal', () => {
  expect([1, 999, 1_000, 1_960, 1_001, 1_000_000].map(formatWeight)).toEqual([
    '1 g',
    '999 g',
    '1 kg',
    '1.96 kg',
    '1.001 kg',
    '1000 kg',
  ])
  expect([68, 1_000, 12_449, 12_450, 2_500_000].map(formatAboutWeight)).toEqual([
    'about 68 g',
    'about 1 kg',
    'about 12.4 kg',
    'about 12.5 kg',
    'about 2,500 kg',
  ])
})
