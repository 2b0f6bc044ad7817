import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { expect, test } from '@playwright/test'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import pg from 'pg'
import Stripe from 'stripe'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { deriveKey, readSecret } from '#server/secrets.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { findLedgerErrors } from '#test/ledger.ts'
import { demoFolder, freePort, signedIn } from '#test/process.ts'
import { demoOnServer, endShopsAfterEach, run } from './running.ts'

endShopsAfterEach()

type Client = Awaited<ReturnType<typeof signedIn>>
type Started = { orderId: string; clientSecret: string }

const stock = 1_000

async function stocked(admin: Client) {
  const { rows } = await admin.listParts({ body: { limit: 1 } })
  const { _id, ...part } = rows[0]!
  const body = { ...part, minQuantity: 1, availableQuantity: stock }
  await admin.updatePart({ params: { partId: _id }, body })
  return _id
}

/** Places an order and opens its payment. */
async function start(customer: Client, partId: string): Promise<Started> {
  const body = { address: '1 Hub Road', phoneNumber: '5550100', partId, quantity: 1 }
  const { _id: orderId, price } = await customer.placeOrder({ body })
  const { clientSecret } = await customer.startPayment({ body: { price, purchase: orderId } })
  return { orderId, clientSecret }
}

/** Types a card, as the browser does, and closes the browser: nothing is told to the shop. */
async function confirm(origin: string, { clientSecret }: Started) {
  const body = cardBody(clientSecret)
  const response = await fetch(`${origin}${confirmPath(clientSecret)}`, { method: 'POST', body })
  return response.status
}

async function unpaid(customer: Client, started: Started[]) {
  const { rows } = await customer.listMyOrders({ body: { email: demoCustomer.email } })
  const paid = new Set(rows.filter((order) => order.paid).map((order) => order._id))
  return started.filter(({ orderId }) => !paid.has(orderId))
}

async function expectAgreement(db: Parameters<typeof findLedgerErrors>[0], partId: string) {
  expect(await findLedgerErrors(db, { stocked: [[partId, stock]], resting: true })).toEqual([])
}

test('killed after cards have paid and before the shop knew, it finds every one of them paid', async () => {
  test.setTimeout(300_000)
  const DATA_DIR = demoFolder()
  const first = await run({ DATA_DIR })
  const partId = await stocked(await signedIn(first.origin, demoAdmin))
  const before = await signedIn(first.origin, demoCustomer)
  const started: Started[] = []
  for (let i = 0; i < 12; i++) started.push(await start(before, partId))

  // The first answer ends the process: of the others, some have paid and nobody was told.
  const answers = started.map((payment) => confirm(first.origin, payment).catch(() => 0))
  await Promise.race(answers)
  first.child.kill('SIGKILL')
  const statuses = await Promise.all(answers)
  const acknowledged = started.filter((_, i) => statuses[i] === 200)
  expect(acknowledged.length).toBeGreaterThan(0)

  const { origin, child, ended } = await run({ DATA_DIR })
  const customer = await signedIn(origin, demoCustomer)
  await expect
    .poll(() => unpaid(customer, acknowledged), { timeout: 180_000, intervals: [1_000] })
    .toEqual([])
  for (const payment of await unpaid(customer, started)) await confirm(origin, payment)
  await expect.poll(() => unpaid(customer, started), { timeout: 180_000, intervals: [1_000] }).toEqual([])
  child.kill('SIGTERM')
  await ended
  const database = await PGlite.create(join(DATA_DIR, 'postgres'), { extensions: { pg_trgm } })
  await expectAgreement(drizzleEmbedded(database), partId)
  await database.close()
})

test('with the database away for ten seconds while cards pay, nothing is lost and nothing is paid twice', async () => {
  test.setTimeout(300_000)
  const demo = await demoOnServer()
  const { DATA_DIR, DATABASE_URL } = demo
  const url = new URL(DATABASE_URL)
  const line = await cuttableLine(Number(url.port))
  try {
    url.port = String(line.port)
    const { origin } = await run({ ...demo, DATABASE_URL: url.href })
    const partId = await stocked(await signedIn(origin, demoAdmin))
    const customer = await signedIn(origin, demoCustomer)
    const started: Started[] = []
    for (let i = 0; i < 12; i++) started.push(await start(customer, partId))

    const pays = started.map((payment) => confirm(origin, payment).catch(() => 0))
    await Promise.race(pays)
    line.cut()
    const cutAt = Date.now()
    await Promise.all(pays)
    // People, browsers and the bank go on trying.
    while (Date.now() < cutAt + 10_000) {
      const refused = await customer.startPayment({ body: { price: 1 } }).catch((error) => error)
      expect(refused.status).toBe(503)
      expect(await confirm(origin, started[0]!)).toBe(500)
      expect(await notice(origin, DATA_DIR, started[0]!)).toBe(503)
      expect((await fetch(`${origin}/healthz`)).status).toBe(200)
      expect((await fetch(`${origin}/readyz`)).status).toBe(503)
    }
    line.mend()

    await expect.poll(async () => (await fetch(`${origin}/readyz`)).status, { timeout: 30_000 }).toBe(200)
    for (const payment of started) expect([200, 400]).toContain(await confirm(origin, payment))
    expect(await notice(origin, DATA_DIR, started[0]!)).toBe(200)
    await expect.poll(() => unpaid(customer, started), { timeout: 180_000, intervals: [1_000] }).toEqual([])
    const database = new pg.Client(DATABASE_URL)
    await database.connect()
    await expectAgreement(drizzlePostgres(database), partId)
    await database.end()
  } finally {
    line.cut()
    line.close()
  }
})

/** What the bank says of a payment that has succeeded, genuine and signed. */
async function notice(origin: string, DATA_DIR: string, { clientSecret }: Started) {
  const [id] = clientSecret.split('_secret_')
  const object = { id, object: 'payment_intent' }
  const type = 'payment_intent.succeeded'
  const body = JSON.stringify({ id: `evt_${id}`, object: 'event', api_version: null, type, data: { object } })
  const secret = `whsec_${Buffer.from(deriveKey(readSecret(DATA_DIR), 'bank')).toString('hex')}`
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret })
  const headers = { 'stripe-signature': signature }
  return (await fetch(`${origin}/payments/webhook`, { method: 'POST', headers, body })).status
}

/** A line to a server on this machine that can be cut and mended. */
async function cuttableLine(to: number) {
  const ends = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(to, '127.0.0.1')
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
      end.pipe(other)
    }
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    cut() {
      isCut = true
      for (const end of ends) end.destroy()
    },
    mend() {
      isCut = false
    },
    close: () => server.close(),
  }
}
