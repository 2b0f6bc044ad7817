import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { startJobs } from './jobs.ts'

afterEach(() => vi.restoreAllMocks())

test('a job is done at once, and again by the next process', async () => {
  const { queue } = await testDatabase()
  const done = Promise.withResolvers<void>()
  const stop = await startJobs(queue, { tidy: ['0 0 1 1 *', async () => done.resolve()] })
  await done.promise
  await stop()

  const again = Promise.withResolvers<void>()
  const stopAgain = await startJobs(queue, { tidy: ['0 0 1 1 *', async () => again.resolve()] })
  await again.promise
  await stopAgain()
})

test('a job that fails is logged and stops no other', async () => {
  const { queue } = await testDatabase()
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const done = Promise.withResolvers<void>()
  const stop = await startJobs(queue, {
    broken: ['0 0 1 1 *', () => Promise.reject(new Error('no disk'))],
    whole: ['0 0 1 1 *', async () => done.resolve()],
  })
  await done.promise
  while (log.mock.calls.length === 0) await wait(10)
  expect(log.mock.calls).toEqual([['broken:', expect.stringContaining('no disk')]])
  await stop()
})

test('what is under way is finished before the jobs stop', async () => {
  const { queue } = await testDatabase()
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let finished = false
  const stop = await startJobs(queue, {
    slow: [
      '0 0 1 1 *',
      async () => {
        begun.resolve()
        await goOn.promise
        finished = true
      },
    ],
  })
  await begun.promise
  const stopped = stop()
  goOn.resolve()
  await stopped
  expect(finished).toBe(true)
})
