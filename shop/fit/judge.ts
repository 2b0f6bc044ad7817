import { describeFact } from './fact-values.ts'
import type { Fit, FitAnswer, FitPart, Interface, PartInterface, StatedFact, Verdict } from './interface.ts'
import { printInterface } from './notation.ts'
import { type FitRule, isUnclear } from './rule.ts'
import { findRule } from './rules.ts'
import { findKind, needingKinds } from './vocabulary.ts'

/** From the best, of what can be chosen from. */
const preference: FitAnswer[] = ['fits', 'fitsWith', 'notKnown', 'doesNotFit']

/** From what decides first: one thing that doesn’t fit is enough. */
const gravity: FitAnswer[] = ['doesNotFit', 'notKnown', 'fitsWith', 'fits']

interface Meeting {
  verdict: Verdict
  rule: FitRule
  parts: FitPart[]
  facts: StatedFact[]
}

/** The same for A to B and B to A. */
export function judgeFit(a: FitPart, b: FitPart): Fit {
  return judgeBuild([a, b])
}

/** Whether parts go together, each with all others: a derailleur with cassette and rings, a spoke with rim and hub. */
export function judgeBuild(parts: FitPart[]): Fit {
  const sorted = sortParts(parts)
  return combine(meetAll(sorted), sorted)
}

/** Whether a part goes with what somebody has, which isn’t judged in itself. A rear hub doesn’t concern the fork of a bike. */
export function judgePart(part: FitPart, others: FitPart[]): Fit {
  const sorted = sortParts(others)
  const meetings = sorted.length < 2 ? meetAll(sortParts([part, ...sorted])) : meetBike(part, sorted)
  const concerned = meetings.filter(({ verdict }) => !verdict.elsewhere)
  return combine(concerned, [part, ...sorted])
}

function meetAll(parts: FitPart[]) {
  return parts.flatMap((part) => meet(part, without(parts, part)))
}

function meetBike(part: FitPart, others: FitPart[]) {
  const needed = others
    .flatMap((other) => meet(other, [part, ...without(others, other)]))
    .filter(({ parts }) => parts.includes(part))
  const byRule = Map.groupBy(needed, ({ rule }) => rule)
  return [...meet(part, others), ...[...byRule.values()].map(pickBest)]
}

/** What a part needs of others: the best of what they offer counts, as a wheel goes in the fork or in the frame. */
function meet(part: FitPart, others: FitPart[]): Meeting[] {
  const context = [part, ...others]
    .flatMap(({ interfaces }) => interfaces)
    .filter(({ source }) => source !== '')
  const needs = Map.groupBy(part.interfaces.filter(isNeeding), ({ kind }) => kind)
  const theirs = Map.groupBy(
    others.flatMap((other) => other.interfaces.map((one): Side => [other, one])),
    ([, { kind }]) => kind,
  )
  return [...needs].flatMap(([kind, own]) =>
    [...theirs].flatMap(([otherKind, options]) => {
      const rule = findRule(kind, otherKind)
      if (!rule) return []
      const met = own.map((one) =>
        pickBest(options.map((side) => judgePair(rule, [part, one], side, context))),
      )
      return own.length > options.length ? [pickBest(met)] : met
    }),
  )
}

/** Whatever was stated, a cassette has no use without a freehub body. */
function isNeeding({ kind, role }: PartInterface) {
  return role === 'needs' || needingKinds.includes(kind)
}

type Side = [FitPart, PartInterface]

function judgePair(rule: FitRule, a: Side, b: Side, context: Interface[]): Meeting {
  const [first, second] = a[1].kind === rule.kinds[0] ? [a, b] : [b, a]
  const unsourced = [first, second].filter(([, { source }]) => source === '')
  const names = unsourced.map(([part, { kind }]) => `${findLabel(kind)} of ${part.name}`)
  const verdict =
    unsourced.length > 0
      ? isUnclear(`No source is stated for ${names.join(' and ')}`)
      : rule.judge(first[1].facts, second[1].facts, context)
  return { rule, verdict, parts: [first[0], second[0]], facts: [first, second].flatMap(listFacts) }
}

function listFacts([part, one]: Side): StatedFact[] {
  return (findKind(one.kind)?.facts ?? []).flatMap((fact) => {
    const value = one.facts[fact.id]
    if (value === undefined) return []
    return [
      {
        of: part.name,
        kind: one.kind,
        fact: fact.label,
        value: describeFact(fact, value),
        source: one.source,
        date: one.date,
      },
    ]
  })
}

function pickBest(meetings: Meeting[]) {
  return meetings.toSorted((a, b) => rank(a) - rank(b))[0]!
}

/** What concerns another end of the bike is the last choice. */
function rank({ verdict }: Meeting) {
  return verdict.elsewhere ? preference.length : preference.indexOf(verdict.answer)
}

function combine(meetings: Meeting[], parts: FitPart[]): Fit {
  const [worst] = meetings.toSorted(
    (a, b) => gravity.indexOf(a.verdict.answer) - gravity.indexOf(b.verdict.answer),
  )
  if (!worst) return { answer: 'notKnown', because: explainNothing(parts), facts: [] }
  const { answer } = worst.verdict
  const isGood = answer === 'fits' || answer === 'fitsWith'
  const deciding = meetings.filter(({ verdict }) => isGood || verdict.answer === answer)
  const reasons = unique(deciding.map(({ verdict }) => verdict.because))
  const checks = unique(deciding.map(({ rule }) => rule.check))
  const sentences = [...reasons, ...(isGood ? [`Interface only: check ${checks.join(', and ')}`] : [])]
  const because = sentences.map((sentence) => `${sentence}.`).join(' ')
  const facts = uniqueFacts(deciding.flatMap((meeting) => meeting.facts))
  const items = unique(deciding.flatMap(({ verdict }) => verdict.with ?? []))
  return answer === 'fitsWith'
    ? { answer, with: items.join(' and '), because, facts }
    : { answer, because, facts }
}

function explainNothing(parts: FitPart[]) {
  const bare = parts.find(({ interfaces }) => interfaces.length === 0)
  if (bare) return `Nothing is stated about what ${bare.name} fits.`
  return `Nothing that is stated about ${parts.map(({ name }) => name).join(' and ')} meets.`
}

function unique(texts: string[]) {
  return [...new Set(texts)]
}

function uniqueFacts(facts: StatedFact[]) {
  return [...new Map(facts.map((fact) => [JSON.stringify(fact), fact])).values()]
}

function findLabel(kind: string) {
  return findKind(kind)?.label.toLowerCase() ?? kind
}

function without(parts: FitPart[], part: FitPart) {
  return parts.filter((one) => one !== part)
}

function sortParts(parts: FitPart[]) {
  return parts
    .map((part) => ({ part, key: [part.name, ...part.interfaces.map(printInterface)].join(' ') }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ part }) => part)
}
