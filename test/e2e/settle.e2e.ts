import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { expect, test } from '@playwright/test'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import pg from 'pg'
import Stripe from 'stripe'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { deriveKey, readSecret } from '#server/config/secrets.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { createSignedInClient, demoFolder } from '#test/process.ts'
import { demoEnvOnPostgres, startShop, stopShopsAfterEach } from './running.ts'

stopShopsAfterEach()

type Client = Awaited<ReturnType<typeof createSignedInClient>>
type Payment = { orderId: string; clientSecret: string }

const stock = 100_000

async function createStock(admin: Client) {
  const { rows } = await admin.listParts({ body: { limit: 1 } })
  const { _id, ...part } = rows[0]!
  const body = {
    ...part,
    minQuantity: 1,
    availableQuantity: stock,
    availableQuantityBefore: part.availableQuantity,
  }
  await admin.updatePart({ params: { partId: _id }, body })
  return _id
}

function orderOf(partId: string) {
  return { address: '1 Hub Road', phoneNumber: '5550100', partId, quantity: 1 }
}

async function startPayment(customer: Client, partId: string): Promise<Payment> {
  const { _id: orderId, price } = await customer.placePurchase({ body: orderOf(partId) })
  const { clientSecret } = await customer.startPayment({ body: { price, purchase: orderId } })
  return { orderId, clientSecret }
}

/** Confirms the card payment like the browser does, without telling the shop. */
async function confirmAtBank(origin: string, { clientSecret }: Payment) {
  const body = cardBody(clientSecret)
  const response = await fetch(`${origin}${confirmPath(clientSecret)}`, { method: 'POST', body })
  return response.status
}

async function unpaidOf(customer: Client, payments: Payment[]) {
  const rows = await listAllPurchases(customer)
  const paid = new Set(rows.filter((order) => order.paid).map((order) => order._id))
  return payments.filter(({ orderId }) => !paid.has(orderId))
}

async function expectConsistentLedger(db: Parameters<typeof findLedgerErrors>[0], partId: string) {
  expect(await findLedgerErrors(db, { stocked: [[partId, stock]], settled: true })).toEqual([])
}

/** Places orders until a request fails, and records each idempotency key and acknowledged order. */
async function placeOrdersUntilFailure(
  client: Client,
  partId: string,
  acknowledged: string[],
  keys: string[],
) {
  for (;;) {
    const key = crypto.randomUUID()
    keys.push(key)
    try {
      const order = await client.placePurchase({ body: orderOf(partId), key })
      acknowledged.push(order._id)
    } catch {
      return
    }
  }
}

/** A list holds at most 100. */
async function listAllPurchases(client: Client) {
  const all: Awaited<ReturnType<Client['listMyPurchases']>>['rows'] = []
  for (let page = 1; ; page++) {
    const { rows, total } = await client.listMyPurchases({ body: { email: demoCustomer.email, page } })
    all.push(...rows)
    if (rows.length === 0 || all.length >= total) return all
  }
}

test('after a SIGKILL during orders and card payments, every acknowledged order exists and every paid one is marked as paid', async () => {
  const DATA_DIR = demoFolder()
  const first = await startShop({ DATA_DIR })
  const partId = await createStock(await createSignedInClient(first.origin, demoAdmin))
  const before = await createSignedInClient(first.origin, demoCustomer)
  const payments: Payment[] = []
  for (let i = 0; i < 12; i++) payments.push(await startPayment(before, partId))

  // The process is killed after the first payment and some orders, while others are in flight.
  const [placed, keys]: [string[], string[]] = [[], []]
  const orders = Array.from({ length: 8 }, () => placeOrdersUntilFailure(before, partId, placed, keys))
  await expect.poll(() => placed.length).toBeGreaterThan(20)
  const responses = payments.map((payment) => confirmAtBank(first.origin, payment).catch(() => 0))
  await Promise.race(responses)
  first.child.kill('SIGKILL')
  const statuses = await Promise.all(responses)
  await Promise.all(orders)
  const acknowledged = payments.filter((_, i) => statuses[i] === 200)
  expect(acknowledged.length).toBeGreaterThan(0)

  const { origin, child, exited } = await startShop({ DATA_DIR })
  const customer = await createSignedInClient(origin, demoCustomer)
  const rows = await listAllPurchases(customer)
  const known = new Set(rows.map((order) => order._id))
  expect(placed.filter((id) => !known.has(id))).toEqual([])
  const ordered = rows.reduce((sum, order) => sum + order.quantity, 0)
  const { availableQuantity } = await customer.readPart({ params: { partId } })
  expect(availableQuantity + ordered).toBe(stock)
  // A retry creates each unanswered order exactly once.
  for (const key of keys) await customer.placePurchase({ body: orderOf(partId), key })
  expect(await listAllPurchases(customer)).toHaveLength(keys.length + payments.length)

  await expect
    .poll(() => unpaidOf(customer, acknowledged), { timeout: 180_000, intervals: [1_000] })
    .toEqual([])
  for (const payment of await unpaidOf(customer, payments)) await confirmAtBank(origin, payment)
  await expect.poll(() => unpaidOf(customer, payments), { timeout: 180_000, intervals: [1_000] }).toEqual([])
  child.kill('SIGTERM')
  await exited
  const database = await PGlite.create(join(DATA_DIR, 'postgres'), { extensions: { pg_trgm } })
  await expectConsistentLedger(drizzleEmbedded(database), partId)
  await database.close()
})

