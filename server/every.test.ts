import { expect, test, vi } from 'vitest'
import { every } from './every.ts'

test('work that takes longer than its period is not begun again before it is done', async () => {
  vi.useFakeTimers()
  const finish: (() => void)[] = []
  const stop = every(1_000, () => new Promise((resolve) => finish.push(resolve)))
  await vi.advanceTimersByTimeAsync(3_500)
  expect(finish).toHaveLength(1)
  finish[0]!()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(finish).toHaveLength(2)
  finish[1]!()
  await stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(finish).toHaveLength(2)
  vi.useRealTimers()
})

test('work that fails is logged and done again', async () => {
  vi.useFakeTimers()
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  let times = 0
  const stop = every(1_000, async () => {
    times++
    throw new Error('no disk')
  })
  await vi.advanceTimersByTimeAsync(2_500)
  expect(times).toBe(2)
  expect(log.mock.calls.map(([line]) => line)).toEqual([
    expect.stringContaining('no disk'),
    expect.stringContaining('no disk'),
  ])
  await stop()
  log.mockRestore()
  vi.useRealTimers()
})
