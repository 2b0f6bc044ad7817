import type { AttributeKind } from './kinds.ts'
import { formatMeasure, type Unit } from './units.ts'

export interface SpecChoice {
  /** In addresses: the attribute’s key and a value, such as `rotor-diameter:180`. */
  value: string
  label: string
  count: number
}

export interface SpecFacet {
  key: string
  name: string
  choices: SpecChoice[]
}

export interface FilterableAttribute {
  key: string
  name: string
  kind: AttributeKind
  unit: Unit | null
  choices: string[]
}

/** How many parts have a value; that of a step of numbers begins with `~`. */
export interface ValueCount {
  value: string
  low: number | null
  count: number
}

export interface SpecFilter {
  key: string
  value: string
  /** From a number on, and below another. */
  between: [from: number, below: number] | null
}

/** Both ends are included. */
export interface NumberSpan {
  low: number
  high: number
}

/** Null for another text. */
export function parseSpecFilter(text: string): SpecFilter | null {
  const colon = text.indexOf(':')
  if (colon <= 0) return null
  const [key, value] = [text.slice(0, colon), text.slice(colon + 1)]
  const [, from, below] = /^(-?\d{1,12}(?:\.\d{1,6})?)~(-?\d{1,12}(?:\.\d{1,6})?)$/.exec(value) ?? []
  return { key, value, between: from && below ? [Number(from), Number(below)] : null }
}

/** Of `12` and `10..12`; null for other values. */
export function readSpan(value: string): NumberSpan | null {
  const ends = value.split('..')
  if (ends.length > 2 || !ends.every((end) => /^-?\d{1,12}(\.\d{1,6})?$/.test(end))) return null
  const [low, high = low] = ends.map(Number)
  return { low: low!, high: high! }
}

/** Whether what a part has, a number or a range, has anything in common with what is chosen. */
export function matchesFilter(stored: NumberSpan, { value, between }: Pick<SpecFilter, 'value' | 'between'>) {
  if (between) return stored.low < between[1] && stored.high >= between[0]
  const chosen = readSpan(value)
  return chosen !== null && stored.low <= chosen.high && stored.high >= chosen.low
}

/** Of the parts, which have one value each. */
export function countMatching(counts: ValueCount[], filter: Pick<SpecFilter, 'value' | 'between'>) {
  return counts.reduce((sum, { value, count }) => {
    const stored = readSpan(value)
    const isFound = value === filter.value || (stored !== null && matchesFilter(stored, filter))
    return isFound ? sum + count : sum
  }, 0)
}

export function labelSpecFilter(attribute: FilterableAttribute, { value, between }: SpecFilter): string {
  const { kind, unit } = attribute
  if (between) return formatMeasure({ low: between[0], high: between[1] }, unit)
  if (kind === 'yesNo') return value === 'yes' ? 'Yes' : 'No'
  const [low, high = low] = value.split('..').map(Number)
  const isNumber = (kind === 'number' || kind === 'range') && Number.isFinite(low) && Number.isFinite(high)
  return isNumber ? formatMeasure({ low: low!, high: high! }, unit) : value
}

const maxDistinct = 10
const maxRanges = 6

/** Numbers as their values when these are few, otherwise as ranges; ranges by their ends, each with all ranges that hold it. */
export function listChoices(
  attribute: FilterableAttribute,
  counts: ValueCount[],
): Omit<SpecChoice, 'label'>[] {
  const values = counts.filter(({ value }) => !value.startsWith('~'))
  if (attribute.kind === 'range') return listEnds(values)
  if (attribute.kind === 'number' && values.length > maxDistinct)
    return joinSteps(counts.filter(({ value }) => value.startsWith('~')))
  const place = ({ value }: ValueCount) => attribute.choices.indexOf(value)
  return values.toSorted(
    (one, other) =>
      (one.low ?? 0) - (other.low ?? 0) ||
      place(one) - place(other) ||
      other.count - one.count ||
      (one.value < other.value ? -1 : 1),
  )
}

function listEnds(counts: ValueCount[]) {
  const spans = counts.flatMap(({ value }) => readSpan(value) ?? [])
  const ends = [...new Set(spans.flatMap(({ low, high }) => [low, high]))].sort((a, b) => a - b)
  const size = ends.length > maxDistinct ? Math.ceil(ends.length / maxRanges) : 1
  const starts = ends.filter((_, i) => i % size === 0)
  return starts.map((from, i) => {
    const below = starts[i + 1] ?? findNextStep(ends.at(-1)!)
    const value = size === 1 ? `${from}` : `${from}~${below}`
    return { value, count: countMatching(counts, { value, between: size === 1 ? null : [from, below] }) }
  })
}

/** Neighbouring steps with about as many parts each. */
function joinSteps(steps: ValueCount[]) {
  const sorted = steps.toSorted((one, other) => one.low! - other.low!)
  const share = sorted.reduce((sum, { count }) => sum + count, 0) / maxRanges
  const ranges: { from: number; below: number; count: number }[] = []
  for (const { low, count } of sorted) {
    const last = ranges.at(-1)
    const below = findNextStep(low!)
    if (last && (last.count < share || ranges.length === maxRanges)) {
      last.below = below
      last.count += count
    } else ranges.push({ from: low!, below, count })
  }
  return ranges.map(({ from, below, count }) => ({ value: `${from}~${below}`, count }))
}

const series = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** Of the scale that filter_step() has. */
function findNextStep(step: number) {
  if (step <= 0) return step < 0 ? 0 : 0.0001
  const power = 10 ** Math.floor(Math.log10(step) + 1e-9)
  const next = series.find((base) => base * power > step * (1 + 1e-9))! * power
  return Number(next.toPrecision(6))
}
