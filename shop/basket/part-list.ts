import Papa from 'papaparse'
import { readQuantityText } from '#shop/parts/quantity-text.ts'
import { maxBasketItems } from './items.ts'

export const maxListBytes = 1_000_000

/** As long as the name of a part can be. */
const maxTextLength = 120

export interface ListLine {
  /** From 1, in what was pasted. */
  line: number
  /** A part number or a name; the first is what the part most likely is. */
  texts: string[]
  /** Digits, or what stands in their place; empty when there is no quantity. */
  quantity: string
  /** The whole line, when its number may belong to the name. */
  unsplit?: string
}

export type PartList = { lines: ListLine[] } | { error: string }

/** Lines of part and quantity, separated by tabs, semicolons, commas or spaces, with or without a header. */
export function parsePartList(text: string): PartList {
  if (text.length > maxListBytes)
    return { error: 'This list is larger than 1 MB. Split it into smaller lists.' }
  const rows = readRows(text.replaceAll('\0', ''))
  const header = findColumns(rows[0]?.cells ?? [])
  const lines = (header ? rows.slice(1) : rows).map((row) =>
    header ? readByHeader(row, header) : readByShape(row),
  )
  if (lines.length === 0)
    return { error: 'Enter at least one line with a part number or name, and a quantity.' }
  if (lines.length > maxBasketItems)
    return {
      error: `A list can have at most 1,000 lines, and this one has ${lines.length.toLocaleString('en-US')}. Split it into smaller lists.`,
    }
  return { lines }
}

interface Row {
  line: number
  cells: string[]
  separator: string
}

function readRows(text: string): Row[] {
  const separator = ['\t', ';'].find((one) => text.includes(one)) ?? ','
  let { data, errors } = Papa.parse<string[]>(text, { delimiter: separator })
  // A quote that never ends, such as the inches of a tyre, would swallow the rest.
  if (errors.some(({ type }) => type === 'Quotes'))
    data = Papa.parse<string[]>(text, { delimiter: separator, quoteChar: '\0' }).data
  return data
    .map((cells, i) => ({ line: i + 1, cells: cells.map(cleanCell), separator }))
    .filter(({ cells }) => cells.some(Boolean))
}

/** Spreadsheets write numbers that begin with zeros as `="0042"` or `'0042`. */
function cleanCell(cell: string) {
  const text = cell.replace(/\s+/g, ' ').trim()
  return (/^="(.*)"$/.exec(text)?.[1] ?? text.replace(/^'/, '')).replaceAll('"', '').trim()
}

interface Columns {
  /** Of numbers, names and the like. */
  parts: number[]
  quantity: number
}

const partHeader = /\b(part|number|no|sku|item|article|product|name|code|ref|reference)\b/i
const quantityHeader = /\b(qty|quantity|amount|count|pcs|pieces|units?)\b/i

function findColumns(cells: string[]): Columns | undefined {
  const quantity = cells.findIndex((cell) => quantityHeader.test(cell))
  const parts = [...cells.keys()].filter((i) => i !== quantity && partHeader.test(cells[i]!))
  const isHeader =
    quantity >= 0 && parts.length > 0 && !cells.some((cell) => readQuantityText(cell) !== undefined)
  return isHeader ? { parts, quantity } : undefined
}

function readByHeader({ line, cells }: Row, { parts, quantity }: Columns): ListLine {
  const typed = cells[quantity] ?? ''
  const texts = textsOf(parts.map((i) => cells[i] ?? ''))
  return { line, texts, quantity: readQuantityText(typed) ?? typed }
}

function readByShape({ line, cells, separator }: Row): ListLine {
  const filled = cells.filter(Boolean)
  const whole = filled.join(separator)
  if (filled.length === 1 || /\s\d{1,3}(,\d{3})+$/.test(whole)) {
    const words = readWords(whole)
    const other = [';', ','].find((one) => whole.includes(one))
    if (words.quantity || !other) return { line, ...words }
    return readByShape({ line, cells: whole.split(other).map((cell) => cell.trim()), separator: other })
  }
  const at = findQuantity(filled)
  const parts = filled.filter((_, i) => (at > 0 ? i < at : i !== at))
  // A name may contain the separator.
  const texts = textsOf([parts[0] ?? '', parts.join(separator === '\t' ? ' ' : `${separator} `)])
  const typed = filled[at] ?? ''
  return { line, texts, quantity: readQuantityText(typed) ?? typed }
}

/** Index of the cell, or -1. Alone, digits are the part number. */
function findQuantity(cells: string[]) {
  const isQuantity = (cell: string) => readQuantityText(cell) !== undefined
  const last = cells.findLastIndex(isQuantity)
  if (last > 0) return last
  if (last === 0 && !isQuantity(cells[1]!)) return 0
  return /^[-+]?\d[\d.,]*$/.test(cells.at(-1)!) ? cells.length - 1 : -1
}

/** `WW-CN12 60`, `60 x WW-CN12` or `60 WW-CN12`. */
function readWords(text: string): Omit<ListLine, 'line'> {
  const [, lastWord] = /\s(?:[x×]\s?)?(\S+)$/i.exec(text) ?? []
  const last = lastWord === undefined ? undefined : readQuantityText(lastWord)
  if (last !== undefined)
    return {
      texts: textsOf([text.replace(/\s(?:[x×]\s?)?\S+$/i, '')]),
      quantity: last,
      unsplit: text.slice(0, maxTextLength),
    }
  const [, firstWord = '', rest = ''] = /^(\S+?)\s?(?:[x×]\s|\s)(.+)$/i.exec(text) ?? []
  const first = readQuantityText(firstWord)
  if (first !== undefined)
    return { texts: textsOf([rest]), quantity: first, unsplit: text.slice(0, maxTextLength) }
  return { texts: textsOf([text]), quantity: '' }
}

function textsOf(texts: string[]) {
  return [...new Set(texts.map((text) => text.slice(0, maxTextLength).trim()).filter(Boolean))]
}
