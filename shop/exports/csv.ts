import Papa from 'papaparse'

export type Cell = string | number | null

/** Without it, spreadsheets take UTF-8 for an older encoding. */
export const byteOrderMark = '\uFEFF'

/** Lines that end with a line break; the empty text for no rows. */
export function formatCsv(rows: Cell[][]): string {
  if (rows.length === 0) return ''
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell)))
  return `${Papa.unparse(cells, { newline: '\r\n' })}\r\n`
}

/** Spreadsheets run text that begins like this. Apostrophes before it count, so that `unescapeFormula` takes off only what was put on. */
const formula = /^'*[=+\-@\t\r]/
const negativeNumber = /^-\d+(\.\d+)?$/

export function escapeFormula(text: string) {
  return formula.test(text) && !negativeNumber.test(text) ? `'${text}` : text
}

export function unescapeFormula(text: string) {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text
}
