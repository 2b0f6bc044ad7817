// Response times of lists, searches, sorts and counts on Postgres while the shop grows to a million orders and 100,000 parts. Draws
// docs/growth.svg.
import { writeFileSync } from 'node:fs'
import pg from 'pg'
import { demoAdmin } from '#db/seed/accounts.ts'
import { startPostgres } from '#test/postgres.ts'
import { accessTokenOf, emptyFolder, runShop } from '#test/process.ts'
import { plotLines } from './plot.ts'

const sizes = [10_000, 100_000, 1_000_000]
const [warmups, rounds] = [3, 30]

const search = ['q=miller', 'q=user77@example.com', 'q=chain', 'q=543210', 'q=nobody'] as const
const sorts = ['name', '-name', 'parts', 'quantity', '-price', 'shipped', '-shipped'] as const
const partSorts = ['name', '-price', 'minQuantity', 'availableQuantity'] as const
const requests: Record<string, string[]> = {
  'orders, newest first': ['/api/orders?limit=10', '/api/purchase?limit=10', '/api/orders?limit=10&page=900'],
  'orders of one status': ['unpaid', 'expired', 'pending', 'shipped', 'refunded'].map(
    (status) => `/api/orders?limit=10&status=${status}`,
  ),
  'orders, sorted otherwise': sorts.map((sort) => `/api/purchase?limit=10&sort=${sort}`),
  'orders, searched': search.map((q) => `/api/purchase?limit=10&${q}`),
  'counts of orders': ['/api/order-counts', '/api/order-counts?q=miller', '/api/worklist'],
  'one customer’s orders': ['/api/myOrders?limit=10&email=user77@example.com'],
  'parts, sorted': partSorts.map((sort) => `/api/products?limit=10&sort=${sort}`),
  'parts, searched': [
    '/api/part?limit=24&q=chain',
    '/api/part?limit=24&q=chian',
    '/parts?brand=Talon&q=stem',
  ],
}

const postgres = await startPostgres({ durable: true })
try {
  const url = await postgres.createDatabase('shop')
  const shop = await runShop(
    { DATA_DIR: emptyFolder(), DATABASE_URL: url, DEMO: 'on', RATE_LIMITS: 'off' },
    [],
  )
  try {
    const results: Record<string, number>[] = []
    for (const [i, size] of sizes.entries()) {
      await grow(url, sizes[i - 1] ?? 0, size)
      results.push(await measureAll(shop.origin))
      console.log(`${size} orders`)
    }
    report(results)
  } finally {
    shop.child.kill()
    await shop.exited
  }
} finally {
  await postgres.stop()
}

/** 95th percentiles in milliseconds, of each group that of its slowest request. */
async function measureAll(origin: string) {
  const headers = { authorization: `Bearer ${await accessTokenOf(origin, demoAdmin)}` }
  const slowest: Record<string, number> = {}
  for (const [group, paths] of Object.entries(requests))
    for (const path of paths)
      slowest[group] = Math.max(slowest[group] ?? 0, await measure(origin + path, headers))
  return slowest
}

async function measure(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = []
  for (let i = -warmups; i < rounds; i++) {
    const start = performance.now()
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url}: ${response.status}`)
    if (i >= 0) times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds * 0.95)]!
}

function report(results: Record<string, number>[]) {
  const names = Object.keys(requests)
  console.log(`| p95, ms | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`)
  console.log(`| --- | ${sizes.map(() => '---').join(' | ')} |`)
  for (const name of names)
    console.log(`| ${name} | ${results.map((result) => result[name]!.toFixed(0)).join(' | ')} |`)
  const lines = names.map((name) => ({ name, values: results.map((result) => result[name]!) }))
  const axes = { x: 'orders', y: 'milliseconds, 95th percentile' }
  writeFileSync('docs/growth.svg', plotLines({ ...axes, positions: sizes, lines }))
}

/** Adds orders of 20,000 customers, one item each: 2 % unpaid, 8 % expired, 3 % cancelled, the others paid and most of them shipped. */
async function grow(url: string, from: number, to: number) {
  const client = new pg.Client(url)
  await client.connect()
  const numbers = `generate_series(${from + 1}, ${to}) i`
  // Without triggers, of which the statements do the work.
  await client.query(`set session_replication_role = replica`)
  if (from === 0)
    await client.query(`insert into users (id, number, issuer, subject, email, name, role, token_version, created_at)
      select 'u' || i, 1000000 + i, 'bench', 'u' || i, 'user' || i || '@example.com',
        (array['Ada', 'Bruno', 'Chloé', 'Dmitri'])[1 + i % 4] || ' ' || (array['Miller', 'Ørsted', 'Okafor', 'Tanaka'])[1 + i / 4 % 4] || ' ' || i,
        'customer', 0, now() from generate_series(1, 20000) i`)
  await client.query(`insert into parts (id, number, name, short_description, description, image, brand, category, min_quantity,
      available_quantity, per_unit_price, created_at, views, part_number)
    select 'p' || i, 100000 + i, (array['Chain', 'Crankset', 'Hub', 'Saddle', 'Stem', 'Tyre', 'Rotor', 'Caliper'])[1 + i % 8] || ' ' || i,
      'Twelve-speed part for gravel ' || i % 100, 'Runs quietly. ' || md5(i::text), (select image from parts limit 1),
      (array['Talon', 'Brightrim', 'Kestrel', 'Velora'])[1 + i % 4], (array['Chains', 'Cranks', 'Hubs', 'Saddles', 'Stems'])[1 + i % 5],
      5 + i % 20, i * 7919 % 1000, 5 + i * 31 % 300, now(), '{}', 'B-' || i
    from generate_series(${from / 10 + 1}, ${to / 10}) i`)
  await client.query(`insert into orders (id, number, user_id, name, email, price, address, phone_number, created_at, line_count, recipient)
    select 'o' || i, 2000 + i, u.id, u.name, u.email, (3 + i * 37 % 50) * (5 + i * 13 % 400), i % 900 || ' Canal Street, Port ' || i % 99999,
      '0170' || lpad(i::text, 7, '0'), now() - (${to} - i) * interval '30 seconds', 1, u.name
    from ${numbers} join users u on u.id = 'u' || (1 + i::bigint * 7919 % 20000)`)
  await client.query(`insert into order_lines (id, order_id, position, order_number, search_text, part_id, parts, unit_price, quantity, price,
      transaction_id, payment_provider, paid_at, expired_at, cancelled_at, shipped_at, shipped_quantity, refunded_cents)
    select o.id, o.id, 1, o.number, o.search_text || ' ' || fold(p.name), p.id, p.name, 3 + i * 37 % 50, 5 + i * 13 % 400, o.price,
      case when paid then 'pi_' || i end, case when paid then 'test bank' end, case when paid then o.created_at end,
      case when i % 100 between 2 and 9 then o.created_at end, case when i % 100 between 10 and 12 then o.created_at end,
      case when shipped then o.created_at end, case when shipped then 5 + i * 13 % 400 else 0 end, case when i % 33 = 5 and paid then 500 else 0 end
    from (select i, i % 100 > 12 as paid, i % 100 > 12 and i % 10 <> 1 as shipped from ${numbers}) n
      join orders o on o.id = 'o' || i join parts p on p.id = 'p' || (1 + i::bigint * 104729 % ${to / 10})`)
  await client.query(`update order_counter set last_number = ${2_000 + to}`)
  await client.query('vacuum analyze')
  // Otherwise Postgres writes what was added while the shop is measured.
  await client.query('checkpoint')
  await client.end()
}
