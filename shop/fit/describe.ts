import { describeFact } from './fact-values.ts'
import type { FactRow, Interface } from './interface.ts'
import { findKind } from './vocabulary.ts'

/** “Tyre: bead seat diameter 622 mm, width 45 mm”; a value that speaks for itself stands alone. */
export function describeInterface({ kind: id, facts }: Interface) {
  const kind = findKind(id)
  if (!kind) return id
  const stated = kind.facts.flatMap((fact) => {
    const value = facts[fact.id]
    if (value === undefined) return []
    const text = describeFact(fact, value)
    return [isPlainFact(fact, kind.facts) ? text : `${lowerLabel(fact.label)} ${text}`]
  })
  return `${kind.label}: ${stated.join(', ')}`
}

/** Its value speaks for itself, as the body of a freehub does. */
export function isPlainFact(fact: FactRow, facts: FactRow[]) {
  return fact === facts[0] && (fact.type === 'choice' || fact.type === 'code')
}

/** Abbreviations such as ERD keep their capitals. */
export function lowerLabel(label: string) {
  return /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}
