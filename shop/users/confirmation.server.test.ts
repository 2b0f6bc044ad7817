import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  deliveryAddresses,
  emailConfirmations,
  orders as ordersTable,
  rateLimits,
  users,
} from '#db/schema.ts'
import { sendShippingEmails } from '#shop/orders/emails/shipping-emails.server.ts'
import { shipPurchase } from '#shop/orders/ship/shipments.server.ts'
import type { Person } from '#shop/ports.ts'
import { purgeExpired } from '#shop/purge.server.ts'
import { accessTokenOf, ada, browserAt, confirmationToken, sentEmails } from '#test/identity.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  type TestShop,
  testShop,
} from '#test/shop.ts'
import { confirmEmail, requestEmailConfirmation } from './confirmation.server.ts'
import type { Member } from './user.ts'
import { signIn } from './users.server.ts'

/** Ada has asked for a link. */
async function unconfirmedAda(options: { rateLimits?: boolean } = {}) {
  const shop = await testShop(options)
  const ada = await createUser(shop, 'Ada', 'customer', { confirmed: false })
  await requestEmailConfirmation(shop, ada)
  return { shop, ada, token: await confirmationToken(shop) }
}

async function isConfirmed(shop: TestShop, { _id }: { _id: string }) {
  const [user] = await shop.db.select().from(users).where(eq(users._id, _id))
  return user!.emailConfirmedAt !== null
}

function person(change: Partial<Person> = {}): Person {
  const issuedAt = new Date()
  return {
    issuer: 'test',
    subject: 'Ada',
    email: 'ada@example.com',
    emailVerified: false,
    name: 'Pay at evil',
    photoURL: null,
    idToken: { id: crypto.randomUUID(), issuedAt, expiresAt: new Date(issuedAt.getTime() + 300_000) },
    ...change,
  }
}

const dead = { code: 'invalid', message: expect.stringContaining('expired') }

test('registering sends one confirmation link, without the name that was typed', async () => {
  const shop = await testShop({ rateLimits: true })
  await Promise.all([1, 2, 3].map(() => signIn(shop, person(), person().email)))
  const emails = await sentEmails(shop)
  expect(emails).toMatchObject([{ recipient: 'ada@example.com', subject: 'Confirm your email address' }])
  expect(JSON.stringify(emails)).not.toContain('evil')
  const [user] = await shop.db.select().from(users)
  expect(await confirmEmail(shop, user!, await confirmationToken(shop))).toEqual({ modifiedCount: 1 })
})

test('a confirmation link works once, also under concurrent use, and only its hash is stored', async () => {
  const { shop, ada, token } = await unconfirmedAda()
  expect(JSON.stringify(await shop.db.select().from(emailConfirmations))).not.toContain(token)
  const results = await Promise.all([1, 2, 3].map(() => confirmEmail(shop, ada, token)))
  expect(results.map(({ modifiedCount }) => modifiedCount).sort()).toEqual([0, 0, 1])
  expect(await isConfirmed(shop, ada)).toBe(true)

  await shop.db.update(users).set({ emailConfirmedAt: null })
  await expect(confirmEmail(shop, ada, token)).rejects.toMatchObject(dead)
})

test('a confirmation link expires after 24 hours, and the hourly purge deletes it', async () => {
  const { shop, ada, token } = await unconfirmedAda()
  const [stored] = await shop.db.select().from(emailConfirmations)
  expect(Date.parse(stored!.expiresAt) - Date.now()).toBeCloseTo(24 * 3_600_000, -5)
  await purgeExpired(shop)
  expect(await shop.db.$count(emailConfirmations)).toBe(1)
  await shop.db.update(emailConfirmations).set({ expiresAt: new Date(Date.now() - 1).toISOString() })
  await expect(confirmEmail(shop, ada, token)).rejects.toMatchObject(dead)
  await purgeExpired(shop)
  expect(await shop.db.$count(emailConfirmations)).toBe(0)
})

test('a confirmation link of another account, or of an earlier address, confirms nothing', async () => {
  const { shop, ada, token } = await unconfirmedAda()
  const eve = await createUser(shop, 'Eve', 'customer', { confirmed: false })
  const other = { code: 'invalid', message: 'This link is for another account.' }
  await expect(confirmEmail(shop, eve, token)).rejects.toMatchObject(other)
  const bob = await createUser(shop, 'Bob')
  await expect(confirmEmail(shop, bob, token)).rejects.toMatchObject(other)
  await shop.db.update(users).set({ email: 'new@example.com' }).where(eq(users._id, ada._id))
  await expect(confirmEmail(shop, ada, token)).rejects.toMatchObject(dead)
  await shop.db.update(users).set({ email: ada.email }).where(eq(users._id, eve._id))
  await expect(confirmEmail(shop, eve, token)).rejects.toMatchObject(other)
  expect([await isConfirmed(shop, ada), await isConfirmed(shop, eve)]).toEqual([false, false])
})

