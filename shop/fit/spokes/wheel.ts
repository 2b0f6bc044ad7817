import { parseFact } from '#shop/fit/fact-values.ts'
import type { FactRow, InterfaceFacts } from '#shop/fit/interface.ts'
import { findKind } from '#shop/fit/vocabulary.ts'
import { maxCrosses, spokeLength } from './spoke-length.ts'

const ids = ['erd', 'crosses', 'holes', 'left', 'right', 'leftOffset', 'rightOffset', 'hole'] as const
type WheelFact = (typeof ids)[number]

/** Those that a spoke’s length follows from; the last ones are of the hub. */
export const wheelFacts = ids.map((id) => findFact(id)!)

function findFact(id: WheelFact): FactRow | undefined {
  const kinds = ['drilling', 'flanges', 'lacing'].flatMap((kind) => findKind(kind)?.facts ?? [])
  return kinds.find((fact) => fact.id === id)
}

export interface SpokeLengths {
  left: number
  right: number
}

/** Of what was typed; what is empty is taken from the hub. */
export function calculateSpokes(
  typed: Record<string, string>,
  hub: InterfaceFacts,
): { lengths: SpokeLengths } | { errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const values = Object.fromEntries(
    wheelFacts.map((fact) => {
      const text = typed[fact.id]?.trim() ?? ''
      const value = text === '' ? hub[fact.id] : parseFact(fact, text)
      if (typeof value !== 'number')
        errors[fact.id] = `Enter a number, such as ${examples[fact.id as WheelFact]}`
      return [fact.id, value]
    }),
  ) as Record<WheelFact, number>
  const { erd, crosses, hole } = values
  const holes = values.holes / 2
  if (!errors.holes && (!Number.isInteger(holes) || holes < 4))
    errors.holes = 'Enter an even number of at least 8'
  if (!errors.holes && !errors.crosses && (!Number.isInteger(crosses) || crosses > maxCrosses(holes)))
    errors.crosses = `At most ${maxCrosses(holes)} crosses with ${values.holes} holes`
  if (Object.keys(errors).length > 0) return { errors }
  const each = { erd, crosses, hole, holes }
  return {
    lengths: {
      left: spokeLength({ ...each, circle: values.left, offset: values.leftOffset }),
      right: spokeLength({ ...each, circle: values.right, offset: values.rightOffset }),
    },
  }
}

const examples: Record<WheelFact, string> = {
  erd: '600',
  crosses: '3',
  holes: '32',
  left: '58',
  right: '58',
  leftOffset: '37',
  rightOffset: '23',
  hole: '2.6',
}
