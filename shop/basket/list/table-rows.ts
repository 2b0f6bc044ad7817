import type { PartSummary } from '#shop/parts/part.ts'
import { readWrittenNumber } from '#shop/parts/quantity-text.ts'
import { type ColumnRole, isTotalName, readColumnName } from './column-names.ts'
import type { NumberColumn } from './columns.ts'
import { type PartIndex, splitIntoWords } from './find-parts.ts'
import type { TableRow } from './table.ts'

export interface Header {
  cells: string[]
  roles: (ColumnRole | undefined)[]
}

/** Names of columns: nothing is a part, or a number other than in "Quantity 2". */
export function readHeader({ cells }: TableRow, index: PartIndex): Header | null {
  const roles = cells.map(readColumnName)
  const numbers = cells.filter((cell) => readWrittenNumber(cell))
  const known = roles.filter((role, i) => role && !numbers.includes(cells[i]!))
  const isHeader =
    cells.filter(Boolean).length >= 2 &&
    known.length >= (numbers.length > 0 ? 2 : 1) &&
    numbers.every((cell) => readColumnName(cell)) &&
    !cells.some((cell) => index.find(cell))
  return isHeader ? { cells, roles } : null
}

export interface ListTableRow {
  line: number
  cells: string[]
  part: PartSummary | undefined
  /** The column in which the part was found, or -1. */
  at: number
}

/** The cells of a row in as many columns as the others have; null when they do not fit. */
export function fitCells(cells: string[], columns: number, index: PartIndex): string[] | null {
  const surplus = cells.length - columns
  if (surplus <= 0) return [...cells, ...Array<string>(-surplus).fill('')]
  const fitting = Array.from({ length: columns }, (_, at) => joinCells(cells, at, surplus + 1)).filter(
    ({ joined, pieces }) => isNumberWithCommas(pieces) || index.find(joined) !== undefined,
  )
  return fitting.length === 1 ? fitting[0]!.cells : null
}

function joinCells(cells: string[], at: number, count: number) {
  const pieces = cells.slice(at, at + count)
  const joined = isNumberWithCommas(pieces) ? pieces.join(',') : pieces.join(', ')
  return { pieces, joined, cells: [...cells.slice(0, at), joined, ...cells.slice(at + count)] }
}

/** `1,200` without quotation marks, in a file whose columns are separated by commas. */
function isNumberWithCommas([first = '', ...others]: string[]) {
  return /^[1-9]\d{0,2}$/.test(first) && others.every((one) => /^\d{3}$/.test(one))
}

/** The part that a row is about: where the header says so, else where one is found. */
export function findRowPart(cells: string[], roles: Header['roles'] | undefined, index: PartIndex) {
  const ofRole = (role: ColumnRole) => [...cells.keys()].filter((i) => roles?.[i] === role)
  const named = [...ofRole('number'), ...ofRole('name')]
  const others = [...cells.keys()].filter((i) => !named.includes(i) && isText(cells[i]!))
  const numbers = roles ? [] : [...cells.keys()].filter((i) => /^\d+$/.test(cells[i]!))
  for (const at of [...named, ...others, ...numbers]) {
    const part = cells[at] ? index.find(cells[at]) : undefined
    if (part) return { part, at }
  }
  for (const at of [...named, ...others]) {
    const parts = new Map(index.findAll(splitIntoWords(cells[at]!)).map(({ part }) => [part._id, part]))
    if (parts.size === 1) return { part: [...parts.values()][0]!, at }
  }
  return { part: undefined, at: named[0] ?? others[0] ?? -1 }
}

function isText(cell: string) {
  return cell !== '' && readWrittenNumber(cell) === null
}

/** A row that names two parts is not about one of them. */
export function hasOtherPart(cells: string[], { _id }: PartSummary, index: PartIndex) {
  return cells.some((cell) => isText(cell) && (index.find(cell)?._id ?? _id) !== _id)
}

/** A title, a total or a remark between the rows. */
export function isRemarkRow({ cells, part }: ListTableRow, header: Header | undefined) {
  if (part) return false
  const filled = cells.filter(Boolean)
  const isShort = filled.length === 1 && !(header && /\d/.test(filled[0]!))
  const texts = filled.filter(isText)
  return (
    isShort ||
    texts.some(isTotalName) ||
    (texts.length === 0 && header !== undefined) ||
    (!filled.some((cell) => /\d/.test(cell)) && !header)
  )
}

export function readNumberColumns(rows: ListTableRow[], header: Header | undefined): NumberColumn[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const partColumns = countPartColumns(rows)
  return Array.from({ length: width }, (_, index) => index)
    .filter((index) => index !== partColumns || header?.roles[index] === 'quantity')
    .map((index) => ({
      index,
      name: header?.cells[index] ?? '',
      role: header?.roles[index],
      isFirst: index === 0,
      numbers: rows.map(({ cells }) => readWrittenNumber(cells[index] ?? '')),
    }))
    .filter(({ index, numbers, role }) => role === 'quantity' || isMostlyNumbers(rows, index, numbers))
}

function isMostlyNumbers(rows: ListTableRow[], index: number, numbers: unknown[]) {
  const filled = rows.filter(({ cells }) => cells[index]).length
  return filled > 0 && numbers.filter(Boolean).length * 2 > filled
}

/** The column in which most parts were found, or where the others would be. */
function countPartColumns(rows: ListTableRow[]) {
  const counts = new Map<number, number>()
  for (const { at, part } of rows) if (part) counts.set(at, (counts.get(at) ?? 0) + 1)
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? rows.find(({ at }) => at >= 0)?.at ?? 0
}