test('a changed address is unconfirmed again', async () => {
  const shop = await testShop()
  const ada = await createUser(shop, 'Ada')
  await shop.db.update(users).set({ name: 'Ada L.', email: ada.email })
  expect(await isConfirmed(shop, ada)).toBe(true)
  await shop.db.update(users).set({ email: 'new@example.com' })
  expect(await isConfirmed(shop, ada)).toBe(false)
})

test('a new confirmation link replaces the earlier one, and a confirmed address gets none', async () => {
  const { shop, ada, token } = await unconfirmedAda()
  await requestEmailConfirmation(shop, ada)
  await expect(confirmEmail(shop, ada, token)).rejects.toMatchObject(dead)
  const client = await clientOf(shop, ada)
  const params = { email: ada.email }
  expect((await client.readProfile({ params })).emailConfirmedAt).toBeNull()
  await client.confirmEmail({ params, body: { token: await confirmationToken(shop) } })
  expect((await client.readProfile({ params })).emailConfirmedAt).not.toBeNull()
  await expect(client.requestEmailConfirmation({ params })).rejects.toMatchObject({
    status: 409,
    message: 'Your email address is already confirmed.',
  })
  expect(await sentEmails(shop)).toHaveLength(2)
})

test('an account whose address the identity provider vouches for, and no other, is confirmed without what somebody else left in it', async () => {
  const shop = await testShop()
  await signIn(shop, person(), 'ada@example.com')
  const older = person()
  older.idToken.issuedAt = new Date(Date.now() - 1_000)
  const [ada] = await shop.db.select().from(users)
  await (await orders(shop, ada!))()
  const before = await clientOf(shop, ada!)
  expect(await shop.db.$count(deliveryAddresses)).toBe(1)
  await shop.db.update(ordersTable).set({ shortHoldUntil: new Date(Date.now() + 60_000).toISOString() })
  const another = person({ emailVerified: true, email: 'other@example.com' })
  await signIn(shop, another, another.email)
  expect(await isConfirmed(shop, ada!)).toBe(false)
  expect(await shop.db.select().from(ordersTable)).toMatchObject([{ shortHoldUntil: expect.any(String) }])
  await signIn(shop, person({ emailVerified: true }), 'ada@example.com')
  expect(await isConfirmed(shop, ada!)).toBe(true)
  const [{ shortHoldUntil }] = (await shop.db.select().from(ordersTable)) as [typeof ordersTable.$inferSelect]
  expect(Date.parse(shortHoldUntil!)).toBeLessThanOrEqual(Date.now())
  expect(await shop.db.$count(deliveryAddresses)).toBe(0)
  await expect(before.listMyOrders({ body: { email: ada!.email } })).rejects.toMatchObject({ status: 401 })
  await expect(signIn(shop, older, older.email)).rejects.toMatchObject({ code: 'unauthenticated' })

  const bob = person({ subject: 'Bob', email: 'bob@example.com', emailVerified: true })
  await signIn(shop, bob, bob.email)
  const [, registered] = await shop.db.select().from(users).orderBy(users.number)
  expect(await isConfirmed(shop, registered!)).toBe(true)
  expect((await sentEmails(shop)).map(({ recipient }) => recipient)).toEqual(Array(2).fill('ada@example.com'))
})

test('an unconfirmed address gets three emails a day, and a confirmed one more', async () => {
  const { shop, ada } = await unconfirmedAda({ rateLimits: true })
  const client = await clientOf(shop, ada)
  const params = { email: ada.email }
  const placePurchase = await orders(shop, ada)
  for (let i = 0; i < 4; i++) await placePurchase()
  expect(await sentEmails(shop)).toHaveLength(3)
  const request = () => client.requestEmailConfirmation({ params })
  await expect(request()).rejects.toMatchObject({ status: 429, message: expect.stringContaining('24 hours') })

  await shop.db.update(rateLimits).set({ expire: new Date(Date.now() - 1) })
  await request()
  await confirmEmail(shop, ada, await confirmationToken(shop))
  for (let i = 0; i < 4; i++) await placePurchase()
  expect(await sentEmails(shop)).toHaveLength(4 + 4)
})

