import { PgBoss } from 'pg-boss'
import type { JobQueue } from '#db/database.ts'
import { isUnavailable, traceOf } from '#shop/errors.ts'

/** What is done again and again: how often, and the work. */
export type JobTable = Record<string, [every: 'minute' | 'hour', work: () => Promise<void>]>

const crons = { minute: '* * * * *', hour: '0 * * * *' }

/**
 * Does each job at once, for a crash may have left something undone, and whenever its time comes, in one of the processes
 * that share the database. What fails is logged and done again the next time. Answers how to stop, which gives what is
 * under way five seconds. What is due every minute is done every `interval` seconds when that is sooner.
 */
export async function startJobs(
  queue: JobQueue,
  jobs: JobTable,
  interval = 60,
): Promise<() => Promise<void>> {
  const boss = new PgBoss({ ...queue, schema: 'jobs', persistWarnings: false, reindex: false })
  const log = (error: Error) => console.error('jobs:', isUnavailable(error) ? error.message : traceOf(error))
  const timers: NodeJS.Timeout[] = []
  boss.on('error', log)
  await boss.start()
  for (const [name, [every, work]] of Object.entries(jobs)) {
    // Of work that is still to be begun one is enough, and one that was cut off keeps no other waiting.
    await boss.createQueue(name, {
      policy: 'short',
      retryLimit: 0,
      expireInSeconds: 300,
      deleteAfterSeconds: 3600,
    })
    await boss.schedule(name, crons[every])
    await boss.send(name)
    await boss.work(name, { pollingIntervalSeconds: Math.min(5, interval) }, async () => {
      await work().catch((error) => console.error(`${name}:`, traceOf(error)))
    })
    // Cron knows no seconds.
    if (every === 'minute' && interval < 60)
      timers.push(setInterval(() => boss.send(name).catch(log), interval * 1000))
  }
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await boss.stop({ graceful: true, timeout: 5_000 })
  }
}
