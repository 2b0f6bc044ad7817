// Orders of 16 customers per second, each of another part, all of one, and of customers whose email is not confirmed, beside a bare server
// with one statement an order; then orders that are placed and paid. On the embedded engine and on a server, and there with delivery and
// tax. Needs wrk. With BEFORE, the folder of another version that is built, its shop is measured in turn with this one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { demoAdmin } from '#db/seed/accounts.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { homeRates } from '#test/charges.ts'
import { startPostgres } from '#test/postgres.ts'
import { createSignedInClient, emptyFolder, freePort, openSession } from '#test/process.ts'
import { delivery, registerBuyer, stockParts } from './buyers.ts'
import { runDemo } from './demo.ts'
import { median, runWrk } from './wrk.ts'

const [customers, seconds, rounds, journeys] = [16, 3, 3, 400]
const kinds = ['spread', 'hot', 'unconfirmed'] as const

type Customer = Awaited<ReturnType<typeof registerBuyer>>
interface Target {
  name: string
  url: string
  /** Of wrk, by kind. */
  scripts: Record<(typeof kinds)[number], string>
  buyers?: { pid: number; origin: string; customers: Customer[]; partIds: string[]; quantity: number }
}

const folder = emptyFolder()
const server = await startPostgres({ durable: true })
const running: { kill(): void }[] = []
try {
  const DATABASE_URL = await server.createDatabase('shop')
  const targets = [
    await openFloor(),
    await openShop('embedded', {}),
    await openShop('Postgres', { DATABASE_URL, DEMO: 'on' }),
    await openCharging('Postgres with tax', await server.createDatabase('charging')),
  ]
  const { BEFORE } = process.env
  if (BEFORE) {
    const databaseUrl = await server.createDatabase('before')
    targets.push(await openShop('embedded before', {}, BEFORE))
    targets.push(await openShop('Postgres before', { DATABASE_URL: databaseUrl, DEMO: 'on' }, BEFORE))
  }
  await compareOrders(targets)
  await compareReads(targets)
  // Until the database has counted the rows of a new shop, within a minute, it plans for empty tables.
  await setTimeout(75_000)
  for (const { name, buyers } of targets)
    if (buyers)
      console.log(`${name}: ${(await payOrders(buyers)).toFixed(0)} orders placed and paid per second`)
} finally {
  for (const process of running) process.kill()
  await server.stop()
}

/** Medians of rounds in which all are measured in turn. */
async function compareOrders(targets: Target[]) {
  const results = targets.map(() => ({
    spread: [] as Measured[],
    hot: [] as Measured[],
    unconfirmed: [] as Measured[],
  }))
  for (let round = 0; round < rounds; round++)
    for (const [i, { url, scripts }] of targets.entries())
      for (const kind of kinds) {
        const order = (seconds: number) =>
          runWrk(url, { connections: customers, seconds, script: scripts[kind] })
        // Not measured: in its first seconds, a new process takes fewer orders.
        await order(4)
        results[i]![kind].push(await order(seconds))
      }
  console.log('| orders per second | each another part | p99 | all of one part | p99 | unconfirmed | p99 |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const [i, { name }] of targets.entries()) {
    const cells = kinds.flatMap((kind) => {
      const [rate, limit] = [results[i]!, results[0]!].map((runs) =>
        median(runs[kind].map(({ rate }) => rate)),
      )
      const p99 = median(results[i]![kind].map(({ p99 }) => p99))
      return [`${rate!.toFixed(0)} (${(rate! / limit!).toFixed(2)} ×)`, `${p99.toFixed(0)} ms`]
    })
    console.log(`| ${[name, ...cells].join(' | ')} |`)
  }
}

/** Reads of the list and of a part that is ordered, alone and while orders run at full speed; then the memory of the shop. */
async function compareReads(targets: Target[]) {
  console.log('| reads per second | alone | during orders | p99 | orders per second | memory |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const { name, url, scripts, buyers } of targets) {
    if (!buyers) continue
    const { origin, partIds, pid } = buyers
    for (const path of ['/api/part', `/api/part/${partIds[0]}`]) {
      const read = () => runWrk(origin + path, { connections: 64, seconds })
      const [alone, during, orders] = [[] as Measured[], [] as Measured[], [] as Measured[]]
      for (let round = 0; round < rounds; round++) {
        alone.push(await read())
        const ordering = runWrk(url, { connections: customers, seconds, script: scripts.spread })
        during.push(await read())
        orders.push(await ordering)
      }
      const [before, rate, ordered] = [alone, during, orders].map((runs) =>
        median(runs.map(({ rate }) => rate)),
      )
      const p99 = median(during.map(({ p99 }) => p99))
      const ratio = `${rate!.toFixed(0)} (${(rate! / before!).toFixed(2)} ×)`
      const cells = [before!.toFixed(0), ratio, `${p99.toFixed(0)} ms`, ordered!.toFixed(0), memoryOf(pid)]
      console.log(`| ${[`${name}: ${path.replace(partIds[0]!, ':id')}`, ...cells].join(' | ')} |`)
    }
  }
}