test('emails to variants of an address do not count as emails to it, and one network causes six of them a day', async () => {
  const shop = await testShop({ rateLimits: true })
  const registerFrom = async (network: string, email: string) => {
    await signIn(shop, person({ email, subject: email }), email, network)
    const [user] = await shop.db.select().from(users).where(eq(users.email, email))
    const request = () => requestEmailConfirmation(shop, user!, network)
    return (await Promise.allSettled([request(), request(), request()])).map(({ status }) => status)
  }
  const emailsTo = async (email: string) =>
    (await sentEmails(shop)).filter(({ recipient }) => recipient === email).length
  const [stranger, wider] = ['2001:db8:1:1:0::/64', '2001:db8:1:2:0::/64']
  const variants = ['a.nnlee@gmail.com', 'ANNLEE+1@googlemail.com', 'annl.ee@gmail.com', 'annlee@gmail.com']
  for (const [i, variant] of variants.entries())
    await registerFrom(i % 2 ? wider : stranger, variant.toLowerCase())
  expect(await Promise.all(variants.map((variant) => emailsTo(variant.toLowerCase())))).toEqual([3, 3, 0, 0])
  expect(await registerFrom('192.0.2.7', 'ann.lee@gmail.com')).toContain('rejected')
  expect(await emailsTo('ann.lee@gmail.com')).toBe(3)

  for (const email of ['a.nnlee@example.com', 'annlee@example.com', 'annlee@example.org']) {
    await registerFrom(stranger, email)
    expect(await emailsTo(email), email).toBe(3)
  }
})

test('an unconfirmed customer gets the emails of a paid and of a shipped order, whatever was sent before', async () => {
  const { shop, ada } = await unconfirmedAda({ rateLimits: true })
  const placePurchase = await orders(shop, ada)
  const placed = [await placePurchase(), await placePurchase(), await placePurchase()]
  expect(await sentEmails(shop)).toHaveLength(3)
  const order = await payOrderByCard(shop, ada, placed[2]!)
  await shipPurchase(shop, await createUser(shop, 'Admin', 'admin'), order._id)
  await sendShippingEmails(shop, Date.now() + 60_000)
  const toAda = (await sentEmails(shop)).filter(({ recipient }) => recipient === ada.email)
  expect(toAda.slice(3).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('Invoice for order'),
    expect.stringContaining('shipped'),
  ])
})

test('password resets are not counted among the three emails', async () => {
  const shop = await testShop({ rateLimits: true })
  const browser = await browserAt(shop).register()
  const requestReset = () => browser.post('/request-password-reset', { email: ada.email })
  for (let i = 0; i < 3; i++) await requestReset()
  await accessTokenOf(shop, browser)
  const [user] = await shop.db.select().from(users)
  const placePurchase = await orders(shop, user!)
  for (let i = 0; i < 3; i++) await placePurchase()
  await requestReset()
  const subjects = (await sentEmails(shop)).map(({ subject }) => subject)
  expect(subjects.filter((subject) => subject === 'Set a new password')).toHaveLength(4)
  expect(subjects).toHaveLength(4 + 3)
})

test('emails to an unconfirmed address have no text that the customer typed, and the first order asks to confirm', async () => {
  const shop = await testShop()
  const customer = await createUser(shop, 'Zorro', 'customer', { confirmed: false })
  const admin = await createUser(shop, 'Admin', 'admin')
  const placePurchase = await orders(shop, customer)
  const order = await payOrderByCard(shop, customer, await placePurchase())
  await shipPurchase(shop, admin, order._id)
  await sendShippingEmails(shop, Date.now() + 60_000)
  await placePurchase()
  const emails = (await sentEmails(shop)).filter(({ recipient }) => recipient === customer.email)
  expect(emails.map(({ subject }) => subject.split(' ').slice(0, 2).join(' '))).toEqual([
    ...['Your order', 'Invoice for', 'Order #1001', 'Your order'],
  ])
  for (const { subject, body, html } of emails) {
    expect(body).toMatch(/^Hello,\n/)
    expect(subject + body + html).not.toMatch(/Zorro|Hub Road|5550100/)
  }
  expect(emails.map(({ body }) => body.includes('/confirm-email?token='))).toEqual([
    true,
    false,
    false,
    false,
  ])
  await confirmEmail(shop, customer, await confirmationToken(shop))
  await shipPurchase(shop, admin, order._id, false)
  expect((await sentEmails(shop)).at(-1)!.body).toMatch(/^Hello Zorro,\n/)
})

/** Returns a function that places an order of a part of its own. */
async function orders(shop: TestShop, buyer: Member) {
  const part = await createPart(shop, { availableQuantity: 500 })
  const client = await clientOf(shop, buyer)
  return () => client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
}
