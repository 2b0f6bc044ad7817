import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FactRow, FactValue, FitPart, KindRow, PartInterface } from './interface.ts'
import { judgeBuild, judgeFit, judgePart } from './judge.ts'
import { parseInterface, printInterface } from './notation.ts'
import { fitRules } from './rules.ts'
import { makeFitPart } from './stated.ts'
import { findKind, interfaceKinds } from './vocabulary.ts'

const source = { source: 'Data sheet', date: '2026-11-02' }

/** Few values, so that equal ones meet. */
const few = [11, 12, 20, 22.2, 24, 28.6, 32, 40, 622]
const amount = fc.constantFrom(...few)
const names = fc.constantFrom('HG', 'Eagle', 'Flattop')
const codes = fc.constantFrom('EC34/28.6', 'EC44/40', 'ZS44', 'IS42/28.6', 'IS42', 'ZS44/28.6')
const sizes = fc.constantFrom('12x100', '15x110', '12x148')
const spans = fc
  .tuple(fc.option(amount), fc.option(amount))
  .filter(([from, to]) => (from !== null || to !== null) && !(from !== null && to !== null && from > to))
  .map(([from, to]) => ({ from, to }))

function valuesOf(fact: FactRow): fc.Arbitrary<FactValue> {
  const choices = 'choices' in fact ? fact.choices : []
  const code = 'example' in fact && /^[A-Z]/.test(fact.example) ? codes : sizes
  const values: Record<FactRow['type'], () => fc.Arbitrary<FactValue>> = {
    number: () => amount,
    span: () => spans,
    numbers: () => fc.uniqueArray(amount, { maxLength: 3 }).map((list) => list.sort((a, b) => a - b)),
    choice: () => fc.constantFrom(...choices),
    choices: () => fc.subarray(choices),
    word: () => names,
    words: () => fc.uniqueArray(names, { maxLength: 2 }).map((list) => list.sort()),
    code: () => code,
    codes: () => fc.uniqueArray(sizes, { maxLength: 2 }).map((list) => list.sort()),
    yesNo: () => fc.boolean(),
  }
  return values[fact.type]()
}

function interfacesOf(kind: KindRow): fc.Arbitrary<PartInterface> {
  const facts = Object.fromEntries(
    kind.facts.map((fact) => [fact.id, fc.option(valuesOf(fact), { nil: undefined })]),
  )
  const sources = fc.constantFrom('', 'Data sheet', 'Data sheet', 'Data sheet')
  return fc.tuple(fc.record(facts), sources).map(([values, from]) => ({
    kind: kind.id,
    role: kind.role,
    facts: Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== undefined),
    ) as PartInterface['facts'],
    source: from,
    date: '2026-11-02',
  }))
}

const anyInterface = fc.constantFrom(...interfaceKinds).chain(interfacesOf)
const anyPart = (name: string): fc.Arbitrary<FitPart> =>
  fc.array(anyInterface, { maxLength: 5 }).map((interfaces) => ({ name, interfaces }))

