import Papa from 'papaparse'
import { toPlainText } from '#shop/parts/quantity-text.ts'

export interface TableRow {
  /** From 1, in what was pasted. */
  line: number
  /** In plain characters. */
  cells: string[]
  /** As they were typed. */
  typed: string[]
}

/** In the order in which they win when as many lines have them. */
const delimiters = ['\t', ';', '|', ','] as const

/** The rows that are not empty. */
export function parseListTable(pasted: string): TableRow[] {
  const lines = pasted.replace(/[\uFEFF\0]/g, '').split(/\r\n?|[\n\u0085\u2028\u2029]/)
  const [, chosen] = /^"?sep=(.)"?$/i.exec(lines[0]?.trim() ?? '') ?? []
  if (chosen) lines[0] = ''
  const delimiter = chosen ?? findDelimiter(lines)
  return parse(lines.map(cleanLine).join('\n'), delimiter)
    .map((typed, i) => toTableRow(i + 1, typed, delimiter))
    .filter(({ cells }) => cells.some(Boolean))
}

/** More than any list has. */
const maxCells = 100
const maxCellLength = 1_000

function toTableRow(line: number, all: string[], delimiter: string): TableRow {
  const typed = all.slice(0, maxCells).map((cell) => cell.slice(0, maxCellLength))
  const cells = joinThousandsCells(typed.map(toPlainText).map(cleanCell), delimiter)
  return { line, cells: delimiter === '|' ? trimEdges(cells) : cells, typed }
}

/** Emails quote with `>`, and lines between the rows of a Markdown table have no text. */
function cleanLine(line: string) {
  const own = /^[>\s]*>/.test(line) ? line.replace(/^[>\s]*/, '') : line
  return /--/.test(own) && /^[\s|:+=-]*$/.test(own) ? '' : own
}

function findDelimiter(lines: string[]): string {
  const counts = delimiters.map((one) => lines.filter((line) => line.includes(one)).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

function parse(text: string, delimiter: string) {
  const whole = parseQuoted(text, delimiter)
  if (whole) return whole
  // A quotation mark that never ends, such as the inches of a tyre, would swallow the rest.
  return text.split('\n').map((line) => parseQuoted(line, delimiter)?.[0] ?? line.split(delimiter))
}

function parseQuoted(text: string, delimiter: string): string[][] | null {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\n' })
  return errors.some(({ type }) => type === 'Quotes') ? null : data
}

/** Spreadsheets write numbers that begin with zeros as `="0042"` or `'0042`. */
function cleanCell(cell: string) {
  const text = cell.replace(/\s+/g, ' ').trim()
  const value = /^="(.*)"$/.exec(text)?.[1] ?? /^"([^"]*)"$/.exec(text)?.[1] ?? text
  return value.replace(/^'|\*\*|`/g, '').trim()
}

/** `WW-CN12 1,200` has a number with a comma, not two cells. */
function joinThousandsCells(cells: string[], delimiter: string) {
  if (delimiter !== ',') return cells
  const joined: string[] = []
  for (const cell of cells) {
    const before = joined.at(-1) ?? ''
    if (/^\d{3}(?!\d)/.test(cell) && /[ x×(=:$€£]\d{1,3}(?:,\d{3})*$/.test(before))
      joined[joined.length - 1] = `${before},${cell}`
    else joined.push(cell)
  }
  return joined
}

/** The rows of Markdown begin and end with the delimiter. */
function trimEdges(cells: string[]) {
  const first = cells[0] === '' ? 1 : 0
  const last = cells.length > 1 && cells.at(-1) === '' ? -1 : undefined
  return cells.slice(first, last)
}
