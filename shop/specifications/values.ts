import type { AttributeKind } from './kinds.ts'
import { formatMeasure, type Parsed, parseMeasure, tidySizes, type Unit } from './units.ts'

/** A number has the same `low` and `high`, yes is 1 and no is 0, and what has no number has a `text`. */
export interface SpecValue {
  text: string
  low: number | null
  high: number | null
}

/** What decides how a value is read and written. */
export interface ValueRules {
  kind: AttributeKind
  unit: Unit | null
  choices: string[]
}

export const maxValueLength = 200

/** Of a text that is not empty. */
export function parseSpecValue({ kind, unit, choices }: ValueRules, typed: string): Parsed<SpecValue> {
  const text = tidySizes(typed.replace(/\s+/g, ' ').trim())
  if (text.length > maxValueLength) return { error: `At most ${maxValueLength} characters` }
  if (kind === 'text') return { value: { text, low: null, high: null } }
  if (kind === 'yesNo') {
    if (/^(yes|y|true|1)$/i.test(text)) return { value: { text: '', low: 1, high: 1 } }
    if (/^(no|n|false|0)$/i.test(text)) return { value: { text: '', low: 0, high: 0 } }
    return { error: 'Write Yes or No' }
  }
  if (kind === 'choice') {
    const chosen = choices.find((choice) => toChoiceKey(choice) === toChoiceKey(text))
    if (chosen !== undefined) return { value: { text: chosen, low: null, high: null } }
    return { error: `Choose one of: ${choices.join(', ')}` }
  }
  const parsed = parseMeasure(text, unit, kind === 'range')
  return parsed.error === undefined ? { value: { text: '', ...parsed.value } } : parsed
}

/** The same for spellings that differ by case and spaces. */
export function toChoiceKey(choice: string) {
  return tidySizes(choice).toLowerCase().replace(/\s+/g, '')
}

/** As `parseSpecValue` reads it again. */
export function formatSpecValue({ kind, unit }: Pick<ValueRules, 'kind' | 'unit'>, value: SpecValue): string {
  const { text, low, high } = value
  if (low === null || high === null) return text
  if (kind === 'yesNo') return low === 1 ? 'Yes' : 'No'
  return formatMeasure({ low, high }, unit)
}

export function isSameValue(one: SpecValue | undefined, other: SpecValue | undefined) {
  return one?.text === other?.text && one?.low === other?.low && one?.high === other?.high
}
