import { expect, test } from 'vitest'
import { dataSheet, demoInterfaces } from '#db/seed/interfaces.ts'
import { compareFit } from './compare-fit.ts'
import { judgeFit } from './judge.ts'
import { makeFitPart } from './stated.ts'

function compare(old: string[], next: string[]) {
  return compareFit(makeFitPart('WW-OLD', old, dataSheet), makeFitPart('WW-NEW', next, dataSheet))
}

const same = 'Fits where WW-OLD did.'
const unknown = 'Whether it fits where WW-OLD did is not known. Stated of one of them only: '

const rows: [title: string, old: string[], next: string[], text: string | null][] = [
  ['nothing of either', [], [], null],
  ['equal interfaces', ['cassette-mount:HG', 'cogs:12'], ['cogs:12', 'cassette-mount:hg'], same],
  ['a family in another spelling', ['chain:12;family=Hyperglide+'], ['chain:12;family=hyperglide +'], same],
  ['another body', ['cassette-mount:HG'], ['cassette-mount:XD'], 'Differs: cassette mount XD instead of HG.'],
  [
    'another width',
    ['axle-ends:12x142;axle=thru'],
    ['axle-ends:12x148;axle=thru'],
    'Differs: hub axle 12×148 instead of 12×142.',
  ],
  [
    'another range',
    ['rings:34;speeds=10-12'],
    ['rings:34;speeds=12'],
    'Differs: chainrings speeds 12 instead of 10 to 12.',
  ],
  [
    'a contradiction beside what is missing',
    ['chain:11;family=HG'],
    ['chain:12'],
    'Differs: chain speeds 12 instead of 11.',
  ],
  ['a fact that is missing', ['chain:12;family=HG'], ['chain:12'], `${unknown}chain family.`],
  ['a fact that is new', ['chain:12'], ['chain:12;family=HG'], `${unknown}chain family.`],
  ['a kind that is missing', ['rails:round 7', 'post:27.2'], ['post:27.2'], `${unknown}saddle rails.`],
  ['nothing of the new one', ['rails:round 7'], [], `${unknown}saddle rails.`],
  [
    'one of two axles',
    ['axle-ends:15x110', 'axle-ends:12x148'],
    ['axle-ends:15x110'],
    'Differs: no longer needs Hub axle: 12×148.',
  ],
  [
    'a further axle',
    ['axle-ends:15x110'],
    ['axle-ends:15x110', 'axle-ends:12x148'],
    'Differs: also needs Hub axle: 12×148.',
  ],
  [
    'two other axles',
    ['axle-ends:9x100', 'axle-ends:12x142'],
    ['axle-ends:15x110', 'axle-ends:12x148'],
    'Differs: needs Hub axle: 15×110 and Hub axle: 12×148 instead of Hub axle: 9×100 and Hub axle: 12×142.',
  ],
]

test.for(rows)('a replacement with %s', ([, old, next, text]) => {
  const compared = compare(old, next)
  expect(compared?.text ?? null).toBe(text)
  expect(compared?.answer).toBe(
    text === null ? undefined : text === same ? 'same' : text.startsWith('Differs') ? 'differs' : 'notKnown',
  )
})

test('an interface without a source is not compared', () => {
  const stated = makeFitPart('WW-OLD', ['cassette-mount:HG'], dataSheet)
  const unsourced = makeFitPart('WW-NEW', ['cassette-mount:HG'], { source: '', date: '' })
  expect(compareFit(stated, unsourced)?.answer).toBe('notKnown')
  expect(compareFit(unsourced, unsourced)).toBeNull()
})

test('every part fits where it did, and parts with the same fit answer everything alike', () => {
  const parts = Object.entries(demoInterfaces).map(([number, texts]) => makeFitPart(number, texts, dataSheet))
  for (const part of parts) expect(compareFit(part, part)?.answer).toBe('same')
  for (const a of parts)
    for (const b of parts) {
      if (compareFit(a, b)?.answer !== 'same') continue
      const others = parts.filter((other) => other !== a && other !== b)
      expect(others.map((other) => judgeFit({ ...b, name: a.name }, other))).toEqual(
        others.map((other) => judgeFit(a, other)),
      )
    }
})
