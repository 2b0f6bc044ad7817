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

/**
 * Spreadsheets run a cell that begins like this; some split text at semicolons, tabs or line breaks, and take off quotation marks.
 * Apostrophes before it count, so that `unescapeFormula` takes off only what was put on. Each expression takes time in proportion to the
 * text, which may be a stranger’s.
 */
const piece = /[^;\t\r\n]+/g
const formula = /^([\s"]*)('*[=+\-@])/
const escapedFormula = /^([\s"]*)'('*[=+\-@])/
const blank = /^'*[\t\r]/
const negativeNumber = /^-\d+(\.\d+)?$/

export function escapeFormula(text: string) {
  if (negativeNumber.test(text)) return text
  const escaped = text.replace(piece, (part) => part.replace(formula, "$1'$2"))
  return blank.test(escaped) ? `'${escaped}` : escaped
}

export function unescapeFormula(text: string) {
  const escaped = text.startsWith("'") && blank.test(text) ? text.slice(1) : text
  return escaped.replace(piece, (part) => part.replace(escapedFormula, '$1$2'))
}
