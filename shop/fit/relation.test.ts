import { expect, test } from 'vitest'
import { dataSheet, demoInterfaces } from '#db/seed/interfaces.ts'
import { relateParts } from './relation.ts'
import { makeFitPart } from './stated.ts'

const pairs: [part: string, other: string, relation: string][] = [
  ['WW-TY45', 'WW-WF45', 'wears out on'],
  ['WW-TU48', 'WW-TY45', 'wears out on'],
  ['WW-CN12', 'WW-CS12', 'wears out on'],
  ['WW-BP2', 'WW-BC4', 'wears out on'],
  ['WW-SD145', 'WW-PT272', 'goes on'],
  ['WW-HF110', 'WW-FK130', 'goes on'],
  ['WW-BL1', 'WW-HB780', 'goes on'],
]

test.for(pairs)('%s and %s: the first %s', ([a, b, wanted]) => {
  const [part, other] = [a, b].map((number) => makeFitPart(number, demoInterfaces[number]!, dataSheet))
  const [relation, reverse] = [relateParts(part!, other!), relateParts(other!, part!)]
  expect(relation).toEqual({ goesOn: true, wearsOut: wanted === 'wears out on' })
  expect(reverse).toEqual({ goesOn: false, wearsOut: false })
})
