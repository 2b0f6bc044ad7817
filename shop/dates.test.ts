import { expect, test } from 'vitest'
import { findDay, formatDate, formatDay, formatTime, nameTimeZone } from './dates.ts'

test.for([
  ['2028-02-29T23:59:59.999Z', '29 February 2028', '23:59'],
  ['2026-12-31T00:00:00.000Z', '31 December 2026', '00:00'],
  ['2027-01-01T00:30:00.000+01:00', '31 December 2026', '23:30'],
  ['2026-12-31 20:15:00-05', '1 January 2027', '01:15'],
] as const)('%s is a day and a time of UTC', ([at, day, time]) => {
  expect([formatDate(at, 'UTC'), formatTime(at, 'UTC')]).toEqual([day, `${day} at ${time} UTC`])
})

test.for([
  ['Asia/Kolkata', '2026-12-31T18:29:59.999Z', '2026-12-31', '31 December 2026', '23:59', 'GMT+5:30'],
  ['Asia/Kolkata', '2026-12-31T18:30:00.000Z', '2027-01-01', '1 January 2027', '00:00', 'GMT+5:30'],
  ['America/St_Johns', '2028-03-01T03:29:59.999Z', '2028-02-29', '29 February 2028', '23:59', 'GMT-3:30'],
  ['America/St_Johns', '2028-03-01T03:30:00.000Z', '2028-03-01', '1 March 2028', '00:00', 'GMT-3:30'],
  ['America/St_Johns', '2026-07-01T02:29:59.999Z', '2026-06-30', '30 June 2026', '23:59', 'GMT-2:30'],
  ['Pacific/Kiritimati', '2026-10-30T10:00:00.000Z', '2026-10-31', '31 October 2026', '00:00', 'GMT+14'],
  ['Europe/Berlin', '2026-03-29T00:59:59.999Z', '2026-03-29', '29 March 2026', '01:59', 'CET'],
  ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '2026-03-29', '29 March 2026', '03:00', 'CEST'],
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25', '25 October 2026', '02:30', 'CEST'],
  ['Europe/Berlin', '2026-10-25T01:30:00.000Z', '2026-10-25', '25 October 2026', '02:30', 'CET'],
] as const)(
  'in %s, %s is a day and a time with the name of the zone',
  ([zone, at, day, date, time, name]) => {
    expect(findDay(at, zone)).toBe(day)
    expect(findDay(Date.parse(at), zone)).toBe(day)
    expect(formatDate(at, zone)).toBe(`${date} (${name})`)
    expect(formatTime(at, zone)).toBe(`${date} at ${time} ${name}`)
  },
)

test('a calendar day has no zone, and a zone has a name for sentences', () => {
  expect(formatDay('2028-02-29')).toBe('29 February 2028')
  expect(nameTimeZone('UTC')).toBe('UTC')
  expect(nameTimeZone('America/St_Johns')).toBe('America/St Johns time')
})
