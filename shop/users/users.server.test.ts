import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { users } from '#db/schema.ts'
import type { Person } from '#shop/ports.ts'
import { clientOf, createUser, testApi, testShop } from '#test/shop.ts'
import { markConfirmed } from './confirmation.server.ts'
import { authenticate, revokeTokens, signIn } from './users.server.ts'

const minute = 60_000

/** Returns Ada with a new ID token; `age` is in milliseconds. */
function ada(change: Partial<Person> = {}, age = 0): Person {
  const issuedAt = new Date(Date.now() - age)
  const idToken = { id: crypto.randomUUID(), issuedAt, expiresAt: new Date(issuedAt.getTime() + 5 * minute) }
  return {
    issuer: 'test',
    subject: '1',
    email: 'Ada@Example.com',
    emailVerified: false,
    name: 'Ada',
    photoURL: null,
    idToken,
    ...change,
  }
}

test('the first sign-in creates a customer and returns a valid token', async () => {
  const shop = await testShop()
  const { token } = await signIn(shop, ada(), 'ada@example.com')
  expect(await authenticate(shop, token)).toMatchObject({
    email: 'ada@example.com',
    role: 'customer',
    name: 'Ada',
  })
})

test('a repeated sign-in keeps the user and its other sessions, and updates the name', async () => {
  const shop = await testShop()
  const verified = (name: string) => ada({ name, emailVerified: true })
  await Promise.all(Array.from({ length: 5 }, () => signIn(shop, verified('Ada'), ada().email)))
  const phone = await signIn(shop, verified('Ada'), ada().email)
  const [before] = await shop.db.select().from(users)
  expect(before!.emailConfirmedAt).not.toBeNull()
  const { token } = await signIn(shop, verified('Ada L.'), ada().email)
  for (const session of [token, phone.token])
    expect(await authenticate(shop, session)).toMatchObject({ name: 'Ada L.' })
  expect(await shop.db.select().from(users)).toEqual([
    { ...before!, name: 'Ada L.', version: before!.version + 1 },
  ])
})

test('signIn rejects another user’s email', async () => {
  const shop = await testShop()
  await createUser(shop, 'Admin', 'admin')
  await expect(signIn(shop, ada(), 'admin@example.com')).rejects.toMatchObject({ code: 'forbidden' })
})

test('signIn rejects a second identity with the same email', async () => {
  const shop = await testShop()
  await createUser(shop, 'Admin', 'admin')
  const attacker = ada({ email: 'admin@example.com', subject: 'another' })
  await expect(signIn(shop, attacker, attacker.email)).rejects.toMatchObject({ code: 'conflict' })
})

test('an ID token is exchanged once, even with concurrent requests', async () => {
  const shop = await testShop()
  const person = ada()
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => signIn(shop, person, person.email)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(signIn(shop, person, person.email)).rejects.toMatchObject({ code: 'unauthenticated' })
  await signIn(shop, ada(), person.email)
})

test('signOut revokes every access token of that user only', async () => {
  const shop = await testShop()
  const bob = await clientOf(shop, await createUser(shop, 'Bob'))
  const [phone, desk] = [await signIn(shop, ada(), ada().email), await signIn(shop, ada(), ada().email)]
  const member = (await authenticate(shop, desk.token))!
  const asAda = createClient(api, {
    origin: 'http://shop.test',
    token: () => desk.token,
    send: (request) => testApi(shop).fetch(request),
  })
  expect(await asAda.signOut({ params: { email: member.email } })).toEqual({ modifiedCount: 1 })
  expect(await authenticate(shop, phone.token)).toBeNull()
  expect(await authenticate(shop, desk.token)).toBeNull()
  await bob.readProfile({ params: { email: 'bob@example.com' } })
  const { token } = await signIn(shop, ada({}, -1_000), ada().email)
  expect(await authenticate(shop, token)).toMatchObject({ email: 'ada@example.com' })
})

test('signIn rejects an ID token issued before sign-out and accepts one issued after', async () => {
  const shop = await testShop()
  await signIn(shop, ada(), ada().email)
  await revokeTokens(shop, ada())
  const revoked = await shop.db.select().from(users)
  for (const emailVerified of [false, true]) {
    const before = ada({ name: 'Somebody else', emailVerified }, 1_000)
    await expect(signIn(shop, before, before.email)).rejects.toMatchObject({ code: 'unauthenticated' })
  }
  expect(await shop.db.select().from(users)).toEqual(revoked)
  await signIn(shop, ada({}, -1_000), ada().email)
})

test('signIn rejects an ID token issued at the moment of sign-out', async () => {
  const shop = await testShop()
  await signIn(shop, ada(), ada().email)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  await revokeTokens(shop, ada())
  await expect(signIn(shop, ada(), ada().email)).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('signIn accepts a new ID token after a sign-out at a time before which the clock was set back, but no older one', async () => {
  const shop = await testShop()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60 * 60 * 1000 })
  onTestFinished(() => void vi.useRealTimers())
  await signIn(shop, ada(), ada().email)
  const before = ada()
  await revokeTokens(shop, ada())
  vi.useRealTimers()
  await expect(signIn(shop, before, before.email)).rejects.toMatchObject({ code: 'unauthenticated' })
  await signIn(shop, ada(), ada().email)
})

