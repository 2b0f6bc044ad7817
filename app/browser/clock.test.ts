import { expect, test } from 'vitest'
import { isPast, timeLeft } from '#app/ui/date.tsx'
import { noteServerTime, serverNow } from './clock.ts'

test('time left comes from the shop’s clock when the device’s is wrong', () => {
  const shopTime = new Date(Date.now() + 3 * 86_400_000)
  const until = new Date(shopTime.getTime() + 90.5 * 60_000).toISOString()
  noteServerTime(shopTime.toUTCString())
  expect([timeLeft(until), isPast(until), isPast(new Date().toISOString())]).toEqual([
    '1 hour 30 minutes',
    false,
    true,
  ])
  noteServerTime(null)
  expect(timeLeft(until)).toBe('1 hour 30 minutes')
  noteServerTime(new Date().toUTCString())
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(1_000)
})
