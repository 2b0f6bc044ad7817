import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { ApiError } from '#api/client.ts'
import type { Database } from '#db/schema.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { createSignedInClient, demoFolder, emptyFolder, type RunningShop } from '#test/process.ts'
import {
  betweenRequests,
  demoEnvOnPostgres,
  newDatabase,
  runCommand,
  startShop,
  stopShops,
  stopShopsAfterEach,
} from './running.ts'

stopShopsAfterEach()

const [stock, buyers, quantity] = [1_000_000, 4, 10]

interface Busy {
  partId: string
  acknowledged: string[]
  stop(): Promise<void>
}

/** Buyers place orders and pay them, one after another. */
async function openBusyShop(shop: RunningShop): Promise<Busy> {
  const { origin } = shop
  const admin = await createSignedInClient(origin, demoAdmin)
  const { rows } = await admin.listParts({ body: { limit: 1 } })
  const { _id: partId, availableQuantity: availableQuantityBefore, ...part } = rows[0]!
  const rules = { minQuantity: quantity, multiple: 1, availableQuantity: stock, availableQuantityBefore }
  await admin.updatePart({ params: { partId }, body: { ...part, ...rules } })

  const customer = await createSignedInClient(origin, demoCustomer)
  const acknowledged: string[] = []
  let isDone = false
  /** On a busy machine the test bank may not answer in time, and the shop may close an idle connection that is about to be used. */
  async function untilAnswered<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call()
    } catch (error) {
      const isRunning = shop.child.exitCode === null && shop.child.signalCode === null
      if (!(isRunning && error instanceof ApiError && [0, 503].includes(error.status))) throw error
      return untilAnswered(call)
    }
  }
  async function confirmAtBank(clientSecret: string) {
    const request = { method: 'POST', body: cardBody(clientSecret) }
    const { status } = await fetch(origin + confirmPath(clientSecret), request).catch(() => ({ status: 0 }))
    // Repeated then; the bank refuses to confirm what it has confirmed.
    if (status === 0 || status >= 500) throw new ApiError(503, 'The bank isn’t responding.')
  }
  const buying = Array.from({ length: buyers }, async () => {
    while (!isDone) {
      const delivery = { address: '1 Hub Road', phoneNumber: '5550100' }
      const key = crypto.randomUUID()
      const order = await untilAnswered(() =>
        customer.placePurchase({ body: { ...delivery, partId, quantity }, key }),
      )
      acknowledged.push(order._id)
      const body = { price: order.price, purchase: order._id }
      const { clientSecret } = await untilAnswered(() => customer.startPayment({ body }))
      await untilAnswered(() => confirmAtBank(clientSecret))
      const [transactionId = ''] = clientSecret.split('_secret_')
      await untilAnswered(() => customer.payPurchase({ params: { id: order._id }, body: { transactionId } }))
      await betweenRequests()
    }
  })
  await expect.poll(() => acknowledged.length, { timeout: 900_000 }).toBeGreaterThan(5)
  return {
    partId,
    acknowledged,
    async stop() {
      isDone = true
      await Promise.all(buying)
    },
  }
}

async function run(env: Record<string, string>, ...args: string[]) {
  const { stdout, ...result } = await runCommand(env, ...args)
  expect(result).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** Returns the orders that were acknowledged before it. */
async function backUpBusyShop(env: Record<string, string>, file: string, busy: Busy) {
  const before = [...busy.acknowledged]
  await run(env, 'server/commands/backup.ts', file)
  await busy.stop()
  expect(busy.acknowledged.length).toBeGreaterThan(before.length)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  return before
}

async function checkRestored(url: string, { partId, acknowledged }: Busy, before: string[]) {
  const pool = new pg.Pool({ connectionString: url })
  try {
    const { rows } = await pool.query('select id from orders')
    const ids = new Set(rows.map(({ id }) => id))
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    expect([...ids].filter((id) => !acknowledged.includes(id))).toEqual([])
    const db = drizzle(pool) as unknown as Database
    expect(await findLedgerErrors(db, { stocked: [[partId, stock]], settled: false })).toEqual([])
  } finally {
    await pool.end()
  }
}

test('a backup of a busy embedded shop restores into Postgres, where the shop goes on', async () => {
  const env = { DATA_DIR: demoFolder() }
  const busy = await openBusyShop(await startShop(env))
  const file = join(emptyFolder(), 'backup.tar.zst')
  const before = await backUpBusyShop(env, file, busy)
  // The shop deletes its copy.
  await expect.poll(() => readdirSync(env.DATA_DIR)).not.toContain('snapshot')
  await stopShops()

  const restored = { DATA_DIR: emptyFolder(), DATABASE_URL: await newDatabase(), DEMO: 'on' }
  await run(restored, 'server/commands/restore.ts', file)
  await checkRestored(restored.DATABASE_URL, busy, before)

  const shop = await startShop(restored)
  expect(shop.output()).not.toContain('missing')
  const customer = await createSignedInClient(shop.origin, demoCustomer)
  const { partId } = busy
  const body = { address: '1 Hub Road', phoneNumber: '5550100', partId, quantity }
  expect(await customer.placePurchase({ body })).toHaveProperty('_id')
  const { image } = await customer.readPart({ params: { partId } })
  expect((await fetch(shop.origin + image)).status).toBe(200)
})

test('a backup of a busy shop on Postgres restores into the embedded engine, and its data moves to another server', async () => {
  const env = await demoEnvOnPostgres()
  const busy = await openBusyShop(await startShop(env))
  const file = join(emptyFolder(), 'backup.tar.zst')
  const before = await backUpBusyShop(env, file, busy)

  const restored = { DATA_DIR: emptyFolder() }
  await run(restored, 'server/commands/restore.ts', file)
  expect(readFileSync(join(restored.DATA_DIR, 'secret'))).toEqual(readFileSync(join(env.DATA_DIR, 'secret')))
  const url = await newDatabase()
  const output = await run(restored, 'server/commands/move-data.ts', '--to', url)
  expect(output).toMatch(/Equal in both databases:.* public\.orders\n.*Moved to 127\.0\.0\.1/s)
  await checkRestored(url, busy, before)
})
