import { maxBasketItems } from '#shop/basket/items.ts'
import { joinRows, type QuickRow } from '#shop/basket/quick-order.ts'
import { formatCount } from '#shop/money.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { indexParts, listTexts } from './find-parts.ts'
import { groupRows, type LeftOutLine } from './groups.ts'
import { type ListAnswers, type ListQuestion, readQuantities } from './quantities.ts'
import { parseListTable, type TableRow } from './table.ts'

export const maxListBytes = 1_000_000

export type PartList = { rows: TableRow[] } | { error: string }

/** Lines of part and quantity, and whatever else people have in such lists. */
export function parsePartList(text: string): PartList {
  if (text.length > maxListBytes)
    return { error: 'This list is larger than 1 MB. Split it into smaller lists.' }
  const rows = parseListTable(text)
  if (rows.length === 0)
    return { error: 'Enter at least one line with a part number or name, and a quantity.' }
  const count = rows.filter(({ cells }) => cells.some((cell) => /\d/.test(cell))).length
  if (Math.max(count, rows.length / 3) > maxBasketItems)
    return {
      error: `A list can have at most 1,000 lines, and this one has ${formatCount(rows.length)}. Split it into smaller lists.`,
    }
  return { rows }
}

/** What to look up for `readPartList`. */
export function listTextsToLookUp(rows: TableRow[]): string[] {
  const texts = rows.flatMap(({ cells, typed }) => [
    ...cells.flatMap(listTexts),
    ...typed.flatMap((cell, i) => (cell === cells[i] ? [] : listTexts(cell.trim()))),
    ...listJoined(cells).flatMap(listTexts),
  ])
  return [...new Set(texts)]
}

/** A name can have commas, which also separate columns. */
function listJoined(cells: string[]) {
  return [2, 3].flatMap((count) =>
    cells.map((_, i) => cells.slice(i, i + count).join(', ')).filter((text) => /\p{L}/u.test(text)),
  )
}

export interface ReadLines {
  rows: QuickRow[]
  leftOut: LeftOutLine[]
  /** Shapes of which an answer was used. */
  answered: string[]
}

export type ListReading = ReadLines | { question: ListQuestion }

/** One row for each part, or what has to be asked first: no quantity is guessed. */
export function readPartList(table: TableRow[], parts: PartSummary[], answers: ListAnswers): ListReading {
  const groups = groupRows(table, indexParts(parts))
  const rows: QuickRow[] = [...groups.rows]
  const answered: string[] = []
  for (const group of groups.tables) {
    const read = readQuantities(group, answers[group.shape] ?? {})
    if ('question' in read) return read
    if (read.isAnswered) answered.push(group.shape)
    rows.push(...read.rows)
  }
  const sorted = rows.sort((a, b) => a.lines[0]! - b.lines[0]!)
  return { rows: joinRows(sorted), leftOut: groups.leftOut, answered }
}
