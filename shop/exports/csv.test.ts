import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { escapeFormula, formatCsv, unescapeFormula } from './csv.ts'

const risky = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ';', ' ', '1', '.', 'é', '𝔘'),
  }),
)

test('no exported text begins like a formula, and each is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(risky, risky), { minLength: 1 }), (rows) => {
      const { data } = Papa.parse<string[]>(formatCsv(rows).slice(0, -2), { delimiter: ',', newline: '\r\n' })
      expect(data.map((row) => row.map(unescapeFormula))).toEqual(rows)
      for (const cell of data.flat())
        expect(cell).not.toMatch(/^[=+@\t\r]|^-(?!\d+(\.\d+)?$)|[;\t\r\n][\s"]*[=+\-@]/)
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