test('a database outage of ten seconds during card payments loses nothing and pays nothing twice', async () => {
  const demo = await demoEnvOnPostgres()
  const { DATA_DIR, DATABASE_URL } = demo
  const url = new URL(DATABASE_URL)
  const proxy = await createProxy(Number(url.port))
  try {
    url.port = String(proxy.port)
    const { origin } = await startShop({ ...demo, DATABASE_URL: url.href })
    const partId = await createStock(await createSignedInClient(origin, demoAdmin))
    const customer = await createSignedInClient(origin, demoCustomer)
    const payments: Payment[] = []
    for (let i = 0; i < 12; i++) payments.push(await startPayment(customer, partId))

    const responses = payments.map((payment) => confirmAtBank(origin, payment).catch(() => 0))
    await Promise.race(responses)
    proxy.cut()
    const cutAt = Date.now()
    await Promise.all(responses)
    const failAll = async () => {
      const error = await customer.startPayment({ body: { price: 1 } }).catch((error) => error)
      expect(error.status).toBe(503)
      expect(await confirmAtBank(origin, payments[0]!)).toBe(503)
      expect(await sendWebhook(origin, DATA_DIR, payments[0]!)).toBe(503)
      expect((await fetch(`${origin}/healthz`)).status).toBe(200)
      expect((await fetch(`${origin}/readyz`)).status).toBe(503)
      return Date.now() - cutAt
    }
    await expect.poll(failAll, { timeout: 180_000, intervals: [500] }).toBeGreaterThan(10_000)
    proxy.restore()

    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(200)
    for (const payment of payments) expect([200, 400]).toContain(await confirmAtBank(origin, payment))
    expect(await sendWebhook(origin, DATA_DIR, payments[0]!)).toBe(200)
    await expect
      .poll(() => unpaidOf(customer, payments), { timeout: 180_000, intervals: [1_000] })
      .toEqual([])
    const database = new pg.Client(DATABASE_URL)
    await database.connect()
    await expectConsistentLedger(drizzlePostgres(database), partId)
    await database.end()
  } finally {
    proxy.cut()
    proxy.close()
  }
})

/** Sends a validly signed webhook event for a successful payment. */
async function sendWebhook(origin: string, DATA_DIR: string, { clientSecret }: Payment) {
  const [id] = clientSecret.split('_secret_')
  const object = { id, object: 'payment_intent' }
  const type = 'payment_intent.succeeded'
  const body = JSON.stringify({ id: `evt_${id}`, object: 'event', api_version: null, type, data: { object } })
  const secret = `whsec_${Buffer.from(deriveKey(readSecret(DATA_DIR), 'bank')).toString('hex')}`
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret })
  const headers = { 'stripe-signature': signature }
  return (await fetch(`${origin}/payments/webhook`, { method: 'POST', headers, body })).status
}

/** A TCP proxy to a local port that can be cut and restored. */
async function createProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(targetPort, '127.0.0.1')
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => peer.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        peer.destroy()
      })
      socket.pipe(peer)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    restore() {
      isCut = false
    },
    close: () => server.close(),
  }
}
