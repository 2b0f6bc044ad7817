import { expect, test, vi } from 'vitest'
import { browserAt } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'
import { throttledLog } from './log.ts'

test('throttledLog writes one line a minute for each kind of message, and how many it omitted', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  const log = throttledLog((line) => lines.push(line))
  for (let i = 0; i < 5; i++) log(`Invalid origin: https://${i}.example\nsecret`)
  log('Failed query: select 1')
  expect(lines).toEqual(['Invalid origin: https://0.example', 'Failed query: select 1'])
  vi.advanceTimersByTime(60_000)
  log('Invalid origin: https://5.example')
  log('Invalid origin: https://6.example')
  vi.useRealTimers()
  expect(lines.slice(2)).toEqual([
    'Invalid origin: https://5.example (and 4 more of these since the last line)',
  ])
})

test('throttledLog writes at most 101 lines a minute, whatever the messages are', () => {
  const lines: string[] = []
  const log = throttledLog((line) => lines.push(line))
  for (let i = 0; i < 300; i++) log(`kind ${i}`)
  expect(lines).toHaveLength(101)
})

test('requests with a foreign Origin do not fill the log', async () => {
  const shop = await testShop()
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  for (let i = 0; i < 5; i++) {
    const stranger = browserAt(shop, { origin: `https://${i}.example` })
    expect((await stranger.signIn()).status).toBe(403)
  }
  const lines = logged.mock.calls.map(([line]) => String(line).replace(/^[\d:]+ error /, ''))
  logged.mockRestore()
  expect(lines).toEqual(['identity: Invalid origin: https://0.example'])
})
