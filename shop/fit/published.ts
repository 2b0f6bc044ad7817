import { exampleOfFact } from './fact-values.ts'
import type { FactRow } from './interface.ts'
import { fitRules } from './rules.ts'
import { interfaceKinds, vocabularyVersion } from './vocabulary.ts'

/** The vocabulary and its rules as data, with what somebody needs to use them elsewhere. */
export function publishVocabulary() {
  return {
    name: 'Bicycle part interfaces',
    version: vocabularyVersion,
    date: '2026-11-30',
    license: {
      name: 'Creative Commons CC0 1.0 Universal',
      url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      note: 'The vocabulary and the rules are free for every use. Facts about parts are those of their makers.',
    },
    sources:
      'Makers’ sheets, the public parts of standards, and references of workshops, read in November 2026.',
    notation:
      'kind:value;fact=value. Lists have commas, an empty one is none, ranges have a hyphen (28-42, -51), and the first fact of a kind needs no name: freehub:XD, tyre:622;width=45;hookless=no.',
    answers: {
      fits: 'The interfaces go together.',
      fitsWith: 'They go together with a named spacer, shim, adapter or end-cap kit.',
      doesNotFit: 'They don’t go together.',
      notKnown: 'A fact is missing, or no maker states it.',
    },
    kinds: interfaceKinds.map(({ facts, ...kind }) => ({ ...kind, facts: facts.map(publishFact) })),
    rules: fitRules.map(({ kinds, rule, check }) => ({ kinds, rule, check })),
  }
}

function publishFact(fact: FactRow) {
  const { id, label, type } = fact
  return {
    id,
    label,
    type,
    ...('unit' in fact && fact.unit ? { unit: fact.unit } : {}),
    ...('choices' in fact ? { choices: fact.choices } : {}),
    ...('pattern' in fact ? { pattern: fact.pattern.source } : {}),
    example: exampleOfFact(fact),
  }
}
