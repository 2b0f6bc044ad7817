import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataSheet, demoInterfaces } from '#db/seed/interfaces.ts'
import { demoParts } from '#db/seed/parts.ts'
import { judgeBuild, judgeFit } from './judge.ts'
import { makeFitPart } from './stated.ts'

const parts = demoParts.map(({ partNumber }) =>
  makeFitPart(partNumber, demoInterfaces[partNumber] ?? [], dataSheet),
)
const byNumber = new Map(parts.map((part) => [part.name, part]))

/** All others of the 378 pairs don’t touch: nothing that is stated about them meets. */
const reviewed = `
  WW-CR42 does not fit WW-CK34
  WW-CR42 fits WW-CN12
  WW-WF45 fits WW-RT180
  WW-WF45 does not fit WW-TY29
  WW-WF45 fits WW-TY45
  WW-WF45 does not fit WW-TU48
  WW-WF45 does not fit WW-FK130
  WW-WF45 fits WW-FK100
  WW-HR148 fits WW-CS12
  WW-HR148 fits WW-RT180
  WW-HR148 not known WW-SP6
  WW-HR148 does not fit WW-FK130
  WW-HR148 does not fit WW-FK100
  WW-CK34 fits WW-CN12
  WW-CK34 fits WW-PD1
  WW-CK34 fits WW-PD2
  WW-CK34 fits WW-BB24
  WW-CS12 fits WW-CN12
  WW-CS12 fits WW-RD12
  WW-RT180 fits WW-BC4
  WW-RT180 fits WW-HF110
  WW-RT180 fits WW-FK130
  WW-RT180 not known WW-FK100
  WW-BC4 fits WW-BL1
  WW-BC4 fits WW-BP2
  WW-BC4 fits WW-FK130
  WW-BC4 does not fit WW-FK100
  WW-BL1 fits WW-HB780
  WW-BL1 does not fit WW-DB440
  WW-SP6 not known WW-HF110
  WW-TY29 does not fit WW-TU48
  WW-TY29 fits WW-FK130
  WW-TY29 does not fit WW-FK100
  WW-TY45 does not fit WW-TU48
  WW-TY45 fits WW-FK130
  WW-TY45 fits WW-FK100
  WW-HF110 fits WW-FK130
  WW-HF110 does not fit WW-FK100
  WW-ST60 fits WW-HB780
  WW-ST60 fits WW-DB440
  WW-ST60 fits WW-FK130
  WW-ST60 fits WW-FK100
  WW-HB780 fits WW-GR1
  WW-DB440 does not fit WW-GR1
  WW-SD145 fits WW-PT272
  WW-HS44 fits WW-FK130
  WW-HS44 fits WW-FK100
`

const words = { fits: 'fits', fitsWith: 'fits with', doesNotFit: 'does not fit', notKnown: 'not known' }

test('the demo parts fit one another as reviewed by hand', () => {
  const table = parts.flatMap((a, i) =>
    parts.slice(i + 1).flatMap((b) => {
      const { answer, facts } = judgeFit(a, b)
      return facts.length > 0 ? [`${a.name} ${words[answer]} ${b.name}`] : []
    }),
  )
  expect(table).toEqual(reviewed.trim().split(/\n\s*/))
  for (const a of parts) for (const b of parts) if (a !== b) expect(judgeFit(a, b)).toEqual(judgeFit(b, a))
})

/** What each question of the file is about: numbers of parts, and interfaces that the customer names. */
const asked = [
  ['WW-CS12', 'WW-HR148'],
  ['freehub:XD', 'WW-CS12'],
  ['WW-RD12', 'WW-CS12', 'WW-CK34'],
  ['WW-CN12', 'WW-CS12'],
  ['WW-CN12', 'cogs:11'],
  ['WW-BB24', 'shell:T47;width=68'],
  ['WW-BB24', 'spindle:28.99'],
  ['WW-HS44', 'head-tube:ZS44;lower=ZS56'],
  ['WW-RT180', 'WW-HR148'],
  ['rotor:Center Lock', 'WW-HF110'],
  ['WW-BC4', 'WW-FK100'],
  ['rotor:diameter=160', 'WW-FK130'],
  ['WW-TY29', 'WW-WF45'],
  ['WW-TY45', 'rim:622;hooked=no'],
  ['WW-TU48', 'tyre:622;width=35', 'WW-WF45'],
  ['WW-TY29', 'WW-FK100'],
  ['WW-ST60', 'bar-clamp:35'],
  ['WW-PT272', 'seat-tube:27.2'],
  ['WW-SD145', 'WW-PT272'],
  ['WW-HF110', 'WW-FK130'],
  ['WW-WF45', 'WW-FK130'],
  ['WW-CR42', 'WW-CK34'],
  ['shifter:12-speed cable shifter', 'WW-RD12'],
  ['WW-BL1', 'WW-HB780'],
]

