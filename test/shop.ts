import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { onTestFinished, vi } from 'vitest'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { handlers } from '#api/handlers.ts'
import { createApi } from '#api/server.ts'
import { brand } from '#app/brand.ts'
import { orderLines, orders, parts, pictures, users } from '#db/schema.ts'
import { embeddedIdentity } from '#providers/identity/embedded.ts'
import { createDownload } from '#providers/images/download.ts'
import { folderStore } from '#providers/images/folder.ts'
import { storedImages } from '#providers/images/stored.ts'
import { embeddedMail } from '#providers/mail/embedded.ts'
import { prometheusMetrics } from '#providers/metrics/prometheus.ts'
import { embeddedPayments } from '#providers/payments/embedded.ts'
import { defaultSettings } from '#server/settings.ts'
import { accessChecks } from '#shop/access.server.ts'
import { createOrderBatches } from '#shop/orders/place/write.server.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Download, Payments, Shop, VatRegister } from '#shop/ports.ts'
import { createSettingsMemory } from '#shop/settings/settings-memory.server.ts'
import { claimUnconfirmed } from '#shop/users/claim.server.ts'
import { signToken } from '#shop/users/tokens.server.ts'
import type { Member } from '#shop/users/user.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { emptyTestDatabase } from '#test/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-images-'))

interface Options extends Pick<Parameters<typeof embeddedIdentity>[0], 'google' | 'github'> {
  rateLimits?: boolean
  holdHours?: number
  timeZone?: string
  testMode?: boolean
  download?: Download
}

const testSettings = defaultSettings({
  ...brand,
  contact: {
    address: '19 Millrace Road, Port Aldery',
    country: 'US',
    phone: '+1 555 010 1992',
    email: 'hello@wingedwheels.example',
  },
})

/** An empty shop with a real database and the embedded providers; nothing is mocked. */
export async function testShop({
  rateLimits = false,
  holdHours = 72,
  timeZone = 'UTC',
  download = createDownload(),
  ...identity
}: Options = {}) {
  const db = await emptyTestDatabase()
  const origins: [string] = ['http://shop.test']
  const settings = createSettingsMemory(db, testSettings)
  const mail = embeddedMail(db, {
    name: 'Winged Wheels',
    address: 'hello@wingedwheels.example',
    get texts() {
      return settings.current.mails
    },
  })
  const secret = 'x'.repeat(64)
  const shop = {
    db,
    identity: embeddedIdentity({
      db,
      mail,
      rateLimits,
      secret,
      origins,
      imageOrigin: null,
      testMode: true,
      ...identity,
      claimAccount: (person) => claimUnconfirmed(self, person),
    }),
    payments: embeddedPayments(db, { secret: 'bank' }),
    images: storedImages(folderStore(folder)),
    download,
    mail,
    metrics: prometheusMetrics({ pages: ['content/home'] }),
    vatRegister: null as VatRegister | null,
    origin: origins[0],
    partNumberPrefix: 'WW-',
    firstInvoiceNumber: 1001,
    settings,
    imageOrigin: null,
    secret: new Uint8Array(32).fill(7),
    rateLimits,
    timeZone,
    holdHours,
    holdLimits: { share: 10, value: 5_000 },
    orderBatches: createOrderBatches(db),
    settling: new Map(),
  }
  const self: Shop = shop
  return shop
}
export type TestShop = Awaited<ReturnType<typeof testShop>>

/** For tests that must not cross the end of a period, such as that of a payment's idempotency key. */
export function stopClock() {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
}

export async function createPart(shop: TestShop, part: Partial<typeof parts.$inferInsert> = {}) {
  const texts = {
    shortDescription: 'Twelve-speed',
    description: 'Runs quietly.',
    brand: 'Talon',
    category: 'Chains',
  }
  const numbers = { minQuantity: 10, availableQuantity: 50, perUnitPrice: 7 }
  const image = '/images/chain.webp'
  await shop.db.insert(pictures).values({ url: image }).onConflictDoNothing()
  const [row] = await shop.db
    .insert(parts)
    .values({ name: 'Chain', ...texts, ...numbers, image, ...part })
    .returning()
  return row!
}

export async function readStock(shop: TestShop, part: { _id: string }) {
  const [row] = await shop.db.select().from(parts).where(sql`${parts._id} = ${part._id}`)
  return row!.availableQuantity
}

/** Copies an order, by default the first, and its line; returns the copies’ ids. */
export async function copyOrder({ db }: TestShop, count: number, id?: string) {
  const [order] = await db
    .select()
    .from(orders)
    .where(id ? eq(orders._id, id) : undefined)
  const [line] = await db.select().from(orderLines).where(eq(orderLines.orderId, order!._id))
  const { number, ...copy } = order!
  const ids = Array.from({ length: count }, () => crypto.randomUUID())
  await db.insert(orders).values(ids.map((_id) => ({ ...copy, _id })))
  await db.insert(orderLines).values(ids.map((_id) => ({ ...line!, _id, orderId: _id })))
  return ids
}

export async function createUser(
  shop: TestShop,
  name: string,
  role: Member['role'] = 'customer',
  { confirmed = true } = {},
): Promise<Member> {
  const email = `${name.toLowerCase()}@example.com`
  const emailConfirmedAt = confirmed ? new Date().toISOString() : null
  const [row] = await shop.db
    .insert(users)
    .values({ issuer: 'test', subject: name, email, name, role, emailConfirmedAt })
    .returning()
  return { ...row!, role, photoURL: null }
}

export function testApi(shop: TestShop) {
  return createApi(api, handlers(shop), {
    access: accessChecks(shop),
    limits: shop,
    clientAddress: () => '192.0.2.1',
  })
}

export async function clientOf(shop: TestShop, member?: Member) {
  const app = testApi(shop)
  const token = member ? await signToken(shop, 'access', { _id: member._id, tokenVersion: 0 }) : null
  return createClient(api, {
    origin: 'http://shop.test',
    token: () => token,
    send: (request) => app.fetch(request),
  })
}

export const purchase = { address: '1 Hub Road', phoneNumber: '5550100' }

export const billing = { name: 'Ada', email: 'ada@example.com' }

export async function payByCard(shop: TestShop, clientSecret: string, number = '4242424242424242') {
  const [id] = clientSecret.split('_secret_')
  const body = cardBody(clientSecret, { number, billing })
  const url = `http://shop.test${confirmPath(clientSecret)}`
  const response = await shop.payments.fetch(new Request(url, { method: 'POST', body }))
  return { id: id!, status: response.status, response: await response.json() }
}

export function withPayments(shop: TestShop, change: Partial<Payments>): TestShop {
  return { ...shop, payments: { ...shop.payments, ...change } }
}

export async function payOrderByCard(shop: TestShop, owner: Member, order: Purchase) {
  const client = await clientOf(shop, owner)
  const { clientSecret } = await client.startPayment({ body: { price: order.price, purchase: order._id } })
  const { id } = await payByCard(shop, clientSecret)
  return client.payPurchase({ params: { id: order._id }, body: { transactionId: id } })
}
