import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listNearKeys } from './near-numbers.ts'

function isNear(typed: string, existing: string) {
  const keys = new Set(listNearKeys(existing, 'catalogue'))
  return listNearKeys(typed, 'spreadsheet').some((key) => keys.has(key))
}

test('what a spreadsheet makes of a part number is near it', () => {
  for (const [existing, ...all] of [
    ['00412', '412', '412.0', '412,00', '00 412', '4.12E+02'],
    ['90.750', '90.75', '90,75'],
    [
      '10-11',
      '11-Oct',
      '10-Nov',
      '10. Nov',
      '11. Okt',
      '11-oct.',
      'Oct-11',
      '10.11.2026',
      '11/10/2026',
      '2026-10-11',
      '2026-10-11 00:00:00',
      '10-nov',
    ],
    ['MAR-01', '1-Mar', '01. Mrz', '2001-03-01'],
    ['10-11-12', '10/11/2012', '2010-11-12', '12.11.2010'],
    ['WW-CN12', 'WWCN12', 'WW CN12', 'WW‑CN12', 'ＷＷ－ＣＮ１２', 'ww–cn12', 'WW_CN12', 'WW.CN.12'],
    ['100000', '1.00E+05', '1,00E+05', '1E+05', '1E5', '100,000', '100.000'],
    ['1E5', '100000', '1.00E+05'],
    ['1234567890123', '1.23457E+12', '1.23E+12', '1,23457E+12'],
    ['1234567890123456789', '1234567890123450000', '1.23457E+18'],
  ] as const)
    for (const typed of all) expect(isNear(typed, existing), `${typed} for ${existing}`).toBe(true)
})

test('another part number is not near', () => {
  for (const [typed, existing] of [
    ['413', '00412'],
    ['11-10', '10-11'],
    ['11-Oct', '10-12'],
    ['WW-CN13', 'WW-CN12'],
    ['DECK-12', '12-12'],
    ['MARK-5', '3-5'],
    ['1.24E+12', '1234567890123'],
    ['---', '-'],
    ['90.76', '90.750'],
  ] as const)
    expect(isNear(typed, existing), `${typed} for ${existing}`).toBe(false)
})

test('every part number is near to itself with other punctuation and in other letters', () => {
  const number = fc.string({ unit: fc.constantFrom(...'ABXZ0159-./ '), minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(number, fc.constantFrom('', '-', '\u2011', ' ', '\uFF0D'), (existing, mark) => {
      if (!/[A-Z\d]/.test(existing)) return
      const typed = existing.replace(/[-./ ]/g, mark).toLowerCase()
      const wide = typed.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
      expect([isNear(typed, existing), isNear(wide, existing)]).toEqual([true, true])
    }),
  )
})
