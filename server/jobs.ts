import { PgBoss } from 'pg-boss'
import type { Queue } from '#db/database.ts'
import { isAway, traceOf } from '#shop/errors.ts'

/** What is done again and again: when, as cron has it, and the work. */
export type Jobs = Record<string, [cron: string, work: () => Promise<void>]>

/**
 * Does each job at once, for a crash may have left something undone, and whenever its time comes, in one of the processes
 * that share the database. What fails is logged and done again the next time. Answers how to stop, which gives what is
 * under way five seconds.
 */
export async function startJobs(queue: Queue, jobs: Jobs): Promise<() => Promise<void>> {
  const boss = new PgBoss({ ...queue, schema: 'jobs', persistWarnings: false, reindex: false })
  boss.on('error', (error) => console.error('jobs:', isAway(error) ? error.message : traceOf(error)))
  await boss.start()
  for (const [name, [cron, work]] of Object.entries(jobs)) {
    // Of work that is still to be begun one is enough, and one that was cut off keeps no other waiting.
    await boss.createQueue(name, {
      policy: 'short',
      retryLimit: 0,
      expireInSeconds: 300,
      deleteAfterSeconds: 3600,
    })
    await boss.schedule(name, cron)
    await boss.send(name)
    await boss.work(name, { pollingIntervalSeconds: 5 }, async () => {
      await work().catch((error) => console.error(`${name}:`, traceOf(error)))
    })
  }
  return () => boss.stop({ graceful: true, timeout: 5_000 })
}
