import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { startJobs } from './jobs.ts'

afterEach(() => vi.restoreAllMocks())

test('a job is done at once, and again by the next process', async () => {
  const { queue } = await testDatabase()
  const done = Promise.withResolvers<void>()
  const stop = await startJobs(queue, { tidy: ['hour', async () => done.resolve()] })
  await done.promise
  await stop()

  const again = Promise.withResolvers<void>()
  const stopAgain = await startJobs(queue, { tidy: ['hour', async () => again.resolve()] })
  await again.promise
  await stopAgain()
})

test('a job that fails is logged and stops no other', async () => {
  const { queue } = await testDatabase()
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const done = Promise.withResolvers<void>()
  const stop = await startJobs(queue, {
    broken: ['hour', () => Promise.reject(new Error('no disk'))],
    whole: ['hour', async () => done.resolve()],
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
      'hour',
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

test('what is due every minute is done sooner when the interval says so', async () => {
  const { queue } = await testDatabase()
  const thrice = Promise.withResolvers<void>()
  let count = 0
  const work = async () => {
    count += 1
    if (count === 3) thrice.resolve()
  }
  const stop = await startJobs(queue, { often: ['minute', work] }, 1)
  await thrice.promise
  await stop()
})
