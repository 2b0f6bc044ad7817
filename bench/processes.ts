// Two processes of the shop behind nginx, with one Postgres server: buyers who compete for the last units, how soon both show a
// change, one process killed under load, and rolling restarts under load. Exits with 1 if a request or an order is lost. Needs nginx.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { demoAdmin } from '#db/seed/accounts.ts'
import { startPostgres } from '#test/postgres.ts'
import { childrenOf, createSignedInClient, emptyFolder, freePort, runShop } from '#test/process.ts'
import { delivery, registerBuyer, stockParts } from './buyers.ts'
import { startNginx } from './nginx.ts'
import { median } from './wrk.ts'

const [buyerCount, quantity, races, changes, restartRequests] = [60, 48, 3, 20, 10_000]
const plenty = 1_000_000

type Buyers = Awaited<ReturnType<typeof registerBuyer>>[]
type Shop = Awaited<ReturnType<typeof startShop>>
type Admin = Awaited<ReturnType<typeof createSignedInClient>>

const server = await startPostgres()
const url = await server.createDatabase('shop')
const database = new pg.Pool({ connectionString: url })
const dataDir = emptyFolder()
const running: { kill(signal?: NodeJS.Signals): void }[] = []
try {
  const [front, ...ports] = [await freePort(), await freePort(), await freePort()]
  const origin = openProxy(front!, ports)
  const shops: Shop[] = []
  for (const port of ports) shops.push(await startShop(port, { PUBLIC_URL: origin }))
  const buyers: Buyers = []
  for (let i = 0; i < buyerCount; i++) buyers.push(await registerBuyer(origin, `buyer${i}@example.com`))
  const admin = await createSignedInClient(origin, demoAdmin)
  for (let i = 0; i < races; i++) await race(origin, admin, buyers)
  await changePrices(
    admin,
    shops.map(({ origin }) => origin),
  )
  await killOne(origin, admin, buyers, () => shops[1]!.child.kill('SIGKILL'))

  const [workersFront, workersPort] = [await freePort(), await freePort()]
  const workersOrigin = openProxy(workersFront, [workersPort])
  const workers = await startShop(workersPort, { PUBLIC_URL: workersOrigin, WORKERS: '2' })
  await restart(workersOrigin, admin, buyers, workers.child.pid!)
} finally {
  for (const process of running) process.kill('SIGTERM')
  await database.end()
  await server.stop()
}

async function startShop(port: number, env: Record<string, string>) {
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir, DEMO: 'on', TRUST_PROXY: 'on', JOB_INTERVAL: '1' }
  const shop = await runShop({ ...settings, PORT: String(port), ...env }, [])
  running.push(shop.child)
  return { child: shop.child, origin: `http://127.0.0.1:${port}` }
}

