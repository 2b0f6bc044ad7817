import { Counter, Gauge, type Registry } from 'prom-client'
import type { ConnectionCounts } from '#db/driver/pool.ts'
import type { CountedEvent } from '#shop/ports.ts'

/** What waits; null while the database does not answer. */
export interface Backlog {
  isReadOnly: boolean
  refundsOwed: Waiting & { cents: number }
  emails: Waiting
  jobs: Waiting
}

export interface Backups {
  everySeconds: number
  /** Seconds since 1970; 0 without one. */
  lastAt: number
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
  // Prometheus calls what it scrapes a job.
  const labelNames = ['name'] as const
  const runs = new Counter({
    name: 'job_runs_total',
    help: 'Runs of jobs, by result',
    registers,
    labelNames: ['name', 'result'],
  })
  const succeeded = new Gauge({
    name: 'job_last_success_timestamp_seconds',
    help: 'When a job last succeeded in this process',
    registers,
    labelNames,
    aggregator: 'max',
  })
  const interval = new Gauge({
    name: 'job_interval_seconds',
    help: 'How often a job should run',
    aggregator: 'max',
    labelNames,
    registers,
  })
  return {
    scheduled(name: string, seconds: number) {
      interval.set({ name }, seconds)
      for (const result of ['success', 'failure']) runs.inc({ name, result }, 0)
      succeeded.set({ name }, 0)
    },
    finished(name: string, isSuccess: boolean) {
      runs.inc({ name, result: isSuccess ? 'success' : 'failure' })
      if (isSuccess) succeeded.setToCurrentTime({ name })
    },
  }
}

/** Gauges without a value are left out. */
export function stateGauges(registers: Registry[]) {
  // Workers on one machine see the same database and disk.
  const gauge = (name: string, help: string, aggregator: 'max' | 'min' | 'sum' = 'max') =>
    new Gauge({ name, help, aggregator, registers })
  const up = gauge('database_up', 'Whether the database answers', 'min')
  const backlog = {
    readOnly: gauge('database_read_only', 'Whether the database refuses changes'),
    owed: gauge('shop_refunds_owed', 'Refunds that the payment provider has not made yet'),
    owedCents: gauge('shop_refunds_owed_cents', 'Their sum in cents'),
    owedAge: gauge('shop_refunds_owed_oldest_seconds', 'Age of the oldest of them'),
    emails: gauge('outbox_emails', 'Emails that are not sent yet'),
    emailAge: gauge('outbox_oldest_seconds', 'Age of the oldest of them'),
    jobs: gauge('jobs_due', 'Jobs that are due and not started'),
    jobAge: gauge('jobs_due_oldest_seconds', 'How long the first of them has been due'),
  }
  const pool = new Gauge({
    name: 'database_connections',
    help: 'Connections of this process, by state',
    registers,
    labelNames: ['state'],
  })
  const waiting = gauge(
    'database_requests_waiting',
    'Statements and transactions that wait for a connection',
    'sum',
  )
  const free = gauge('data_disk_free_bytes', 'Free space of the disk that holds DATA_DIR')
  const size = gauge('data_disk_size_bytes', 'Size of the disk that holds DATA_DIR')
  const backup = gauge('backup_last_success_timestamp_seconds', 'When the newest scheduled backup was made')
  const backupInterval = gauge('backup_interval_seconds', 'How often a backup should be made')

  return {
    setBacklog(found: Backlog | null) {
      up.set(found ? 1 : 0)
      if (!found) for (const gauge of Object.values(backlog)) gauge.remove()
      if (!found) return
      backlog.readOnly.set(found.isReadOnly ? 1 : 0)
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
    setBackups({ everySeconds, lastAt }: Backups) {
      backupInterval.set(everySeconds)
      backup.set(lastAt)
    },
    setDisk(found: { free: number; size: number }) {
      free.set(found.free)
      size.set(found.size)
    },
  }
}