const { questions } = JSON.parse(readFileSync('test/world/fit-questions.json', 'utf8')) as {
  questions: { question: string; answer: string; because: string }[]
}

test.for(questions.map((question, i) => ({ ...question, of: asked[i] ?? [] })))(
  '$question $answer: $because',
  ({ question, answer, of }) => {
    const sides = of.map(
      (one) => byNumber.get(one) ?? makeFitPart('Yours', [one], { source: 'As asked', date: '' }),
    )
    for (const { name } of sides) expect(question).toContain(name === 'Yours' ? '' : name)
    const fit = judgeBuild(sides)
    expect(words[fit.answer], fit.because).toBe(answer)
  },
)

/** What is beyond the file, as other customers ask it. */
test.for([
  ['does not fit', 'WW-CS12', 'freehub:Micro Spline'],
  ['fits with', 'WW-CS12', 'freehub:HG-road11'],
  ['does not fit', 'WW-CN12', 'cogs:12;chains=Flattop'],
  ['not known', 'chain:12;family=Eagle', 'WW-CS12'],
  ['does not fit', 'chain:12;family=Flattop', 'WW-CS12'],
  ['does not fit', 'WW-RD12', 'cogs:12;smallest=10;largest=52'],
  ['not known', 'WW-RD12', 'cogs:12;smallest=11;largest=42'],
  ['does not fit', 'WW-RD12', 'WW-CS12', 'rings:38;smallest=28'],
  ['fits', 'WW-RD12', 'hanger:standard'],
  ['not known', 'WW-RD12', 'hanger:UDH'],
  ['fits', 'WW-BB24', 'shell:BSA;width=73'],
  ['does not fit', 'WW-BB24', 'shell:BSA;width=83'],
  ['not known', 'WW-BB24', 'shell:BSA'],
  ['fits', 'WW-HS44', 'head-tube:EC34;lower=EC44'],
  ['does not fit', 'WW-HS44', 'steerer:28.6;race=30'],
  ['fits with', 'WW-RT180', 'rotor-mount:Center Lock'],
  ['fits with', 'WW-BC4', 'brake-mount:IS'],
  ['does not fit', 'WW-FK130', 'caliper:flat'],
  ['not known', 'WW-FK130', 'rotor:six-bolt;diameter=203'],
  ['fits', 'WW-WF45', 'tyre:622;width=35'],
  ['does not fit', 'WW-WF45', 'tyre:584;width=47'],
  ['fits', 'WW-TU48', 'valve-hole:Presta;depth=30'],
  ['does not fit', 'WW-TU48', 'valve-hole:Schrader;depth=20'],
  ['not known', 'WW-ST60', 'bar-clamp:25.4'],
  ['fits with', 'WW-PT272', 'seat-tube:31.6'],
  ['does not fit', 'rails:oval 7x9', 'WW-PT272'],
  ['does not fit', 'WW-HR148', 'dropouts:12x142'],
  ['not known', 'WW-FK100', 'thru-axle:12;length=119;pitch=1.5;head=flat'],
  ['does not fit', 'WW-PD1', 'crank-thread:1/2x20'],
  ['does not fit', 'WW-PD2', 'sole:three-bolt'],
  ['does not fit', 'WW-BL1', 'caliper-hydraulics:DOT'],
  ['does not fit', 'WW-HR148', 'drilling:28'],
  ['does not fit', 'WW-SP6', 'WW-HR148', 'drilling:32;erd=600', 'lacing:3'],
  ['fits with', 'WW-SP6', 'WW-HF110', 'drilling:32;erd=544', 'lacing:3'],
])('%s: %s and %s', ([answer, ...of]) => {
  const sides = of.map(
    (one) => byNumber.get(one) ?? makeFitPart('Yours', [one], { source: 'As asked', date: '' }),
  )
  const fit = judgeBuild(sides)
  expect(words[fit.answer], fit.because).toBe(answer)
})
