import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { outbox } from '#db/embedded.ts'
import { type Database, refunds } from '#db/schema.ts'
import { prometheusMetrics } from '#providers/metrics/prometheus.ts'
import { backupName, measureBackups } from '#server/backup/files.ts'
import { type JobTable, startJobs } from '#server/jobs.ts'
import { shopWithOrder } from '#test/bank.ts'
import { testDatabase } from '#test/database.ts'
import { payOrderByCard } from '#test/shop.ts'
import { backlogReader } from './backlog.ts'

type Metrics = ReturnType<typeof prometheusMetrics>

/** The values of the metrics without `name`s. */
async function valuesOf(metrics: Metrics, state?: Parameters<Metrics['text']>[0]) {
  const { body } = await metrics.text(state)
  return Object.fromEntries(
    [...body.matchAll(/^(\w+)(?:\{name="(\w+)"(?:,result="(\w+)")?\})? (\S+)$/gm)].map(
      ([, name, job, result, value]) => [[name, job, result].filter(Boolean).join(' '), Number(value)],
    ),
  )
}

function stateOf(db: Database) {
  const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-backups-'))
  writeFileSync(join(folder, backupName(new Date(86_400_000))), '')
  const backups = () => measureBackups({ folder, everyHours: 24, keep: 7 })
  const connections = () => ({ total: 20, idle: 3, waiting: 7 })
  return { backlog: backlogReader(db), connections, disk: () => ({ free: 1, size: 2 }), backups }
}

test('metrics count an order, its payment and its refund once, with their cents', async () => {
  const { shop, ada, admin, order } = await shopWithOrder()
  await payOrderByCard(shop, ada, order)
  const refund = { amount: 20, reason: 'Scratched', returned: 0 }
  await admin.refundPurchase({ params: { id: order._id }, body: refund })
  await payOrderByCard(shop, ada, order).catch(() => {})
  expect(await valuesOf(shop.metrics)).toMatchObject({
    shop_orders_placed_total: 1,
    shop_orders_placed_cents_total: 10_000,
    shop_payments_received_total: 1,
    shop_payments_received_cents_total: 7_000,
    shop_refunds_made_total: 1,
    shop_refunds_made_cents_total: 2_000,
  })
})

test('metrics show what waits, how long, and the runs of jobs', async () => {
  const { queue } = await testDatabase()
  const metrics = prometheusMetrics({ pages: [] })
  const ended = Promise.withResolvers<void>()
  const jobs: JobTable = {
    broken: ['minute', () => Promise.reject(new Error('no disk'))],
    whole: ['hour', async () => ended.resolve()],
  }
  const stop = await startJobs(queue, jobs, 60, metrics.jobs)
  await ended.promise
  await expect
    .poll(() => valuesOf(metrics))
    .toMatchObject({
      'job_runs_total broken failure': 1,
      'job_last_success_timestamp_seconds broken': 0,
      'job_runs_total whole success': 1,
      'job_interval_seconds whole': 3_600,
    })
  await stop()

  const { shop, order, start } = await shopWithOrder()
  const [paymentId] = (await start()).clientSecret.split('_secret_') as [string]
  const owed = { orderId: order.orderId, paymentId, amountCents: 1_250, reason: 'Late' }
  const hourAgo = new Date(Date.now() - 3_600_000)
  await shop.db.insert(refunds).values([
    { ...owed, createdAt: hourAgo.toISOString() },
    { ...owed, endedAt: hourAgo.toISOString() },
  ])
  await shop.db.delete(outbox)
  const email = { recipient: 'ada@example.com', subject: 'Hello', body: 'Hello', html: 'Hello' }
  await shop.db.insert(outbox).values([
    { ...email, createdAt: hourAgo, nextTryAt: new Date() },
    { ...email, createdAt: hourAgo },
  ])
  let values: Record<string, number> = {}
  // Read again if a busy database did not answer in time.
  await expect
    .poll(async () => (values = await valuesOf(metrics, stateOf(shop.db))))
    .toMatchObject({
      database_up: 1,
      database_read_only: 0,
      database_requests_waiting: 7,
      backup_interval_seconds: 86_400,
      backup_last_success_timestamp_seconds: 86_400,
      shop_refunds_owed: 1,
      shop_refunds_owed_cents: 1_250,
      outbox_emails: 1,
    })
  for (const name of ['shop_refunds_owed_oldest_seconds', 'outbox_oldest_seconds'])
    expect(values[name], name).toBeGreaterThanOrEqual(3_600)
})

test('while the database is away, metrics say so and leave out what waits', async () => {
  const pool = new pg.Pool({ connectionString: 'postgres://shop@127.0.0.1:1/shop' })
  const values = await valuesOf(
    prometheusMetrics({ pages: [] }),
    stateOf(drizzle(pool) as unknown as Database),
  )
  expect(values).toMatchObject({ database_up: 0, database_requests_waiting: 7, data_disk_free_bytes: 1 })
  expect(Object.keys(values).filter((name) => /owed|outbox|jobs_due|read_only/.test(name))).toEqual([])
  await pool.end()
})
