import Papa from 'papaparse'

/** Without it, spreadsheets take UTF-8 for an older encoding. */
export const byteOrderMark = '\uFEFF'

type Row = (string | number | null)[]

/** Lines that end with a line break; the empty text for no rows. */
export function formatCsv(rows: Row[]): string {
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
/** Digits alone call no function and follow no link, whatever stands between them. An extension may name a cell and no more. */
const phoneNumber = /^\s*\+[\s(]{0,3}\d[\d\s().\-/]*(?:(?:x|ext\.?|#)\s*\d{1,8}\s*)?$/i

export function escapeFormula(text: string) {
  if (negativeNumber.test(text)) return text
  const escaped = text.replace(piece, (part) =>
    phoneNumber.test(part) ? part : part.replace(formula, "$1'$2"),
  )
  return blank.test(escaped) ? `'${escaped}` : escaped
}

export function unescapeFormula(text: string) {
  const escaped = text.startsWith("'") && blank.test(text) ? text.slice(1) : text
  return escaped.replace(piece, (part) => part.replace(escapedFormula, '$1$2'))
}
