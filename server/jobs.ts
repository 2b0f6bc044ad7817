import { PgBoss } from 'pg-boss'
import type { JobQueue } from '#db/database.ts'
import { log } from '#telemetry/log.ts'
import { startSpan } from '#telemetry/trace.ts'

interface JobMetrics {
  scheduled(job: string, seconds: number): void
  finished(job: string, isSuccess: boolean): void
}

export type JobTable = Record<string, [every: 'minute' | 'hour', work: () => Promise<void>]>

const crons = { minute: '* * * * *', hour: '0 * * * *' }

/**
 * Runs each job at startup, since a crash may have left work undone, and then on schedule in one of the processes that
 * share the database. Errors are logged and the job runs again next time. `interval` (seconds) shortens the minute jobs.
 * Returns a stop function that waits up to five seconds for running jobs.
 */
export async function startJobs(
  queue: JobQueue,
  jobs: JobTable,
  interval = 60,
  metrics?: JobMetrics,
): Promise<() => Promise<void>> {
  const boss = new PgBoss({ ...queue, schema: 'jobs', persistWarnings: false, reindex: false })
  const logError = (err: Error) => log.error({ err }, 'job queue failed')
  const timers: NodeJS.Timeout[] = []
  boss.on('error', logError)
  await boss.start()
  await bringForward(queue)
  timers.push(setInterval(() => bringForward(queue).catch(logError), 60_000))
  // The schedule of a renamed or removed job stays in the database and would queue jobs that nobody works on.
  for (const { name } of await boss.getSchedules()) if (!(name in jobs)) await boss.unschedule(name)
  for (const [name, [every, work]] of Object.entries(jobs)) {
    await boss.createQueue(name, {
      policy: 'short',
      retryLimit: 0,
      expireInSeconds: 300,
      deleteAfterSeconds: 3600,
    })
    await boss.schedule(name, crons[every])
    metrics?.scheduled(name, every === 'hour' ? 3_600 : interval)
    await boss.send(name)
    await boss.work(name, { pollingIntervalSeconds: Math.min(5, interval) }, async () => {
      const isSuccess = await traceJob(name, work).then(
        () => true,
        (err) => {
          log.error({ err, job: name }, 'job failed')
          return false
        },
      )
      metrics?.finished(name, isSuccess)
    })
    // Cron has no seconds.
    if (every === 'minute' && interval < 60)
      timers.push(setInterval(() => boss.send(name).catch(logError), interval * 1000))
  }
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await boss.stop({ graceful: true, timeout: 5_000 })
  }
}

/** Once the clock was set back, pg-boss would wait until the time that it has stored comes again. */
async function bringForward({ db }: JobQueue) {
  const late = "now() + interval '2 minutes'"
  const times = (columns: string[]) => columns.map((column) => `${column} = least(${column}, now())`).join()
  const changes = [
    `version set ${times(['cron_on', 'bam_on', 'flow_on', 'monitor_backoff_on'])} where greatest(cron_on, bam_on, flow_on) > ${late}`,
    `queue set ${times(['monitor_claim_on', 'monitor_on', 'maintain_on'])} where greatest(monitor_claim_on, monitor_on, maintain_on) > ${late}`,
    // Each is sent to run at once.
    `job set start_after = now() where state < 'active' and start_after > ${late}`,
    // Done in a minute that has yet to come: a schedule sends one job a minute.
    `job set singleton_on = null where state > 'active' and singleton_on > now() at time zone 'utc' + interval '1 minute'`,
  ]
  for (const change of changes) await db.executeSql(`update jobs.${change}`)
}

async function traceJob(name: string, work: () => Promise<void>) {
  const span = startSpan(`job ${name}`, { kind: 'INTERNAL', attributes: {} })
  if (!span) return work()
  try {
    await span.run(work)
    span.end()
  } catch (error) {
    span.end({}, error)
    throw error
  }
}
