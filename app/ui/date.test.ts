import { expect, test } from 'vitest'
import { timeLeft } from './date.tsx'

const now = Date.parse('2026-03-01T12:00:00Z')

test('timeLeft shows the two largest units', () => {
  const left = (minutes: number) => timeLeft(new Date(now + minutes * 60_000).toISOString(), now)
  expect(left(72 * 60)).toBe('3 days')
  expect(left(71 * 60 + 59)).toBe('2 days 23 hours')
  expect(left(24 * 60 + 20)).toBe('1 day')
  expect(left(61)).toBe('1 hour 1 minute')
  expect(left(59)).toBe('59 minutes')
  expect(left(0)).toBe('1 minute')
})
