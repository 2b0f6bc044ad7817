import type { QuickRow } from '#shop/basket/quick-order.ts'
import { type DecimalMark, type WrittenNumber, wholeValues } from '#shop/parts/quantity-text.ts'
import { findDecimalMark, findQuantityColumn, type NumberColumn } from './columns.ts'
import type { Group } from './groups.ts'

const maxQuantityLength = 40

/** What a customer has said about lists of one shape. */
export interface ListAnswer {
  /** The index of the column of quantities; null when none is. */
  column?: number | null
  mark?: DecimalMark
}

/** By shape. */
export type ListAnswers = Record<string, ListAnswer>

export interface ColumnQuestion {
  kind: 'column'
  shape: string
  columns: { index: number; name: string; samples: string[] }[]
  /** Of the first rows. */
  texts: string[]
}

export interface MarkQuestion {
  kind: 'mark'
  shape: string
  /** A number that has two meanings. */
  sample: string
  values: Record<DecimalMark, number>
}

export type ListQuestion = ColumnQuestion | MarkQuestion

type Quantities = { rows: QuickRow[]; isAnswered: boolean } | { question: ListQuestion }

/** Of each line, or what has to be asked first. */
export function readQuantities({ shape, lines, columns }: Group, answer: ListAnswer): Quantities {
  const parts = lines.map(({ part }) => part)
  const found = findQuantityColumn({ columns, parts })
  const candidates = 'candidates' in found ? found.candidates : null
  const index = candidates ? answer.column : (found as { index: number | null }).index
  if (index === undefined) return { question: askForColumn(shape, candidates!, lines, columns) }
  const column = columns.find((one) => one.index === index)
  const needed = column ? findDecimalMark(column, columns, parts) : null
  const mark = needed === undefined ? answer.mark : needed
  if (mark === undefined) return { question: askForMark(shape, column!) }
  const rows = lines.map(({ line, id, text, part, cells }, i) => {
    const quantity = column ? readCell(cells[column.index] ?? '', column.numbers[i], mark) : ''
    return { id, lines: [line], text, part, quantity }
  })
  return { rows, isAnswered: candidates !== null || needed === undefined }
}

/** What was typed stays when it is no whole number. */
function readCell(typed: string, number: WrittenNumber | null | undefined, mark: DecimalMark | null) {
  if (!number) return typed.slice(0, maxQuantityLength)
  const value = mark && number.values[mark] !== null ? number.values[mark] : wholeValues(number)[0]
  const isWhole = value !== undefined && value >= 0 && Number.isSafeInteger(value)
  return isWhole && !number.isMoney ? String(value) : typed.slice(0, maxQuantityLength)
}

const shownRows = 3

function askForColumn(
  shape: string,
  candidates: number[],
  lines: Group['lines'],
  columns: NumberColumn[],
): ColumnQuestion {
  const shown = lines.slice(0, shownRows)
  return {
    kind: 'column',
    shape,
    texts: shown.map(({ part, text }) => part?.name ?? text),
    columns: columns
      .filter(({ index }) => candidates.includes(index))
      .map(({ index, name }) => ({
        index,
        name: name || `${shape.endsWith('numbers') ? 'Number' : 'Column'} ${index + 1}`,
        samples: shown.map(({ cells }) => cells[index] ?? ''),
      })),
  }
}

function askForMark(shape: string, { numbers }: NumberColumn): MarkQuestion {
  const sample = numbers.find((one) => one && wholeValues(one).length > 1)!
  return { kind: 'mark', shape, sample: sample.text, values: sample.values as Record<DecimalMark, number> }
}