/** Resident now, and at most so far. */
function memoryOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [now, most] = ['VmRSS', 'VmHWM'].map((name) => {
    return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024)
  })
  return `${now} MB (${most} MB)`
}

type Measured = Awaited<ReturnType<typeof runWrk>>

async function openFloor(): Promise<Target> {
  const port = String(await freePort())
  const args = ['bench/order-floor.ts', await server.createDatabase('floor'), port]
  const floor = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  running.push(floor)
  await once(floor.stdout, 'data')
  const ordersOf = (parts: number[]) =>
    parts.map((part) => ({ headers: {}, body: { part, quantity: 10, address: delivery.address } }))
  const scripts = writeScripts('floor', {
    spread: ordersOf(Array.from({ length: customers }, (_, i) => i)),
    hot: ordersOf(Array(customers).fill(0)),
    unconfirmed: ordersOf(Array.from({ length: customers }, (_, i) => i)),
  })
  return { name: 'bare server', url: `http://127.0.0.1:${port}/`, scripts }
}

async function openShop(name: string, env: Record<string, string>, folder = '.'): Promise<Target> {
  const { child, origin } = await runDemo(env, folder)
  running.push(child)
  const admin = await createSignedInClient(origin, demoAdmin)
  const buyers: Customer[] = []
  const newcomers: string[] = []
  for (let i = 0; i < customers; i++) {
    buyers.push(await registerBuyer(origin, `buyer${i}@example.com`))
    const account = { name: 'Ada Lund', email: `newcomer${i}@example.com`, password: 'Workshop-48-chains' }
    newcomers.push((await openSession(origin, 'sign-up', account)).token)
  }
  const quantity = 10
  const partIds = await stockParts(admin, { count: customers, stock: 1_000_000, quantity })
  const ordersOf = (ids: string[], tokens = buyers.map(({ token }) => token)) =>
    ids.map((partId, i) => ({
      headers: { Authorization: `Bearer ${tokens[i]!}` },
      body: { ...delivery, partId, quantity },
    }))
  const scripts = writeScripts(name.replaceAll(' ', '-'), {
    spread: ordersOf(partIds),
    hot: ordersOf(partIds.map(() => partIds[0]!)),
    unconfirmed: ordersOf(partIds, newcomers),
  })
  return {
    name,
    url: `${origin}/api/purchase`,
    scripts,
    buyers: { pid: child.pid!, origin, customers: buyers, partIds, quantity },
  }
}

/** Delivery with a threshold, and tax of two rates. */
async function openCharging(name: string, DATABASE_URL: string) {
  const target = await openShop(name, { DATABASE_URL, DEMO: 'on' })
  const admin = await createSignedInClient(target.buyers!.origin, demoAdmin)
  await admin.updateSettings({ body: { section: 'deliveryAndTax', version: 0, ...homeRates } })
  return target
}

/** One script of wrk for each kind, which sends the orders in turn. */
function writeScripts<Kind extends string>(
  name: string,
  orders: Record<Kind, { headers: object; body: object }[]>,
) {
  const entries = Object.entries<{ headers: object; body: object }[]>(orders).map(([kind, list]) => {
    const requests = list.map(({ headers, body }) => {
      const fields = Object.entries({ ...headers, 'Content-Type': 'application/json' })
      const lua = fields
        .map(([field, value]) => `[${JSON.stringify(field)}]=${JSON.stringify(value)}`)
        .join(', ')
      return `wrk.format("POST", nil, {${lua}}, ${JSON.stringify(JSON.stringify(body))})`
    })
    const file = join(folder, `${name}-${kind}.lua`)
    const next = 'i = i % #requests + 1 return requests[i]'
    writeFileSync(
      file,
      `local requests local i = 0\ninit = function() requests = {${requests.join(',\n')}} end\nrequest = function() ${next} end\n`,
    )
    return [kind, file]
  })
  return Object.fromEntries(entries) as Record<Kind, string>
}

/** Each customer one order after another. Orders, pays and asks whether it is paid, as a browser does. */
async function payOrders({ origin, customers, partIds, quantity }: NonNullable<Target['buyers']>) {
  let left = journeys
  const start = performance.now()
  await Promise.all(
    customers.map(async ({ client }, i) => {
      while (left-- > 0) {
        const order = await client.placePurchase({ body: { ...delivery, partId: partIds[i]!, quantity } })
        const { _id: id, price } = order
        const { clientSecret } = await client.startPayment({ body: { price, purchase: id } })
        const url = origin + confirmPath(clientSecret)
        const response = await fetch(url, { method: 'POST', body: cardBody(clientSecret) })
        if (!response.ok) throw new Error(await response.text())
        const [transactionId = ''] = clientSecret.split('_secret_')
        const { paid } = await client.payPurchase({ params: { id }, body: { transactionId } })
        if (!paid) throw new Error(`order ${id} is not paid`)
      }
    }),
  )
  return (journeys / (performance.now() - start)) * 1_000
}
