import type { PartSummary } from '#shop/parts/part.ts'
import { maxPerOrder } from '#shop/parts/quantity.ts'
import { type DecimalMark, type WrittenNumber, wholeValues } from '#shop/parts/quantity-text.ts'
import { type ColumnRole, isAboutPacks } from './column-names.ts'

/** One of several numbers that stand at the same place in each line. */
export interface NumberColumn {
  /** From 0. */
  index: number
  /** In its header; empty without one. */
  name: string
  role: ColumnRole | undefined
  /** Before everything else in each line. */
  isFirst: boolean
  /** By line; null where there is none. */
  numbers: (WrittenNumber | null)[]
}

export interface NumberTable {
  columns: NumberColumn[]
  /** By line. */
  parts: (PartSummary | undefined)[]
}

/** The index of the column of quantities, or those of which one has to be chosen; none when there are no quantities. */
export type QuantityColumn = { index: number | null } | { candidates: number[] }

const ask = (columns: NumberColumn[]): QuantityColumn => ({ candidates: columns.map(({ index }) => index) })

export function findQuantityColumn({ columns, parts }: NumberTable): QuantityColumn {
  const filled = columns.filter(({ numbers }) => numbers.some(Boolean))
  const allNamed = columns.filter(({ role }) => role === 'quantity')
  const named = allNamed.length === 1 ? allNamed : filled.filter(({ role }) => role === 'quantity')
  if (named.length === 1) return isInPacks(named[0]!, filled) ? ask(named) : { index: named[0]!.index }
  if (named.length > 1) return hasSameNumbers(named) ? { index: named[0]!.index } : ask(named)
  const unnamed = filled.filter(({ role }) => role === undefined || role === 'count')
  const possible = unnamed.filter((column) => !isMoney(column))
  const [only, second] = possible
  if (!only) return { index: null }
  // Its name says something that is not understood.
  if (!second) return only.name !== '' && only.role === undefined ? ask([only]) : { index: only.index }
  return chooseByContent(possible, filled, parts)
}

/** "Requested packs" of more than one piece. */
function isInPacks({ name }: NumberColumn, columns: NumberColumn[]) {
  if (!isAboutPacks(name)) return false
  const pack = columns.find(({ role }) => role === 'pack')
  return pack?.numbers.some((one) => one && wholeValues(one)[0] !== 1) ?? false
}

function chooseByContent(
  possible: NumberColumn[],
  all: NumberColumn[],
  parts: NumberTable['parts'],
): QuantityColumn {
  const marked = possible.filter(({ numbers }) => numbers.every((one) => !one || one.isMarked))
  if (marked.length === 1) return { index: marked[0]!.index }
  const weak = findWeakly(possible, parts)
  const left = possible.filter(
    (column) => !isNoQuantity(column) && !hasDecimals(column) && !weak.includes(column),
  )
  const [first] = left
  const isClear = first && (isProven(first, all) || !isDoubtful(first, possible, weak, parts))
  if (isClear && hasSameNumbers(left)) return { index: first.index }
  const asked = left.length > 1 ? left : possible.filter((column) => !isPosition(column, 3))
  return ask(asked.length > 0 ? asked : possible)
}

/** Of two columns with decimals, one is the other one times the quantity, and times nothing else. */
function isProven(quantity: NumberColumn, all: NumberColumn[]) {
  const others = all.filter((column) => column !== quantity && !isMoney(column))
  return isFactor(quantity, all) && !others.some((column) => isFactor(column, all, true))
}

function isFactor(column: NumberColumn, all: NumberColumn[], canBeOne = false) {
  const decimals = all.filter((one) => one !== column && (hasDecimals(one) || isMoney(one)))
  return decimals.some((price) =>
    decimals.some((total) => total !== price && isProduct(price, column, total, canBeOne)),
  )
}

/** Something else could as well be the quantity; in a line or two, also what else looks like a position, a price or a total. */
function isDoubtful(
  column: NumberColumn,
  possible: NumberColumn[],
  weak: NumberColumn[],
  parts: NumberTable['parts'],
) {
  const ignored = possible.filter((one) =>
    hasDecimals(one) ? isPrice(one, parts) : countRows(possible) >= 3 && weak.includes(one),
  )
  const others = possible.filter((one) => one !== column && !ignored.includes(one))
  return others.filter(hasDecimals).length > 1 || others.some((one) => canAllBeOrdered(one, parts))
}

function isMoney({ numbers }: NumberColumn) {
  return numbers.some((one) => one?.isMoney)
}

function countRows(columns: NumberColumn[]) {
  return Math.max(0, ...columns.map(({ numbers }) => numbers.filter(Boolean).length))
}

/** No order has so many, or what stands there is no number. */
function isNoQuantity({ numbers }: NumberColumn) {
  return numbers.every((one) => !one || Math.min(...listValues(one)) > maxPerOrder)
}

