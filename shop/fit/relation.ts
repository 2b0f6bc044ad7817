import type { FitPart } from './interface.ts'
import { findRule } from './rules.ts'
import { findKind } from './vocabulary.ts'

/** Of two parts that fit, by the pairs of kinds that meet: the first of a rule goes on the second, as a tyre on a rim. */
export interface PartRelation {
  /** A tyre on a wheel, not a wheel with a tyre. */
  goesOn: boolean
  /** It wears out on the other part, or is used up there. */
  wearsOut: boolean
}

export function relateParts(part: FitPart, other: FitPart): PartRelation {
  const meeting = part.interfaces.filter((own) =>
    other.interfaces.some((one) => findRule(own.kind, one.kind)?.kinds[0] === own.kind),
  )
  return {
    goesOn: meeting.length > 0,
    wearsOut: meeting.some(({ kind }) => findKind(kind)?.wears === true),
  }
}
