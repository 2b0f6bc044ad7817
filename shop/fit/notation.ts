import { exampleOfFact, parseFact, printFact } from './fact-values.ts'
import type { Interface, InterfaceFacts, KindRow } from './interface.ts'
import { findKind } from './vocabulary.ts'

const maxLength = 400

export type ParsedInterface = { interface: Interface } | { problem: string }

/**
 * Reads `freehub:XD` and `tyre:622;width=45;hookless=no`: the kind, then facts between semicolons. Lists have commas
 * (`68,73`, `none`), ranges a hyphen (`28-42`, `-51`), and the first fact of a kind needs no name.
 */
export function parseInterface(text: string): ParsedInterface {
  if (text.length > maxLength) return { problem: `An interface has at most ${maxLength} characters.` }
  const [, id = '', rest = ''] = /^\s*([a-z-]+)\s*:(.*)$/is.exec(text) ?? []
  const kind = findKind(id.toLowerCase())
  if (!kind) return { problem: `“${id || text}” isn’t an interface of the vocabulary.` }
  const facts: InterfaceFacts = {}
  for (const pair of rest.split(';').filter((part) => part.trim() !== '')) {
    const problem = readPair(kind, pair, facts)
    if (problem) return { problem }
  }
  return { interface: { kind: kind.id, facts: orderFacts(kind, facts) } }
}

/** Equal for equal interfaces. */
export function printInterface({ kind: id, facts }: Interface) {
  const kind = findKind(id)
  const stated = (kind?.facts ?? []).filter((fact) => facts[fact.id] !== undefined)
  const first = kind?.facts[0]
  const pairs = stated.map((fact) => {
    const value = printFact(facts[fact.id]!)
    return fact === first ? value : `${fact.id}=${value}`
  })
  return `${id}:${pairs.join(';')}`
}

export function isInterfaceText(text: string) {
  return text.includes(':')
}

function readPair(kind: KindRow, pair: string, facts: InterfaceFacts) {
  const equals = pair.indexOf('=')
  const name = equals < 0 ? kind.facts[0]!.id : pair.slice(0, equals).trim()
  const fact = kind.facts.find(({ id }) => id.toLowerCase() === name.toLowerCase())
  if (!fact)
    return `“${name}” isn’t a fact of ${kind.id}. It has ${kind.facts.map(({ id }) => id).join(', ')}.`
  if (facts[fact.id] !== undefined) return `${kind.id} states ${fact.id} twice.`
  const value = parseFact(fact, pair.slice(equals + 1))
  if (value === undefined) return `${fact.label} must be ${exampleOfFact(fact)}.`
  facts[fact.id] = value
  return undefined
}

function orderFacts(kind: KindRow, facts: InterfaceFacts): InterfaceFacts {
  return Object.fromEntries(
    kind.facts.flatMap(({ id }) => (facts[id] === undefined ? [] : [[id, facts[id]]])),
  ) as InterfaceFacts
}