/** As prices have them. */
function hasDecimals({ numbers }: NumberColumn) {
  return numbers.some(
    (one) => one?.hasDecimals || (one && listValues(one).length > 0 && wholeValues(one).length === 0),
  )
}

/** What says little in a line or two, and then must be no quantity of its parts, unlike what is left. */
function findWeakly(possible: NumberColumn[], parts: NumberTable['parts']) {
  const weak = possible.filter(
    (column) => isPosition(column, 1) || isPrice(column, parts) || isTotal(column, possible),
  )
  const left = possible.filter((column) => !weak.includes(column) && !hasDecimals(column))
  if (countRows(possible) >= 3) return weak
  const isClear = left.length === 1 && canAllBeOrdered(left[0]!, parts)
  return isClear ? weak.filter((column) => !canAllBeOrdered(column, parts)) : []
}

/** 1, 2, 3 or 10, 20, 30 in the first column, or anywhere in four lines or more. */
function isPosition({ isFirst, numbers }: NumberColumn, leastRows: number) {
  const values = numbers.flatMap((one) => (one ? wholeValues(one).slice(0, 1) : []))
  if (values.length !== numbers.length || values.length < (isFirst ? leastRows : 4)) return false
  return [1, 10].some((step) => values.every((value, i) => value === (i + 1) * step))
}

/** What the shop asks for each. */
function isPrice({ numbers }: NumberColumn, parts: NumberTable['parts']) {
  const known = numbers.flatMap((one, i) => (one && parts[i] ? [{ one, part: parts[i] }] : []))
  return (
    known.length > 0 &&
    known.every(({ one, part }) =>
      [part.perUnitPrice, ...part.priceBreaks.map(({ unitPrice }) => unitPrice)].some((price) =>
        Object.values(one.values).includes(price),
      ),
    )
  )
}

function isTotal(column: NumberColumn, possible: NumberColumn[]) {
  const others = possible.filter((one) => one !== column)
  return others.some((first) => others.some((second) => first !== second && isProduct(first, second, column)))
}

/** In every line, to the cent. */
function isProduct(first: NumberColumn, second: NumberColumn, product: NumberColumn, canBeOne = false) {
  let isTrivial = !canBeOne
  for (const [i, one] of product.numbers.entries()) {
    const [a, b, c] = [first.numbers[i], second.numbers[i], one]
    if (!a && !b && !c) continue
    if (!a || !b || !c) return false
    const isEqual = listValues(a).some((x) =>
      listValues(b).some((y) => listValues(c).some((z) => Math.abs(x * y - z) < 0.006)),
    )
    if (!isEqual) return false
    if (!listValues(a).includes(1) && !listValues(b).includes(1)) isTrivial = false
  }
  return !isTrivial
}

function listValues({ values }: WrittenNumber) {
  return Object.values(values).filter((value) => value !== null)
}

function hasSameNumbers([first, ...others]: NumberColumn[]) {
  return others.every(({ numbers }) => numbers.every((one, i) => one?.text === first!.numbers[i]?.text))
}

function canAllBeOrdered({ numbers }: NumberColumn, parts: NumberTable['parts']) {
  return numbers.every((one, i) => one && wholeValues(one).some((value) => isInRange(parts[i], value)))
}

function isInRange(part: PartSummary | undefined, value: number) {
  return part !== undefined && value >= part.minQuantity && value <= part.availableQuantity
}

/** What separates decimals in the quantities: null when it makes no difference, undefined when it cannot be known. */
export function findDecimalMark(
  quantities: NumberColumn,
  all: NumberColumn[],
  parts: NumberTable['parts'],
): DecimalMark | null | undefined {
  const { numbers } = quantities
  if (!numbers.some((one) => one && listValues(one).length > 1 && one.values[','] !== one.values['.']))
    return null
  const marks = ([',', '.'] as const).filter((mark) => isWritten(all, mark))
  if (marks.length === 1) return marks[0]
  const whole = ([',', '.'] as const).filter((mark) =>
    numbers.every((one) => !one || one.values[mark] === null || Number.isSafeInteger(one.values[mark])),
  )
  if (whole.length === 1) return whole[0]
  const isPossible = (mark: DecimalMark) =>
    numbers
      .map(
        (one, i) =>
          one && wholeValues(one).length > 1 && parts[i] && isInRange(parts[i], one.values[mark] ?? -1),
      )
      .filter((one) => one !== null && one !== undefined)
  const [comma, point] = [isPossible(','), isPossible('.')]
  if (comma.length > 0 && comma.every(Boolean) && !point.some(Boolean)) return ','
  return point.length > 0 && point.every(Boolean) && !comma.some(Boolean) ? '.' : undefined
}

/** A number can only be read with this mark. */
function isWritten(columns: NumberColumn[], mark: DecimalMark) {
  const other = mark === ',' ? '.' : ','
  return columns.some(({ numbers }) =>
    numbers.some((one) => one && one.values[mark] !== null && one.values[other] === null),
  )
}
