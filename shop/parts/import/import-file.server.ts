import { setImmediate as nextTurn } from 'node:timers/promises'
import Papa from 'papaparse'
import { ShopError } from '#shop/errors.ts'
import { byteOrderMark, unescapeFormula } from '#shop/exports/csv.ts'
import { formatCount } from '#shop/money.ts'
import { type CatalogueColumn, catalogueColumns } from '#shop/parts/catalogue-columns.ts'
import { maxImportRows } from './import.ts'
import { clean, unwrapText } from './imported-text.ts'

export interface FileRow<Column extends string = CatalogueColumn> {
  /** As spreadsheets number it. */
  row: number
  /** What the file has of the columns. */
  cells: Partial<Record<Column, string>>
  hasSurplus: boolean
}

const maxColumns = 100
/** Longer than any text of a part can be. */
const maxCellLength = 10_000
const maxRowLength = 250_000
/** Parsed at once: each can be a row. */
const windowLength = 20_000

interface FileRules<Column> {
  /** With `Part number`. */
  columns: readonly Column[]
  maxRows: number
}

const catalogueFile = {
  columns: Object.keys(catalogueColumns) as CatalogueColumn[],
  maxRows: maxImportRows,
}

export const readCatalogueFile = (csv: string) => readImportFile(csv, catalogueFile)

/** Throws 'invalid' for what concerns the whole file. */
export async function readImportFile<Column extends string>(
  csv: string,
  { columns: known, maxRows }: FileRules<Column>,
): Promise<FileRow<Column>[]> {
  const text = csv.startsWith(byteOrderMark) ? csv.slice(1) : csv
  if (text.startsWith('PK\x03\x04'))
    throw invalid('This is an Excel file. In your spreadsheet, save it as CSV UTF-8, and choose that file.')
  let columns: (Column | null)[] | undefined
  let filled = 0
  const rows: FileRow<Column>[] = []
  for await (const { row, cells } of readRows(text)) {
    if (!columns) columns = readHead(cells, known)
    else if (cells.some((cell) => clean(cell) !== '') && ++filled <= maxRows)
      rows.push(readRow(row, cells, columns))
  }
  if (filled === 0) throw invalid('This file has no rows below the column names.')
  if (filled > maxRows)
    throw invalid(
      `A file can have at most ${formatCount(maxRows)} rows, and this one has ${formatCount(filled)}. Split it into smaller files.`,
    )
  return rows
}

function readRow<Column extends string>(
  row: number,
  cells: string[],
  columns: (Column | null)[],
): FileRow<Column> {
  if (cells.some((cell) => cell.length > maxCellLength))
    throw invalid(`Row ${formatCount(row)} has a cell of more than ${formatCount(maxCellLength)} characters.`)
  const named = columns.flatMap((column, i) => (column ? [[column, readCell(cells[i] ?? '')]] : []))
  return {
    row,
    cells: Object.fromEntries(named) as FileRow<Column>['cells'],
    hasSurplus: cells.some((cell, i) => !columns[i] && clean(cell) !== ''),
  }
}

function readCell(cell: string) {
  return unwrapText(cell) ?? unescapeFormula(cell)
}

/** `row` is as spreadsheets number it. Others get the processor between windows of the text. */
async function* readRows(text: string): AsyncGenerator<{ row: number; cells: string[] }> {
  const { start: head, row: firstRow, ...format } = findHead(text)
  let row = firstRow
  let length = windowLength
  for (let start = head; start < text.length; await nextTurn()) {
    const parsed: Papa.ParseStepResult<string[]>[] = []
    const window = text.slice(start, start + length)
    Papa.parse<string[]>(window, { ...format, step: (result) => parsed.push(result) })
    const isLast = start + window.length === text.length
    // The window may end within it.
    if (!isLast) parsed.pop()
    for (const { data, errors } of parsed) {
      row += 1
      if (errors.some(({ type }) => type === 'Quotes')) throw unclosedQuote(row)
      yield { row, cells: data }
    }
    if (isLast) return
    const end = parsed.at(-1)?.meta.cursor
    if (end === undefined && length === maxRowLength) throw unclosedQuote(row + 1)
    length = end === undefined ? maxRowLength : windowLength
    start += end ?? 0
  }
}

function unclosedQuote(row: number) {
  return invalid(`Row ${formatCount(row)} has a quotation mark that isn’t closed.`)
}

interface Head {
  /** Where the column names begin. */
  start: number
  /** How many rows stand above them. */
  row: number
  delimiter: string
  newline: '\n' | '\r\n' | '\r'
}

const delimiters = [',', ';', '\t']
const maxTitleLines = 20

/** The first line that names the part number: titles may stand above it, and `sep=`, which spreadsheets show as no row. */
function findHead(text: string): Head {
  const [, declaration = '', declared] = /^("?sep=([,;\t])"?(?:\r\n|\n|\r))/i.exec(text) ?? []
  const beginning = text.slice(declaration.length, declaration.length + maxRowLength)
  const [newline = '\n'] = /\r\n|\n|\r/.exec(beginning) ?? []
  const lines = beginning.split(newline, maxTitleLines)
  const format = { newline: newline as Head['newline'] }
  let start = declaration.length
  for (const [row, line] of lines.entries()) {
    const delimiter = (declared ? [declared] : delimiters).find((delimiter) => namesNumber(line, delimiter))
    if (delimiter) return { ...format, start, row, delimiter }
    start += line.length + newline.length
  }
  const count = (delimiter: string) => lines[0]!.split(delimiter).length
  const delimiter = delimiters.reduce((best, other) => (count(other) > count(best) ? other : best))
  return { ...format, start: declaration.length, row: 0, delimiter: declared ?? delimiter }
}

function namesNumber(line: string, delimiter: string) {
  return line
    .split(delimiter)
    .some((cell) => clean(cell).replace(/^"|"$/g, '').trim().toLowerCase() === 'part number')
}

/** Null for a column without a name. */
function readHead<Column extends string>(head: string[], known: readonly Column[]): (Column | null)[] {
  const typed = head.map((name) => clean(readCell(name)))
  if (typed.length > maxColumns)
    throw invalid(
      `A file can have at most ${maxColumns} columns, and this one has ${formatCount(typed.length)}.`,
    )
  const columns = typed.map((name) => known.find((column) => column.toLowerCase() === name.toLowerCase()))
  const unknown = typed.filter((name, i) => name !== '' && !columns[i])
  if (unknown.length > 0)
    throw invalid(
      `${unknown.length === 1 ? 'There’s no column' : 'There are no columns'} ${listNames(unknown)}. Use the columns of the export: ${known.join(', ')}.`,
    )
  const twice = columns.find((column, i) => column && columns.indexOf(column) !== i)
  if (twice) throw invalid(`The column ${twice} is in this file twice. Remove one.`)
  if (!columns.includes('Part number' as Column))
    throw invalid('The column Part number is missing. It says which part a row is about.')
  return columns.map((column) => column ?? null)
}

function listNames(names: string[]) {
  const shown = names.slice(0, 5).map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name))
  return [...shown, ...(names.length > 5 ? [`${formatCount(names.length - 5)} more`] : [])].join(', ')
}

function invalid(message: string) {
  return new ShopError('invalid', message, { fields: { csv: [message] } })
}
