import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import type { Database } from '#db/schema.ts'
import type { Backlog } from '#providers/metrics/shop-metrics.ts'

const [maxAgeMs, timeoutMs] = [5_000, 2_000]

/** Each part has an index. */
const statement = sql`
  with waiting as (
    select 'refunds' as what, created_at, amount_cents from refunds where completed_at is null
    union all
    select 'emails', created_at, 0 from outbox where next_try_at is not null
    union all
    select 'jobs', start_after, 0 from jobs.job where state < 'active' and start_after <= now()
    union all
    select 'read-only', now(), 0 where current_setting('transaction_read_only') = 'on'
  )
  select what, count(*)::int as count, sum(amount_cents)::float8 as cents,
    greatest(0, extract(epoch from now() - min(created_at)))::float8 as oldest
  from waiting group by what`

/** Reads what waits at most every five seconds, however often anybody asks. Null when the database does not answer in two. */
export function backlogReader(db: Database): () => Promise<Backlog | null> {
  let last: { at: number; backlog: Promise<Backlog | null> } | undefined
  return () => {
    if (!last || Date.now() - last.at >= maxAgeMs) {
      const read = readBacklog(db).catch(() => null)
      last = { at: Date.now(), backlog: Promise.race([read, wait(timeoutMs, null, { ref: false })]) }
    }
    return last.backlog
  }
}

async function readBacklog(db: Database): Promise<Backlog> {
  const rows = await executeRows<{ what: string; count: number; cents: number; oldest: number }>(
    db,
    statement,
  )
  const of = (name: string) => {
    const { count = 0, cents = 0, oldest = 0 } = rows.find(({ what }) => what === name) ?? {}
    return { count, cents, oldestSeconds: oldest }
  }
  const isReadOnly = of('read-only').count > 0
  return { isReadOnly, refundsOwed: of('refunds'), emails: of('emails'), jobs: of('jobs') }
}
