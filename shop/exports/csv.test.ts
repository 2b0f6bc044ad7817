import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { escapeFormula, formatCsv, unescapeFormula } from './csv.ts'

const risky = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ';', ' ', '1', '.', 'é', '𝔘'),
  }),
  // Phone numbers, and what looks like one.
  fc
    .string({ unit: fc.constantFrom('1', '(', ')', ' ', '-', '/', 'x', 'A', '!', '|', ';', '\u00a0') })
    .map((text) => `+${text}`),
)

/** What a spreadsheet would take for the start of a formula. */
const starts = /(?:^|[;\t\r\n])[\s"]*([=+\-@][^;\t\r\n]*)/g
const isHarmless = /^(-\d+(\.\d+)?|\+[\d\s().\-/]+(x\s*\d+\s*)?)$/

test('no exported text begins like a formula, and each is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(risky, risky), { minLength: 1 }), (rows) => {
      const { data } = Papa.parse<string[]>(formatCsv(rows).slice(0, -2), { delimiter: ',', newline: '\r\n' })
      expect(data.map((row) => row.map(unescapeFormula))).toEqual(rows)
      for (const cell of data.flat()) {
        expect(cell).not.toMatch(/^[\t\r]/)
        for (const [, start] of cell.matchAll(starts)) expect(start).toMatch(isHarmless)
      }
    }),
  )
})

test('numbers stay numbers, also as text', () => {
  expect(formatCsv([[-12, '-12.50', null, '-2+3', '']])).toBe("-12,-12.50,,'-2+3,\r\n")
  expect(escapeFormula("'=1")).toBe("''=1")
  // A spreadsheet that separates cells with semicolons splits it.
  expect(escapeFormula('x;=WEBSERVICE(A1);y')).toBe("x;'=WEBSERVICE(A1);y")
  expect(escapeFormula('x; "=1+1"')).toBe('x; "\'=1+1"')
})

test('phone numbers stay as they are, and what calls, links or names a cell does not', () => {
  for (const phone of [
    '+49 170 1234567',
    '+1 (555) 010-0100',
    '+1-555-0100',
    '+49/170.12',
    '+1 555 0100 ext. 12',
    '+1 555 0100 x12',
  ])
    expect(escapeFormula(phone)).toBe(phone)
  for (const text of [
    '+',
    '+A1',
    '+1+A1',
    '+SUM(1)',
    '+1 x',
    "+cmd|' /C calc'!A0",
    '+1;=A1',
    '+HYPERLINK("x")',
    '+1 ext A1',
  ])
    expect(escapeFormula(text)).not.toBe(text)
})
