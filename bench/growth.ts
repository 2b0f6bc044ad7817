// Response times of lists, searches, sorts and counts on Postgres while the shop grows to a million orders and 100,000 parts. Draws
// docs/growth.svg.
import { writeFileSync } from 'node:fs'
import { demoAdmin } from '#db/seed/accounts.ts'
import { startPostgres } from '#test/postgres.ts'
import { accessTokenOf, emptyFolder, runShop } from '#test/process.ts'
import { growShop } from './grow.ts'
import { plotLines } from './plot.ts'

const sizes = [10_000, 100_000, 1_000_000]
const [warmups, rounds] = [3, 30]
/** Slower requests are named. */
const limitMs = 50

const search = ['q=miller', 'q=user77@example.com', 'q=chain', 'q=543210', 'q=nobody'] as const
const sorts = ['name', '-name', 'parts', 'quantity', '-price', 'shipped', '-shipped'] as const
const wholeSorts = ['name', '-name', 'price', '-price', 'shipped', '-shipped'] as const
const partSorts = ['name', '-price', 'minQuantity', 'availableQuantity'] as const
const requests: Record<string, string[]> = {
  'orders, newest first': ['/api/orders?limit=10', '/api/purchase?limit=10', '/api/orders?limit=10&page=900'],
  'orders of one status': ['unpaid', 'expired', 'pending', 'shipped', 'refunded', 'disputed'].map(
    (status) => `/api/orders?limit=10&status=${status}`,
  ),
  'whole orders, sorted otherwise': wholeSorts.map((sort) => `/api/orders?limit=100&lines=5&sort=${sort}`),
  'whole orders, searched': [...search, 'q=1Z999', 'q=INV-10', 'q=inv-1042'].map(
    (q) => `/api/orders?limit=25&lines=5&${q}`,
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
  'parts, filtered by specifications': [
    '/parts?category=Chains',
    '/parts?category=Chains&spec=size-6%3A160',
    '/parts?category=Chains&spec=size-6%3A160&spec=size-16%3AAlloy&spec=size-1%3A100~200',
    '/api/part?limit=24&spec=size-10%3A180',
  ],
  'specifications, searched': ['/api/part?limit=24&q=160mm', '/parts?category=Chains&q=160+mm+alloy'],
  'parts, compared': ['/compare?parts=p1,p2,p3,p4'],
  'parts that fit': [
    '/parts?fits=freehub%3AXD',
    '/parts?fits=clearance%3A622%3Bwidth%3D50&q=tyre',
    '/parts/p8?fitsWith=freehub%3AXD',
    '/parts/p6?fitsWith=p5',
    '/api/fit?part=B-8&with=freehub%3AXD',
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
      await growShop(url, sizes[i - 1] ?? 0, size)
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
    for (const path of paths) {
      const ms = await measure(origin + path, headers)
      if (ms > limitMs) console.log(`${path}: ${ms.toFixed(0)} ms`)
      slowest[group] = Math.max(slowest[group] ?? 0, ms)
    }
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