test('makeAdmin takes effect immediately and rejects an unknown email', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const bob = await createUser(shop, 'Bob')
  const asBob = await clientOf(shop, bob)
  expect(await asBob.checkAdmin({ params: { email: bob.email } })).toEqual({ admin: false })
  expect(await admin.makeAdmin({ params: { email: 'BOB@example.com' } })).toEqual({ modifiedCount: 1 })
  expect(await admin.makeAdmin({ params: { email: bob.email } })).toEqual({ modifiedCount: 0 })
  expect(await asBob.checkAdmin({ params: { email: ' BOB@Example.com ' } })).toEqual({ admin: true })
  await expect(admin.makeAdmin({ params: { email: 'nobody@example.com' } })).rejects.toMatchObject({
    status: 404,
  })
  expect((await asBob.listUsers()).total).toBe(2)
})

test('makeAdmin rejects an unconfirmed email until it is confirmed', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const { email } = await createUser(shop, 'Bob', 'customer', { confirmed: false })
  await expect(admin.makeAdmin({ params: { email } })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('bob@example.com isn’t confirmed yet.'),
  })
  expect((await admin.listUsers()).rows).toMatchObject([
    { email, name: 'Bob', role: 'customer', emailConfirmedAt: null },
    { name: 'Admin', emailConfirmedAt: expect.any(String) },
  ])
  await markConfirmed(shop.db, email)
  expect(await admin.makeAdmin({ params: { email } })).toEqual({ modifiedCount: 1 })
  // An admin whose address has changed since stays one.
  await shop.db.update(users).set({ emailConfirmedAt: null }).where(eq(users.email, email))
  expect(await admin.makeAdmin({ params: { email } })).toEqual({ modifiedCount: 0 })
})

test('an unconfirmed user is not recalled, so that a confirmation takes effect at once', async () => {
  const shop = await testShop()
  const { token } = await signIn(shop, ada(), ada().email)
  const recalled = () => authenticate(shop, token, { mayRecall: true })
  expect(await recalled()).toMatchObject({ emailConfirmedAt: null })
  await shop.db.update(users).set({ emailConfirmedAt: new Date().toISOString() })
  expect(await recalled()).toMatchObject({ emailConfirmedAt: expect.any(String) })
})

test('removeAdmin takes effect immediately, even for existing tokens', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  const bob = await createUser(shop, 'Bob', 'admin')
  const asBob = await clientOf(shop, bob)
  await asBob.listUsers()
  expect(await admin.removeAdmin({ params: { email: bob.email } })).toEqual({ modifiedCount: 1 })
  await expect(asBob.listUsers()).rejects.toMatchObject({ status: 403 })
})

test('the last admin cannot be removed, even when two remove each other concurrently', async () => {
  const shop = await testShop()
  const one = await createUser(shop, 'One', 'admin')
  const two = await createUser(shop, 'Two', 'admin')
  const [asOne, asTwo] = [await clientOf(shop, one), await clientOf(shop, two)]
  await Promise.allSettled([
    asOne.removeAdmin({ params: { email: two.email } }),
    asTwo.removeAdmin({ params: { email: one.email } }),
  ])
  const left = (await shop.db.select().from(users)).filter((user) => user.role === 'admin')
  expect(left).toHaveLength(1)
  const last = await clientOf(shop, left[0]?.email === one.email ? one : two)
  const removal = last.removeAdmin({ params: { email: left[0]!.email } })
  await expect(removal).rejects.toMatchObject({ status: 409, message: 'You can’t remove the last admin.' })
})

test('listUsers supports search by name and email, role filter, sort and paging', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Admin', 'admin'))
  for (const name of ['Cleo', 'Ada', 'Bo_b']) await createUser(shop, name)
  await shop.db.update(users).set({ name: 'Countess' }).where(eq(users.email, 'ada@example.com'))
  await shop.db.update(users).set({ name: 'C\\eo' }).where(eq(users.email, 'cleo@example.com'))
  const found = async (body: Parameters<typeof admin.listUsers>[0]) =>
    (await admin.listUsers(body)).rows.map(({ email }) => email.split('@')[0])

  expect(await found({})).toEqual(['bo_b', 'ada', 'cleo', 'admin'])
  expect(await found({ body: { q: 'LEO@' } })).toEqual(['cleo'])
  expect(await found({ body: { q: 'countess' } })).toEqual(['ada'])
  expect(await found({ body: { q: '_' } })).toEqual(['bo_b'])
  expect(await found({ body: { q: 'c\\e' } })).toEqual(['cleo'])
  expect(await found({ body: { q: 'ÇÓUNT ÄDA@' } })).toEqual(['ada'])
  expect(await found({ body: { role: 'admin' } })).toEqual(['admin'])
  expect(await found({ body: { sort: 'email' } })).toEqual(['ada', 'admin', 'bo_b', 'cleo'])
  expect(await found({ body: { sort: '-role' } })).toEqual(['bo_b', 'ada', 'cleo', 'admin'])
  expect(await admin.listUsers({ body: { sort: 'added', limit: 2, page: 2 } })).toMatchObject({
    total: 4,
    rows: [{ email: 'ada@example.com' }, { email: 'bo_b@example.com' }],
  })
})
