import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { testDatabase } from '#test/database.ts'
import { type JobTable, startJobs } from './jobs.ts'

afterEach(() => vi.restoreAllMocks())

test('a job runs at startup, and again when the next process starts', async () => {
  const { queue } = await testDatabase()
  const done = Promise.withResolvers<void>()
  const stop = await startJobs(queue, { cleanup: ['hour', async () => done.resolve()] })
  await done.promise
  await stop()

  const again = Promise.withResolvers<void>()
  const stopAgain = await startJobs(queue, { cleanup: ['hour', async () => again.resolve()] })
  await again.promise
  await stopAgain()
})

test('a failing job is logged and does not stop other jobs', async () => {
  const { queue } = await testDatabase()
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const done = Promise.withResolvers<void>()
  const stop = await startJobs(queue, {
    broken: ['hour', () => Promise.reject(new Error('no disk'))],
    whole: ['hour', async () => done.resolve()],
  })
  await done.promise
  while (log.mock.calls.length === 0) await wait(10)
  expect(log.mock.calls).toEqual([[expect.stringMatching(/ error job failed job=broken Error: no disk/)]])
  await stop()
})

test('stop waits for running jobs', async () => {
  const { queue } = await testDatabase()
  const started = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  let finished = false
  const stop = await startJobs(queue, {
    slow: [
      'hour',
      async () => {
        started.resolve()
        await resume.promise
        finished = true
      },
    ],
  })
  await started.promise
  const stopped = stop()
  resume.resolve()
  await stopped
  expect(finished).toBe(true)
})

test('an interval below a minute runs minute jobs more often', async () => {
  const { queue } = await testDatabase()
  const thirdRun = Promise.withResolvers<void>()
  let count = 0
  const work = async () => {
    count += 1
    if (count === 3) thirdRun.resolve()
  }
  const stop = await startJobs(queue, { often: ['minute', work] }, 1)
  await thirdRun.promise
  await stop()
})

test('jobs run although the clock was set back since they were planned', async () => {
  const { db, queue } = await testDatabase()
  const work = async () => {}
  await (await startJobs(queue, { cleanup: ['hour', work] }))()
  const tomorrow = sql`now() + interval '1 day'`
  await db.execute(sql`update jobs.version set cron_on = ${tomorrow}`)
  await db.execute(sql`update jobs.queue set monitor_on = ${tomorrow}, maintain_on = ${tomorrow}`)
  await db.execute(sql`update jobs.job set start_after = ${tomorrow} where state < 'active'`)
  await db.execute(sql`update jobs.job set singleton_on = ${tomorrow} where id = (
    select id from jobs.job where state > 'active' limit 1)`)
  const done = Promise.withResolvers<void>()
  const stop = await startJobs(queue, { cleanup: ['hour', async () => done.resolve()] })
  await done.promise
  await stop()
  const future = await db.execute(sql`select 1 from jobs.version, jobs.queue, jobs.job
    where greatest(cron_on, monitor_on, maintain_on, start_after, singleton_on) > now() + interval '1 hour'`)
  expect((future as unknown as { rows: unknown[] }).rows).toEqual([])
})

test('a removed job is no longer scheduled', async () => {
  const { db, queue } = await testDatabase()
  const work = async () => {}
  for (const names of [['kept', 'removed'], ['kept']]) {
    const jobs = Object.fromEntries(names.map((name) => [name, ['hour', work] satisfies JobTable[string]]))
    const stop = await startJobs(queue, jobs)
    await stop()
  }
  const schedules = await db.execute(sql`select name from jobs.schedule`)
  expect((schedules as unknown as { rows: unknown[] }).rows).toEqual([{ name: 'kept' }])
})