/** With `ops/nginx.conf`, without TLS. */
function openProxy(port: number, shops: number[]) {
  const [upstream, shop] = readFileSync('ops/nginx.conf', 'utf8').split(/(?=^server \{)/m)
  const http = (upstream! + shop!)
    .replace(/^ *(ssl_|listen \[|# server).*\n/gm, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
    .replace('server_name shop.example', 'server_name 127.0.0.1')
    .replace('$host;', '$http_host;')
    .replace('server 127.0.0.1:3000', shops.map((shop) => `server 127.0.0.1:${shop}`).join(' max_fails=0;\n'))
  running.push(startNginx(emptyFolder(), http))
  return `http://127.0.0.1:${port}`
}

function order(origin: string, { token }: Buyers[number], partId: string) {
  return fetch(`${origin}/api/purchase`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...delivery, partId, quantity }),
  })
}

async function race(origin: string, admin: Admin, buyers: Buyers) {
  const possible = 17
  const stock = possible * quantity + quantity - 1
  const [partId] = await stockParts(admin, { count: 1, stock, quantity })
  const responses = await Promise.all(buyers.map((buyer) => order(origin, buyer, partId!)))
  const ordered = responses.filter(({ status }) => status === 201).length
  const [{ left }] = await rowsOf('select available_quantity as left from parts where id = $1', [partId])
  report(
    `${buyers.length} buyers: ${ordered} of ${possible} possible orders, ${left} units left`,
    ordered === possible && left === stock - possible * quantity,
  )
}

/** How many ms after the response both processes return the new price. */
async function changePrices(admin: Admin, origins: string[]) {
  const [part] = (await admin.listParts({ body: {} })).rows
  const { _id, availableQuantity: availableQuantityBefore, ...fields } = part!
  const delays: number[] = []
  for (let perUnitPrice = 1_000; perUnitPrice < 1_000 + changes; perUnitPrice++) {
    const change = {
      ...fields,
      perUnitPrice,
      availableQuantity: availableQuantityBefore,
      availableQuantityBefore,
    }
    await admin.updatePart({ params: { partId: _id }, body: change })
    const start = performance.now()
    for (const origin of origins)
      while ((await (await fetch(`${origin}/api/part/${_id}`)).json()).perUnitPrice !== perUnitPrice);
    delays.push(performance.now() - start)
  }
  report(
    `${changes} changes of a price: both show it after ${median(delays).toFixed(0)} ms, at most ${Math.max(...delays).toFixed(0)} ms`,
    Math.max(...delays) <= 100,
  )
}

async function killOne(origin: string, admin: Admin, buyers: Buyers, kill: () => void) {
  const partIds = await stockParts(admin, { count: 16, stock: plenty, quantity })
  const since = new Date()
  const acknowledged: string[] = []
  let [failed, afterwards, isKilled] = [0, 0, false]
  await Promise.all(
    partIds.map(async (partId, i) => {
      while (acknowledged.length < 1_000 && failed <= partIds.length) {
        const response = await order(origin, buyers[i]!, partId)
        if (response.status !== 201) failed += 1
        else acknowledged.push((await response.json())._id)
        if (isKilled) afterwards += 1
        else if (acknowledged.length > 500) {
          isKilled = true
          kill()
        }
      }
    }),
  )
  const [{ found, units, left }] = await rowsOf(
    `select (select count(*)::int from order_lines where id = any($1)) as found,
      (select sum(quantity)::int from order_lines join orders on orders.id = order_id where created_at >= $3) as units,
      (select sum(available_quantity)::int from parts where id = any($2)) as left`,
    [acknowledged, partIds, since],
  )
  report(
    `one process killed: ${found} of ${acknowledged.length} acknowledged orders found, ${failed} requests failed, ${afterwards} were served afterwards`,
    found === acknowledged.length && units + left === partIds.length * plenty && failed <= partIds.length,
  )
}

async function restart(origin: string, admin: Admin, buyers: Buyers, pid: number) {
  const partIds = await stockParts(admin, { count: 24, stock: plenty, quantity })
  let [requests, failed, restarts] = [0, 0, 0]
  const clients = partIds.map(async (partId, i) => {
    const paths = ['/', '/parts', `/parts?q=chain${i}`, `/api/part/${partId}`]
    while (requests < restartRequests) {
      const isOrder = requests++ % 5 === 4
      const path = paths[requests % paths.length]!
      const response = isOrder ? order(origin, buyers[i]!, partId) : fetch(origin + path)
      const isOk = await response.then(
        async (response) => response.ok && (await response.text()) !== '',
        () => false,
      )
      if (!isOk) failed += 1
      await wait(20)
    }
  })
  let isOver = false
  const restarting = (async () => {
    while (!isOver) {
      const before = childrenOf(pid)
      process.kill(pid, 'SIGUSR2')
      while (!isOver && childrenOf(pid).some((worker) => before.includes(worker))) await wait(100)
      if (!isOver) restarts += 1
    }
  })()
  await Promise.all(clients)
  isOver = true
  await restarting
  report(`${restarts} rolling restarts: ${failed} of ${requests} requests failed`, failed === 0)
}

async function rowsOf(query: string, values: unknown[]) {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any query
  return (await database.query(query, values)).rows as [any]
}

function report(line: string, isRight: boolean) {
  console.log(`${isRight ? 'ok' : 'WRONG'}: ${line}`)
  if (!isRight) process.exitCode = 1
}
