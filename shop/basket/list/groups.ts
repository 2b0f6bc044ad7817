import type { QuickRow } from '#shop/basket/quick-order.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { readWrittenNumber } from '#shop/parts/quantity-text.ts'
import type { NumberColumn } from './columns.ts'
import { maxTextLength, type PartIndex, splitIntoWords } from './find-parts.ts'
import { readWordLine, type WordLine } from './lines.ts'
import type { TableRow } from './table.ts'
import {
  findRowPart,
  fitCells,
  type Header,
  hasOtherPart,
  isRemarkRow,
  type ListTableRow,
  readHeader,
  readNumberColumns,
} from './table-rows.ts'

export interface LeftOutLine {
  line: number
  text: string
}

/** Lines of one shape. */
export interface Group {
  shape: string
  lines: { line: number; id: string; text: string; part: PartSummary | undefined; cells: string[] }[]
  columns: NumberColumn[]
}

interface Groups {
  tables: Group[]
  /** Without a number. */
  rows: QuickRow[]
  leftOut: LeftOutLine[]
}

export function groupRows(table: TableRow[], index: PartIndex): Groups {
  const headerAt = table.findIndex((row) => readHeader(row, index))
  const header = headerAt < 0 ? undefined : (readHeader(table[headerAt]!, index) ?? undefined)
  const data = table.filter((row, i) => i > headerAt && !(header && readHeader(row, index)))
  const width = header?.cells.length ?? findWidth(data)
  const tableRows: ListTableRow[] = []
  const wordRows: TableRow[] = []
  for (const row of data) {
    const read = readTableRow(row, width, header, index)
    if (read) tableRows.push(read)
    else wordRows.push(row)
  }
  const remarks = tableRows.filter((row) => isRemarkRow(row, header))
  const kept = tableRows.filter((row) => !remarks.includes(row))
  const words = groupWordLines(wordRows, index)
  const tables = kept.length > 0 ? [toGroup(kept, header), ...words.tables] : words.tables
  const leftOut = [...[...table.slice(0, Math.max(0, headerAt)), ...remarks].map(toLeftOut), ...words.leftOut]
  // A list of names that are not known, rather than a letter.
  if (tables.length + words.rows.length === 0) return { tables, rows: leftOut.map(toUnknownRow), leftOut: [] }
  return { tables, rows: words.rows, leftOut: leftOut.sort((a, b) => a.line - b.line) }
}

/** How many cells most rows with a number have. */
function findWidth(rows: TableRow[]) {
  const counts = new Map<number, number>()
  for (const { cells } of rows.filter(hasNumberCell))
    counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  return [...counts].sort(([a, first], [b, second]) => second - first || a - b)[0]?.[0] ?? 1
}

function hasNumberCell({ cells }: Pick<TableRow, 'cells'>) {
  return cells.filter(Boolean).length > 1 && cells.some((cell) => readWrittenNumber(cell))
}

/** Null when it is rather a line of words. */
function readTableRow(
  row: TableRow,
  width: number,
  header: Header | undefined,
  index: PartIndex,
): ListTableRow | null {
  const isShort = row.cells.length < width
  if (header ? row.cells.length === 1 && width > 1 : isShort || !hasNumberCell(row)) return null
  const cells = fitCells(row.cells.length > width ? trimEnd(row.cells) : row.cells, width, index)
  const found = cells && findRowPart(cells, header?.roles, index)
  if (!cells || !found) return null
  const isName = !header && !found.part && index.findAll(splitIntoWords(joinWords(row))).length > 0
  const isAboutTwo = !header && found.part && hasOtherPart(cells, found.part, index)
  return isName || isAboutTwo ? null : { line: row.line, cells, ...found }
}

function joinWords({ cells }: TableRow) {
  return cells.filter(Boolean).join(', ')
}

function trimEnd(cells: string[]) {
  return cells.slice(0, cells.findLastIndex(Boolean) + 1)
}

function toLeftOut({ line, cells }: Pick<TableRow, 'line' | 'cells'>): LeftOutLine {
  return { line, text: cells.filter(Boolean).join(' ').slice(0, maxTextLength) }
}

function toUnknownRow({ line, text }: LeftOutLine): QuickRow {
  return { id: String(line), lines: [line], text, part: undefined, quantity: '' }
}

function toGroup(rows: ListTableRow[], header: Header | undefined): Group {
  const columns = readNumberColumns(rows, header)
  const kinds = rows[0]!.cells.map((_, i) => (columns.some(({ index }) => index === i) ? 'number' : 'text'))
  return {
    shape: (header?.cells ?? kinds).join('\t').toLowerCase(),
    lines: rows.map(({ line, cells, part, at }) => ({
      line,
      id: String(line),
      text: (cells[at] || cells.find(Boolean) || '').slice(0, maxTextLength),
      part,
      cells,
    })),
    columns,
  }
}

function groupWordLines(rows: TableRow[], index: PartIndex): Groups {
  const groups: Groups = { tables: [], rows: [], leftOut: [] }
  const byCount = new Map<number, PlacedLine[]>()
  for (const row of rows) {
    const words = readWordLine(joinWords(row), index)
    if (words.length === 0) groups.leftOut.push(toLeftOut(row))
    for (const [i, word] of words.entries()) {
      const placed = { line: row.line, id: i === 0 ? String(row.line) : `${row.line}.${i + 1}`, word }
      const count = word.numbers.length
      if (count === 0) groups.rows.push(toRow(placed, word.typed))
      else byCount.set(count, [...(byCount.get(count) ?? []), placed])
    }
  }
  for (const [count, lines] of byCount) groups.tables.push(toWordGroup(lines, count))
  return groups
}

interface PlacedLine {
  line: number
  id: string
  word: WordLine
}

function toRow({ line, id, word: { text, part } }: PlacedLine, quantity: string): QuickRow {
  return { id, lines: [line], text: text.slice(0, maxTextLength), part, quantity }
}

function toWordGroup(placed: PlacedLine[], count: number): Group {
  return {
    shape: `${count} numbers`,
    lines: placed.map(({ line, id, word: { text, part, numbers } }) => ({
      line,
      id,
      text: text.slice(0, maxTextLength),
      part,
      cells: numbers.map((number) => number.text),
    })),
    columns: Array.from({ length: count }, (_, index) => ({
      index,
      name: '',
      role: undefined,
      isFirst: index === 0 && placed.every(({ word }) => word.startsWithNumber),
      numbers: placed.map(({ word }) => word.numbers[index] ?? null),
    })),
  }
}
