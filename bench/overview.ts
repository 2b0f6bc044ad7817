// Response times of the overview on Postgres, with a million orders of a year and 100,000 parts, while orders are paid today.
import pg from 'pg'
import { demoAdmin } from '#db/seed/accounts.ts'
import { periods } from '#shop/overview/period.ts'
import { startPostgres } from '#test/postgres.ts'
import { accessTokenOf, emptyFolder, runShop } from '#test/process.ts'
import { growShop } from './grow.ts'

const size = Number(process.argv[3] ?? 1_000_000)
const rounds = 40
/** Of the 95th percentile, in milliseconds. */
const goal = 200

const postgres = await startPostgres({ durable: true })
try {
  const url = await postgres.createDatabase('shop')
  const settings = { DATA_DIR: emptyFolder(), DATABASE_URL: url, DEMO: 'on', RATE_LIMITS: 'off' }
  // Creates the tables; without orders that it would expire while they are added.
  await stop(await runShop(settings, []))
  await growShop(url, 0, size)
  await settle(url)
  const shop = await runShop(settings, [])
  try {
    const headers = { authorization: `Bearer ${await accessTokenOf(shop.origin, demoAdmin)}` }
    const read = (period: string) => measure(`${shop.origin}/api/overview?period=${period}`, headers)
    // The first requests of the day; meanwhile the jobs of the start come to an end.
    const firsts = new Map<string, number>()
    for (const period of periods) firsts.set(period, (await read(period)).first)
    const rows = []
    for (const period of periods) rows.push({ period, ...(await read(period)), first: firsts.get(period) })
    console.table(rows)
    process.exitCode = rows.some(({ p95 }) => p95 > goal) ? 1 : 0
  } finally {
    await stop(shop)
  }
} finally {
  await postgres.stop()
}

async function stop({ child, exited }: Awaited<ReturnType<typeof runShop>>) {
  child.kill()
  await exited
}

/** The payment of each paid order, and a refund of each that has one. Unpaid orders of more than 70 hours have expired. */
async function settle(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('set session_replication_role = replica')
  await client.query(`insert into ledger (order_id, payment_id, reference, kind, amount_cents, at)
    select order_id, transaction_id, transaction_id, 'payment', price * 100, paid_at from order_lines where paid_at is not null order by paid_at`)
  await client.query(`insert into ledger (order_id, payment_id, reference, kind, amount_cents, at)
    select order_id, transaction_id, 're_' || id, 'refund', -refunded_cents, paid_at from order_lines where refunded_cents > 0`)
  await client.query(`update order_lines l set expired_at = o.created_at + interval '72 hours' from orders o
    where o.id = l.order_id and o.created_at < now() - interval '70 hours' and num_nonnulls(l.paid_at, l.expired_at, l.cancelled_at) = 0`)
  await client.query('update parts set reorder_point = number % 300 where number % 3 = 0')
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

/** In milliseconds: the first request, which reads the finished days, and the 95th percentile and the median of those after it. */
async function measure(url: string, headers: Record<string, string>) {
  const times: number[] = []
  for (let i = 0; i <= rounds; i++) {
    const start = performance.now()
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    times.push(Math.round(performance.now() - start))
  }
  const [first, ...others] = times
  const sorted = others.toSorted((a, b) => a - b)
  return { first: first!, median: sorted[rounds / 2]!, p95: sorted[Math.floor(rounds * 0.95)]! }
}
