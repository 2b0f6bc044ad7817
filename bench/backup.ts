// How long a backup and a restore of 100,000 orders take on both engines, what memory they need, and how long requests that need the
// database wait meanwhile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { demoCustomer } from '#db/seed/accounts.ts'
import { startPostgres } from '#test/postgres.ts'
import { createSignedInClient, emptyFolder, runShop } from '#test/process.ts'
import { growShop } from './grow.ts'

const orders = Number(process.argv[3] ?? 100_000)

const server = await startPostgres({ durable: true })
try {
  const onServer = {
    DATA_DIR: emptyFolder(),
    DATABASE_URL: await server.createDatabase('shop'),
    DEMO: 'on',
    RATE_LIMITS: 'off',
  }
  const shop = await runShop(onServer, [])
  await growShop(onServer.DATABASE_URL, 0, orders)
  const file = join(emptyFolder(), 'server.tar.zst')
  await measureBackup('Postgres', shop, onServer, file)
  shop.child.kill('SIGINT')
  await shop.exited

  const restored = {
    ...onServer,
    DATA_DIR: emptyFolder(),
    DATABASE_URL: await server.createDatabase('restored'),
  }
  await measure('restore on Postgres', restored, 'server/commands/restore.ts', file)
  const embedded = { DATA_DIR: emptyFolder(), RATE_LIMITS: 'off' }
  await measure('restore on the embedded engine', embedded, 'server/commands/restore.ts', file)
  const other = await runShop(embedded, [])
  await measureBackup('embedded', other, embedded, join(emptyFolder(), 'embedded.tar.zst'))
  other.child.kill('SIGINT')
  await other.exited
} finally {
  await server.stop()
}

type Shop = Awaited<ReturnType<typeof runShop>>

/** One customer orders all the time. */
async function measureBackup(name: string, { origin }: Shop, env: Record<string, string>, file: string) {
  const customer = await createSignedInClient(origin, demoCustomer)
  const { rows } = await customer.listParts({ body: { limit: 100 } })
  const part = rows.find(({ availableQuantity, minQuantity }) => availableQuantity > 50 * minQuantity)!
  const times: number[] = []
  let isDone = false
  const ordering = (async () => {
    const delivery = { address: '4 Canal Street', phoneNumber: '01709876543' }
    while (!isDone) {
      const start = performance.now()
      const body = { ...delivery, partId: part._id, quantity: part.minQuantity }
      // Refused for lack of stock as slowly as placed.
      await customer.placePurchase({ body }).catch(() => {})
      times.push(performance.now() - start)
    }
  })()
  await measure(`backup of ${orders} orders on ${name}`, env, 'server/commands/backup.ts', file)
  isDone = true
  await ordering
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(0)
  console.log(
    `  ${(statSync(file).size / 2 ** 20).toFixed(1)} MB; ${times.length} orders meanwhile: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, slowest ${at(1)} ms`,
  )
}

async function measure(name: string, env: Record<string, string>, ...args: string[]) {
  const start = performance.now()
  const script = `process.on('exit', () => console.error('used', process.cpuUsage().user, process.resourceUsage().maxRSS))`
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(script)}`, ...args],
    {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let printed = ''
  child.stderr.on('data', (text) => (printed += text))
  const [code] = await once(child, 'exit')
  const [, cpu, memory] = /used (\d+) (\d+)/.exec(printed) ?? []
  if (code !== 0 || !cpu) throw new Error(printed)
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  console.log(
    `${name}: ${seconds} s, of which its process computes ${(Number(cpu) / 1e6).toFixed(1)} s; ${Math.round(Number(memory) / 1024)} MB`,
  )
}
