import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import { users } from '#db/schema.ts'
import type { Person } from '#shop/ports.ts'
import { ada as account, browserAt } from '#test/identity.ts'
import { loseRace } from '#test/locks.ts'
import { clientOf, createUser, testShop } from '#test/shop.ts'
import { requestEmailConfirmation } from './confirmation.server.ts'
import { makeAdmin, removeAdmin, signIn } from './users.server.ts'

async function setup() {
  const shop = await testShop()
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  return { shop, ada, boss, client: await clientOf(shop, ada), admin: await clientOf(shop, boss) }
}

const rejections = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
const results = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))

test('of two admins who remove each other, the loser is told that the last admin stays', async () => {
  const { shop, boss } = await setup()
  const other = await createUser(shop, 'Other', 'admin')
  const outcomes = await loseRace(
    shop,
    (tx) => tx.update(users).set({ role: 'customer' }).where(eq(users._id, other._id)),
    [() => removeAdmin(shop, other, boss.email)],
  )
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { code: 'conflict', message: 'You can’t remove the last admin.' } },
  ])
  expect(await removeAdmin(shop, boss, other.email)).toEqual({ modifiedCount: 0 })
})

test('an address that changes while its user is made an admin makes no admin', async () => {
  const { shop, ada, boss } = await setup()
  const outcomes = await loseRace(
    shop,
    (tx) => tx.update(users).set({ email: 'new@example.com' }).where(eq(users._id, ada._id)),
    [() => makeAdmin(shop, boss, ada.email)],
  )
  expect(outcomes).toMatchObject([{ value: { modifiedCount: 0 } }])
  expect(await shop.db.$count(users, eq(users.role, 'admin'))).toBe(1)
})

test('promoting and demoting at once counts each change once and fails for nobody', async () => {
  const { shop, ada, admin } = await setup()
  const params = { email: ada.email }
  const counts = (changes: { modifiedCount: number }[]) =>
    changes.map(({ modifiedCount }) => modifiedCount).sort()
  expect(counts(await Promise.all([1, 2, 3].map(() => admin.makeAdmin({ params }))))).toEqual([0, 0, 1])
  expect(counts(await Promise.all([1, 2, 3].map(() => admin.removeAdmin({ params }))))).toEqual([0, 0, 1])
  await Promise.all([admin.makeAdmin({ params }), admin.removeAdmin({ params }), admin.makeAdmin({ params })])
  expect(await shop.db.$count(users, sql`role = 'admin'`)).toBeGreaterThan(0)
})

test('of two accounts with one new email, the loser is told to sign in the other way', async () => {
  const { shop } = await setup()
  const person = (subject: string): Person => {
    const issuedAt = new Date()
    const idToken = { id: crypto.randomUUID(), issuedAt, expiresAt: new Date(Date.now() + 300_000) }
    return {
      issuer: 'test',
      subject,
      name: subject,
      email: 'new@example.com',
      emailVerified: true,
      photoURL: null,
      idToken,
    }
  }
  const outcomes = await Promise.allSettled(
    ['one', 'two', 'three'].map((subject) => signIn(shop, person(subject), 'new@example.com')),
  )
  expect(results(outcomes)).toHaveLength(1)
  expect(rejections(outcomes)).toMatchObject(
    Array(2).fill({
      code: 'conflict',
      message: 'This email address is registered with another sign-in method. Use that one instead.',
    }),
  )
})

test('of two registrations with one email, the loser is told that it exists', async () => {
  const shop = await testShop()
  const now = new Date()
  const times = { createdAt: now, updatedAt: now }
  const winner = { id: 'winner', name: 'Eve', email: account.email, emailVerified: false, ...times }
  const [outcome] = await loseRace(shop, (tx) => tx.insert(identityTables.user).values(winner), [
    () => browserAt(shop).post('/sign-up/email', account),
  ])
  const [answer] = results([outcome!]) as Response[]
  expect([answer!.status, (await answer!.json()).message]).toEqual([
    422,
    'User already exists. Use another email.',
  ])
})

test('a link that is requested while the address is confirmed is refused with words', async () => {
  const { shop } = await setup()
  const member = await createUser(shop, 'Bob', 'customer', { confirmed: false })
  const outcomes = await loseRace(
    shop,
    (tx) =>
      tx.update(users).set({ emailConfirmedAt: new Date().toISOString() }).where(eq(users._id, member._id)),
    [() => requestEmailConfirmation(shop, member)],
  )
  expect(outcomes).toMatchObject([
    { reason: { code: 'conflict', message: 'Your email address is already confirmed.' } },
  ])
})

test('first saves of a profile at once fail for nobody', async () => {
  const { client, ada } = await setup()
  const body = {
    education: 'Mechanic',
    address: '1 Hub Road',
    phoneNumber: '1',
    linkedIn: 'https://a.example/',
  }
  const saved = await Promise.all(
    [1, 2, 3].map(() => client.updateProfile({ params: { email: ada.email }, body })),
  )
  expect(saved).toEqual(Array(3).fill({ modifiedCount: 1 }))
})
