import { describeInterface, isPlainFact, lowerLabel } from './describe.ts'
import { describeFact, printFact, sameNameKey } from './fact-values.ts'
import type { FactRow, FactValue, FitPart, PartInterface } from './interface.ts'
import { findKind } from './vocabulary.ts'

/** Whether a part goes where another one did. */
export interface FitComparison {
  answer: 'same' | 'differs' | 'notKnown'
  /** A sentence, or two. */
  text: string
}

const maxNamed = 3

/**
 * By the interfaces that are stated with a source: the same in all is the same fit, one fact that contradicts is another one, and what is stated
 * of one part alone decides nothing. Null if nothing is stated of either.
 */
export function compareFit(old: FitPart, next: FitPart): FitComparison | null {
  const [before, after] = [groupByKind(old), groupByKind(next)]
  const kinds = [...new Set([...before.keys(), ...after.keys()])]
  if (kinds.length === 0) return null
  const results = kinds.map((kind) => compareKind(before.get(kind) ?? [], after.get(kind) ?? []))
  const differences = results.flatMap(({ differs }) => differs)
  if (differences.length > 0) return { answer: 'differs', text: `Differs: ${nameSome(differences, '; ')}.` }
  const missing = results.flatMap(({ missing }) => missing)
  if (missing.length === 0) return { answer: 'same', text: `Fits where ${old.name} did.` }
  const text = `Whether it fits where ${old.name} did is not known. Stated of one of them only: ${nameSome(missing, ', ')}.`
  return { answer: 'notKnown', text }
}

function groupByKind({ interfaces }: FitPart) {
  return Map.groupBy(
    interfaces.filter(({ source }) => source !== ''),
    ({ kind }) => kind,
  )
}

interface Compared {
  differs: string[]
  missing: string[]
}

function compareKind(old: PartInterface[], next: PartInterface[]): Compared {
  const { label, facts } = findKind((old[0] ?? next[0])!.kind)!
  if (old.length === 0 || next.length === 0) return { differs: [], missing: [lowerLabel(label)] }
  const [gone, added] = [without(old, next), without(next, old)]
  if (gone.length === 0 && added.length === 0) return { differs: [], missing: [] }
  if (gone.length === 1 && added.length === 1) return compareFacts(facts, label, gone[0]!, added[0]!)
  if (gone.length === 0) return { differs: [`also ${verb(added)} ${list(added)}`], missing: [] }
  const offered = added.length > 0 ? `${verb(added)} ${list(added)} instead of` : `no longer ${verb(gone)}`
  return { differs: [`${offered} ${list(gone)}`], missing: [] }
}

/** Such as `cassette mount XD instead of HG` and `tyre width 61 mm instead of 45 mm`. */
function compareFacts(facts: FactRow[], kind: string, old: PartInterface, next: PartInterface): Compared {
  const compared: Compared = { differs: [], missing: [] }
  for (const fact of facts) {
    const [was, is] = [old.facts[fact.id], next.facts[fact.id]]
    if (was === undefined && is === undefined) continue
    const name = [kind, ...(isPlainFact(fact, facts) ? [] : [fact.label])].map(lowerLabel).join(' ')
    if (was === undefined || is === undefined) compared.missing.push(name)
    else if (!isEqual(was, is))
      compared.differs.push(`${name} ${describeFact(fact, is)} instead of ${describeFact(fact, was)}`)
  }
  return compared
}

function verb(those: PartInterface[]) {
  return those[0]!.role
}

function list(those: PartInterface[]) {
  return those.map(describeInterface).join(' and ')
}

function without(those: PartInterface[], others: PartInterface[]) {
  return those.filter((one) => !others.some((other) => isSameInterface(one, other)))
}

function isSameInterface({ facts: a }: PartInterface, { facts: b }: PartInterface) {
  const ids = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...ids].every((id) => {
    const [one, other] = [a[id], b[id]]
    return one !== undefined && other !== undefined && isEqual(one, other)
  })
}

function isEqual(a: FactValue, b: FactValue) {
  const [one, other] = [printFact(a), printFact(b)]
  return one === other || (typeof a === 'string' && sameNameKey(one) === sameNameKey(other))
}

function nameSome(texts: string[], separator: string) {
  const rest = texts.length - maxNamed
  return [...texts.slice(0, maxNamed), ...(rest > 0 ? [`${rest} more`] : [])].join(separator)
}
