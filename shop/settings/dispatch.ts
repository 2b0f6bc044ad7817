import type { Dispatch } from './settings.ts'

/** Goes on a sentence about the order; without a full stop. */
export function describeDispatch({ workingDays }: Pick<Dispatch, 'workingDays'>): string {
  if (workingDays === 0) return 'leaves the factory on the day'
  return `leaves the factory within ${workingDays} working ${workingDays === 1 ? 'day' : 'days'}`
}
