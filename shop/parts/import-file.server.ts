import { setImmediate as nextTurn } from 'node:timers/promises'
import Papa from 'papaparse'
import { ShopError } from '#shop/errors.ts'
import { byteOrderMark, unescapeFormula } from '#shop/exports/csv.ts'
import { formatCount } from '#shop/money.ts'
import { type CatalogueColumn, catalogueColumns } from './catalogue-columns.ts'
import { maxImportRows } from './import.ts'

export interface FileRow {
  /** As spreadsheets number it. */
  row: number
  /** What the file has of the columns. */
  cells: Partial<Record<CatalogueColumn, string>>
  hasSurplus: boolean
}

const maxColumns = 100
/** Longer than any text of a part can be. */
const maxCellLength = 10_000
const maxRowLength = 250_000
/** Parsed at once: each can be a row. */
const windowLength = 20_000

/** Throws 'invalid' for what concerns the whole file. */
export async function readCatalogueFile(csv: string): Promise<FileRow[]> {
  const text = csv.startsWith(byteOrderMark) ? csv.slice(1) : csv
  let columns: (CatalogueColumn | null)[] | undefined
  let filled = 0
  const rows: FileRow[] = []
  for await (const { row, cells } of readRows(text)) {
    if (!columns) columns = readHead(cells)
    else if (cells.some((cell) => cell.trim() !== '') && ++filled <= maxImportRows)
      rows.push(readRow(row, cells, columns))
  }
  if (filled === 0) throw invalid('This file has no rows below the column names.')
  if (filled > maxImportRows)
    throw invalid(
      `A file can have at most ${formatCount(maxImportRows)} rows, and this one has ${formatCount(filled)}. Split it into smaller files.`,
    )
  return rows
}

function readRow(row: number, cells: string[], columns: (CatalogueColumn | null)[]): FileRow {
  if (cells.some((cell) => cell.length > maxCellLength))
    throw invalid(`Row ${formatCount(row)} has a cell of more than ${formatCount(maxCellLength)} characters.`)
  const named = columns.flatMap((column, i) => (column ? [[column, unescapeFormula(cells[i] ?? '')]] : []))
  return {
    row,
    cells: Object.fromEntries(named),
    hasSurplus: cells.some((cell, i) => !columns[i] && cell.trim() !== ''),
  }
}

/** `row` is as spreadsheets number it. Others get the processor between windows of the text. */
async function* readRows(text: string): AsyncGenerator<{ row: number; cells: string[] }> {
  const format = formatOf(text)
  let row = 0
  let length = windowLength
  for (let start = 0; start < text.length; await nextTurn()) {
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

/** As its first line, which has no text of the catalogue, is written. */
function formatOf(text: string) {
  const [, line = '', newline = '\n'] = /^([^\r\n]*)(\r\n|\n|\r)?/.exec(text.slice(0, maxRowLength)) ?? []
  const count = (delimiter: string) => line.split(delimiter).length
  const delimiter = [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best))
  return { delimiter, newline: newline as '\n' | '\r\n' | '\r' }
}

const names = Object.keys(catalogueColumns) as CatalogueColumn[]

/** Null for a column without a name. */
function readHead(head: string[]): (CatalogueColumn | null)[] {
  const typed = head.map((name) => name.trim())
  if (typed.length > maxColumns)
    throw invalid(
      `A file can have at most ${maxColumns} columns, and this one has ${formatCount(typed.length)}.`,
    )
  const columns = typed.map((name) => names.find((known) => known.toLowerCase() === name.toLowerCase()))
  const unknown = typed.filter((name, i) => name !== '' && !columns[i])
  if (unknown.length > 0)
    throw invalid(
      `${unknown.length === 1 ? 'There’s no column' : 'There are no columns'} ${listNames(unknown)}. Use the columns of the export: ${names.join(', ')}.`,
    )
  const twice = columns.find((column, i) => column && columns.indexOf(column) !== i)
  if (twice) throw invalid(`The column ${twice} is in this file twice. Remove one.`)
  if (!columns.includes('Part number'))
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
