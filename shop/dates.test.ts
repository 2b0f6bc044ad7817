import { expect, test } from 'vitest'
import { formatUtc, formatUtcDate } from './dates.ts'

test.for([
  ['2028-02-29T23:59:59.999Z', '29 February 2028', '23:59'],
  ['2026-12-31T00:00:00.000Z', '31 December 2026', '00:00'],
  ['2027-01-01T00:30:00.000+01:00', '31 December 2026', '23:30'],
  ['2026-12-31 20:15:00-05', '1 January 2027', '01:15'],
] as const)('%s is a day and a time of UTC', ([at, day, time]) => {
  expect([formatUtcDate(at), formatUtc(at)]).toEqual([day, `${day} at ${time} UTC`])
})
