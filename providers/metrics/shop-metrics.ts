import { Counter, Gauge, type Registry } from 'prom-client'
import type { ConnectionCounts } from '#db/pool.ts'
import type { CountedEvent } from '#shop/ports.ts'

/** What waits; null while the database does not answer. */
export interface Backlog {
  refundsOwed: Waiting & { cents: number }
  emails: Waiting
  jobs: Waiting
}

interface Waiting {
  count: number
  /** Of the one that waits longest; 0 when none does. */
  oldestSeconds: number
}

const events: Record<CountedEvent, string> = {
  'order placed': 'shop_orders_placed',
  'payment received': 'shop_payments_received',
  'refund made': 'shop_refunds_made',
}

export function eventCounters(registers: Registry[]) {
  const counters = Object.fromEntries(
    Object.entries(events).map(([event, name]) => [
      event,
      {
        count: new Counter({ name: `${name}_total`, help: `Events: ${event}`, registers }),
        cents: new Counter({ name: `${name}_cents_total`, help: `Cents: ${event}`, registers }),
      },
    ]),
  ) as Record<CountedEvent, { count: Counter; cents: Counter }>
  return (event: CountedEvent, cents: number) => {
    counters[event].count.inc()
    counters[event].cents.inc(cents)
  }
}

export function jobMetrics(registers: Registry[]) {
  const labelNames = ['job'] as const
  const runs = new Counter({
    ...{ name: 'job_runs_total', help: 'Runs of jobs, by result', registers },
    labelNames: ['job', 'result'],
  })
  const succeeded = new Gauge({
    ...{
      name: 'job_last_success_timestamp_seconds',
      help: 'When a job last succeeded in this process',
      registers,
    },
    labelNames,
  })
  const interval = new Gauge({
    ...{ name: 'job_interval_seconds', help: 'How often a job should run', labelNames, registers },
  })
  return {
    scheduled(job: string, seconds: number) {
      interval.set({ job }, seconds)
      for (const result of ['success', 'failure']) runs.inc({ job, result }, 0)
      succeeded.set({ job }, 0)
    },
    finished(job: string, isSuccess: boolean) {
      runs.inc({ job, result: isSuccess ? 'success' : 'failure' })
      if (isSuccess) succeeded.setToCurrentTime({ job })
    },
  }
}

/** Gauges without a value are left out. */
export function stateGauges(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const up = gauge('database_up', 'Whether the database answers')
  const backlog = {
    owed: gauge('shop_refunds_owed', 'Refunds that the payment provider has not made yet'),
    owedCents: gauge('shop_refunds_owed_cents', 'Their sum in cents'),
    owedAge: gauge('shop_refunds_owed_oldest_seconds', 'Age of the oldest of them'),
    emails: gauge('outbox_emails', 'Emails that are not sent yet'),
    emailAge: gauge('outbox_oldest_seconds', 'Age of the oldest of them'),
    jobs: gauge('jobs_due', 'Jobs that are due and not started'),
    jobAge: gauge('jobs_due_oldest_seconds', 'How long the first of them has been due'),
  }
  const pool = new Gauge({
    ...{ name: 'database_connections', help: 'Connections of this process, by state', registers },
    labelNames: ['state'],
  })
  const waiting = gauge('database_requests_waiting', 'Statements and transactions that wait for a connection')
  const free = gauge('data_disk_free_bytes', 'Free space of the disk that holds DATA_DIR')
  const size = gauge('data_disk_size_bytes', 'Size of the disk that holds DATA_DIR')

  return {
    setBacklog(found: Backlog | null) {
      up.set(found ? 1 : 0)
      if (!found) for (const gauge of Object.values(backlog)) gauge.remove()
      if (!found) return
      backlog.owed.set(found.refundsOwed.count)
      backlog.owedCents.set(found.refundsOwed.cents)
      backlog.owedAge.set(found.refundsOwed.oldestSeconds)
      backlog.emails.set(found.emails.count)
      backlog.emailAge.set(found.emails.oldestSeconds)
      backlog.jobs.set(found.jobs.count)
      backlog.jobAge.set(found.jobs.oldestSeconds)
    },
    setConnections(found: ConnectionCounts) {
      pool.set({ state: 'idle' }, found.idle)
      pool.set({ state: 'busy' }, found.total - found.idle)
      waiting.set(found.waiting)
    },
    setDisk(found: { free: number; size: number }) {
      free.set(found.free)
      size.set(found.size)
    },
  }
}
