import { describeSpan, isSame, sameNameKey } from './fact-values.ts'
import type { FactRange, Interface, InterfaceFacts, Verdict } from './interface.ts'

/** Everything that was asked about, for rules that need a third part. */
export type FitContext = Interface[]

export interface FitRule {
  /** The kinds that meet, and the order in which `judge` takes them. */
  kinds: [string, string]
  /** As published. */
  rule: string
  /** What “fits” doesn’t cover. */
  check: string
  judge: (a: InterfaceFacts, b: InterfaceFacts, context: FitContext) => Verdict
}

export function fits(because: string): Verdict {
  return { answer: 'fits', because }
}

export function fitsWith(item: string, because: string): Verdict {
  return { answer: 'fitsWith', with: item, because }
}

export function doesNotFit(because: string): Verdict {
  return { answer: 'doesNotFit', because }
}

/** Names the facts that are missing. */
export function isMissing(...names: string[]): Verdict {
  return { answer: 'notKnown', because: `Not stated: ${names.join(', ')}` }
}

export function isUnclear(because: string): Verdict {
  return { answer: 'notKnown', because }
}

export function readNumber(facts: InterfaceFacts, id: string) {
  return facts[id] as number | undefined
}

export function readWord(facts: InterfaceFacts, id: string) {
  return facts[id] as string | undefined
}

export function words(facts: InterfaceFacts, id: string) {
  return facts[id] as string[] | undefined
}

export function amounts(facts: InterfaceFacts, id: string) {
  return facts[id] as number[] | undefined
}

export function span(facts: InterfaceFacts, id: string) {
  return facts[id] as FactRange | undefined
}

export function isYes(facts: InterfaceFacts, id: string) {
  return facts[id] as boolean | undefined
}

export function hasAmount(list: number[], value: number) {
  return list.some((item) => isSame(item, value))
}

export function hasName(list: string[], name: string) {
  return list.some((item) => sameNameKey(item) === sameNameKey(name))
}

/** Undefined where the end that would decide isn't stated. */
export function isWithin(value: number, { from, to }: FactRange): boolean | undefined {
  if (from !== null && value < from && !isSame(value, from)) return false
  if (to !== null && value > to && !isSame(value, to)) return false
  if (from !== null && isSame(value, from)) return true
  if (to !== null && isSame(value, to)) return true
  return from === null || to === null ? undefined : true
}

/** Whether a range lies in another: false if they have nothing in common. */
export function isInside(inner: FactRange, outer: FactRange): boolean | undefined {
  const { from, to } = inner
  if (from === null || to === null) return undefined
  if (outer.from !== null && to < outer.from && !isSame(to, outer.from)) return false
  if (outer.to !== null && from > outer.to && !isSame(from, outer.to)) return false
  return isWithin(from, outer) && isWithin(to, outer) ? true : undefined
}

/** Equal fits; anything else doesn’t. */
export function judgeEqual(
  a: string | undefined,
  b: string | undefined,
  names: [string, string],
  what: string,
) {
  if (a === undefined || b === undefined) return isMissing(...names.filter((_, i) => [a, b][i] === undefined))
  return a === b
    ? fits(`Both ${what} are ${printCode(a)}`)
    : doesNotFit(`${sentenceCase(names[0])} is ${printCode(a)}, ${names[1]} is ${printCode(b)}`)
}

function printCode(code: string) {
  return code.replace('/16x', '/16″ × ').replace('/2x', '/2″ × ')
}

export function sentenceCase(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function millimetres(value: number) {
  return `${value} mm`
}

export function inMillimetres(value: FactRange) {
  return describeSpan(value, ' mm')
}
