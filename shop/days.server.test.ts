import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDay } from './dates.ts'
import { addDays, findTimeZone, formatIsoTime, startOfDay, toWallClock } from './days.server.ts'

/** The zones that this machine knows. Before 2012, some set their clocks back from just after midnight, or left out a day. */
const zone = fc.constantFrom('UTC', ...Intl.supportedValuesOf('timeZone'))
const time = fc
  .date({ min: new Date('2012-01-02'), max: new Date('2037-12-30'), noInvalidDate: true })
  .map((date) => date.getTime())

test('days follow each other without a gap, and each has the moments that findDay says', () => {
  fc.assert(
    fc.property(zone, time, (timeZone, at) => {
      const day = findDay(at, timeZone)
      const [start, end] = [startOfDay(day, timeZone), startOfDay(addDays(day, 1), timeZone)]
      expect(start <= at && at < end).toBe(true)
      expect([start - 1, start, end - 1, end].map((at) => findDay(at, timeZone))).toEqual([
        addDays(day, -1),
        day,
        day,
        addDays(day, 1),
      ])
    }),
    { numRuns: 2_000 },
  )
})

test('a time in ISO 8601 is of the day that findDay says, and the same moment', () => {
  fc.assert(
    fc.property(zone, time, (timeZone, at) => {
      const text = formatIsoTime(new Date(at).toISOString(), timeZone)
      expect(Date.parse(text)).toBe(at)
      expect(text.slice(0, 10)).toBe(findDay(at, timeZone))
      expect(toWallClock(new Date(at).toISOString(), timeZone).toISOString().slice(0, 23)).toBe(
        text.slice(0, 23),
      )
    }),
    { numRuns: 2_000 },
  )
})

test.for([
  ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z', 24],
  ['Asia/Kolkata', '2027-01-01', '2026-12-31T18:30:00.000Z', 24],
  ['America/St_Johns', '2026-11-01', '2026-11-01T02:30:00.000Z', 25],
  ['Pacific/Kiritimati', '2026-11-01', '2026-10-31T10:00:00.000Z', 24],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
  // Without a midnight, and with two.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
  // A day that was left out.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
] as const)('in %s, the day %s begins at %s and has %i hours', ([timeZone, day, start, hours]) => {
  expect(new Date(startOfDay(day, timeZone)).toISOString()).toBe(start)
  expect(startOfDay(addDays(day, 1), timeZone) - startOfDay(day, timeZone)).toBe(hours * 3_600_000)
})

test('a time of UTC stays as it is, and another has its offset', () => {
  const at = '2026-12-31T18:30:00.000Z'
  expect(formatIsoTime(at, 'UTC')).toBe(at)
  expect(formatIsoTime(at, 'Asia/Kolkata')).toBe('2027-01-01T00:00:00.000+05:30')
})

test('findTimeZone returns the usual spelling of a name, and null for an offset', () => {
  expect(['europe/berlin', 'utc', 'Asia/Kolkata'].map(findTimeZone)).toEqual([
    'Europe/Berlin',
    'UTC',
    'Asia/Kolkata',
  ])
  expect(['+05:30', 'Z', '', 'Mars/Base'].map(findTimeZone)).toEqual([null, null, null, null])
})
