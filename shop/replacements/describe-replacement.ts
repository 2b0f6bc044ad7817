import { formatDay } from '#shop/dates.ts'
import type { ReplacedPart } from './replacement.ts'

type Described = Pick<ReplacedPart, 'partNumber' | 'startsOn' | 'kind' | 'note'> &
  Partial<Pick<ReplacedPart, 'fit'>>

/** Such as `WW-CN11 was replaced by WW-CN12 on 1 December 2026: with changes. Fits where WW-CN11 did. 12-speed only.` */
export function describeReplacement({ partNumber, ...how }: Described, byNumber: string): string {
  return `${partNumber} was replaced by ${byNumber} on ${describeHow(how)}`
}

export function describePlan({ partNumber, ...how }: Described, byNumber: string): string {
  return `${partNumber} will be replaced by ${byNumber} on ${describeHow(how)}`
}

function describeHow({ startsOn, kind, note, fit }: Omit<Described, 'partNumber'>) {
  const text = kind === 'direct' ? 'direct replacement' : 'with changes'
  return [`${formatDay(startsOn)}: ${text}.`, fit, note].filter(Boolean).join(' ')
}