test.for(fitRules.map(({ kinds }) => kinds))(
  'judgeFit of %s and %s is symmetric and has a reason',
  ([a, b]) => {
    const one = (id: string, name: string) =>
      interfacesOf(findKind(id)!).map((made) => ({ name, interfaces: [made] }))
    fc.assert(
      fc.property(one(a, 'A'), one(b, 'B'), (left, right) => {
        const fit = judgeFit(left, right)
        expect(judgeFit(right, left)).toEqual(fit)
        expect(fit.because).toMatch(/^\S.*\.$/)
        expect(fit.because).not.toMatch(/undefined|null|NaN|\[object/)
        expect(fit.answer === 'fitsWith').toBe(Boolean(fit.with))
        const isStated = [left, right].every(({ interfaces: [only] }) => only!.source !== '')
        if (!isStated) expect(fit.answer).toBe('notKnown')
      }),
      { seed: 64, numRuns: 300 },
    )
  },
)

test('judgeFit of parts with several interfaces is symmetric, and one thing that doesn’t fit decides', () => {
  fc.assert(
    fc.property(anyPart('A'), anyPart('B'), (left, right) => {
      expect(judgeFit(right, left)).toEqual(judgeFit(left, right))
    }),
    { seed: 64, numRuns: 2_000 },
  )
})

test('judgeBuild does not depend on the order of its parts', () => {
  fc.assert(
    fc.property(anyPart('A'), anyPart('B'), anyPart('C'), (a, b, c) => {
      const fit = judgeBuild([a, b, c])
      expect(judgeBuild([c, a, b])).toEqual(fit)
      expect(judgeBuild([b, c, a])).toEqual(fit)
    }),
    { seed: 64, numRuns: 1_000 },
  )
})

test('printInterface is read again by parseInterface as the same', () => {
  fc.assert(
    fc.property(anyInterface, ({ kind, facts }) => {
      const text = printInterface({ kind, facts })
      expect(parseInterface(text), text).toEqual({ interface: { kind, facts } })
    }),
    { seed: 64, numRuns: 2_000 },
  )
})

test('headset, tyre and rim never fit with something', () => {
  const safe = [
    ['headset', 'head-tube'],
    ['headset', 'steerer'],
    ['tyre', 'rim'],
  ]
  for (const [a, b] of safe) {
    const made = fc.tuple(interfacesOf(findKind(a!)!), interfacesOf(findKind(b!)!))
    fc.assert(
      fc.property(made, ([x, y]) => {
        const fit = judgeFit({ name: 'A', interfaces: [x] }, { name: 'B', interfaces: [y] })
        expect(fit.answer).not.toBe('fitsWith')
      }),
      { seed: 64, numRuns: 1_000 },
    )
  }
})

test('a fact without a source makes a pair not known, even if it would not fit', () => {
  const cassette = makeFitPart('A', ['cassette-mount:HG'], { source: '', date: '' })
  const hub = makeFitPart('B', ['freehub:XD'], source)
  expect(judgeFit(cassette, hub)).toMatchObject({
    answer: 'notKnown',
    because: 'No source is stated for cassette mount of A.',
  })
})

test('an answer names the facts that it was decided from with their sources', () => {
  const fit = judgeFit(
    makeFitPart('WW-CS12', ['cassette-mount:HG'], source),
    makeFitPart('Your part', ['freehub:XD'], { source: 'As you stated', date: '' }),
  )
  expect(fit).toEqual({
    answer: 'doesNotFit',
    because: 'HG mount on XD.',
    facts: [
      {
        of: 'WW-CS12',
        kind: 'cassette-mount',
        fact: 'Body',
        value: 'HG',
        source: 'Data sheet',
        date: '2026-11-02',
      },
      { of: 'Your part', kind: 'freehub', fact: 'Body', value: 'XD', source: 'As you stated', date: '' },
    ],
  })
})

test('parts without interfaces, and those that do not touch, are not known', () => {
  const nothing = makeFitPart('A', [], source)
  const post = makeFitPart('B', ['post:27.2'], source)
  const chain = makeFitPart('C', ['chain:12'], source)
  expect(judgeFit(nothing, post)).toMatchObject({
    answer: 'notKnown',
    because: 'Nothing is stated about what A fits.',
  })
  expect(judgeFit(post, chain)).toMatchObject({ answer: 'notKnown', facts: [] })
})

test('a part fits a bike if what it needs is met by one of its parts', () => {
  const bike = [
    makeFitPart('Fork', ['dropouts:15x110'], source),
    makeFitPart('Frame', ['dropouts:12x148', 'hanger:UDH'], source),
  ]
  const wheels = ['axle-ends:15x110', 'axle-ends:12x148'].map((text) => makeFitPart('Wheel', [text], source))
  for (const wheel of wheels) expect(judgePart(wheel, bike).answer).toBe('fits')
  expect(judgePart(makeFitPart('Wheel', ['axle-ends:12x142'], source), bike).answer).toBe('doesNotFit')
  expect(judgePart(makeFitPart('Frame', ['dropouts:12x148'], source), [...wheels, bike[0]!]).answer).toBe(
    'fits',
  )
})

test('a rear hub does not fit a fork, and a bike with that fork does not concern it', () => {
  const fork = makeFitPart('Fork', ['dropouts:15x110;end=front'], source)
  const hub = makeFitPart('Hub', ['axle-ends:12x148;end=rear'], source)
  expect(judgeFit(hub, fork).answer).toBe('doesNotFit')
  expect(judgePart(hub, [fork])).toMatchObject({ answer: 'notKnown', facts: [] })
  expect(judgePart(fork, [hub])).toMatchObject({ answer: 'notKnown', facts: [] })
  const frame = makeFitPart('Frame', ['dropouts:12x142;end=rear'], source)
  expect(judgePart(hub, [fork, frame]).answer).toBe('doesNotFit')
})

test.for([
  ['bike:XD', '“bike” isn’t an interface of the vocabulary.'],
  ['XD', '“XD” isn’t an interface of the vocabulary.'],
  ['freehub:SRAM', 'Body must be one of HG, HG-road11, HG-L2, Micro Spline, XD, XDR, Campagnolo, N3W.'],
  ['freehub:XD;width=3', '“width” isn’t a fact of freehub. It has body.'],
  ['freehub:XD;body=HG', 'freehub states body twice.'],
  ['tyre:622;width=wide', 'Width must be 12.5.'],
  ['tube:622;widths=42-28', 'Tyre widths must be 28-42.'],
])('parseInterface refuses %s', ([text, problem]) => {
  expect(parseInterface(text!)).toEqual({ problem })
})
