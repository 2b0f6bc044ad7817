import { expect, test } from 'vitest'
import { isPast, timeLeft, timeSince } from './date.tsx'

const now = Date.parse('2026-03-01T12:00:00Z')

test('timeLeft shows the two largest units', () => {
  const left = (minutes: number) => timeLeft(new Date(now + minutes * 60_000).toISOString(), now)
  expect(left(72 * 60)).toBe('3 days')
  expect(left(71 * 60 + 59)).toBe('2 days 23 hours')
  expect(left(24 * 60 + 20)).toBe('1 day')
  expect(left(61)).toBe('1 hour 1 minute')
  expect(left(25 * 60 + 30)).toBe('1 day 1 hour')
  expect(left(59)).toBe('59 minutes')
  expect(left(0)).toBe('1 minute')
})

test('timeSince shows the largest unit, and a deadline is past from its moment on', () => {
  const at = (ms: number) => new Date(now + ms).toISOString()
  const since = [0, 59 * 60_000, 47 * 3_600_000, 48 * 3_600_000].map((ms) => timeSince(at(-ms), now))
  expect(since).toEqual(['1 minute', '59 minutes', '1 day', '2 days'])
  expect([-1, 0, 1].map((ms) => isPast(at(ms), now))).toEqual([true, true, false])
})
