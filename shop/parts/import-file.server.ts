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

/** Throws 'invalid' for what concerns the whole file. */
export function readCatalogueFile(csv: string): FileRow[] {
  const text = csv.startsWith(byteOrderMark) ? csv.slice(1) : csv
  const { data, errors } = Papa.parse<string[]>(text, formatOf(text))
  const quoting = errors.find(({ type }) => type === 'Quotes')
  if (quoting)
    throw invalid(`Row ${formatCount((quoting.row ?? 0) + 1)} has a quotation mark that isn’t closed.`)
  const [head = [], ...rows] = data
  const columns = readHead(head)
  const filled = rows
    .map((cells, i) => ({ row: i + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (filled.length === 0) throw invalid('This file has no rows below the column names.')
  if (filled.length > maxImportRows)
    throw invalid(
      `A file can have at most ${formatCount(maxImportRows)} rows, and this one has ${formatCount(filled.length)}. Split it into smaller files.`,
    )
  return filled.map(({ row, cells }) => ({
    row,
    cells: Object.fromEntries(
      columns.flatMap((column, i) => (column ? [[column, unescapeFormula(cells[i] ?? '')]] : [])),
    ),
    hasSurplus: cells.some((cell, i) => !columns[i] && cell.trim() !== ''),
  }))
}

/** As its first line, which has no text of the catalogue, is written. */
function formatOf(text: string) {
  const [, line = '', newline = '\n'] = /^([^\r\n]*)(\r\n|\n|\r)?/.exec(text) ?? []
  const count = (delimiter: string) => line.split(delimiter).length
  const delimiter = [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best))
  return { delimiter, newline: newline as '\n' | '\r\n' | '\r' }
}

const names = Object.keys(catalogueColumns) as CatalogueColumn[]

/** Null for a column without a name. */
function readHead(head: string[]): (CatalogueColumn | null)[] {
  const typed = head.map((name) => name.trim())
  const columns = typed.map((name) => names.find((known) => known.toLowerCase() === name.toLowerCase()))
  const unknown = typed.filter((name, i) => name !== '' && !columns[i])
  if (unknown.length > 0)
    throw invalid(
      `${unknown.length === 1 ? 'There’s no column' : 'There are no columns'} ${unknown.join(', ')}. Use the columns of the export: ${names.join(', ')}.`,
    )
  const twice = columns.find((column, i) => column && columns.indexOf(column) !== i)
  if (twice) throw invalid(`The column ${twice} is in this file twice. Remove one.`)
  if (!columns.includes('Part number'))
    throw invalid('The column Part number is missing. It says which part a row is about.')
  return columns.map((column) => column ?? null)
}

function invalid(message: string) {
  return new ShopError('invalid', message, { fields: { csv: [message] } })
}
