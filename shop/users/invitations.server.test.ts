import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { adminInvitations, auditLog, users } from '#db/schema.ts'
import { markConfirmed } from '#shop/users/confirmation.server.ts'
import { clientOf, createUser, type TestShop, testShop } from '#test/shop.ts'
import { createConfirmationUrl } from './confirmation.server.ts'

const over = { status: 404, message: expect.stringContaining('Ask for a new one.') }

async function setup() {
  const shop = await testShop()
  const [boss, eve] = [await createUser(shop, 'Boss', 'admin'), await createUser(shop, 'Eve', 'admin')]
  const admin = await clientOf(shop, boss)
  const invite = async (email: string, by = admin) => {
    await by.inviteAdmin({ body: { email } })
    return readToken(shop, email)
  }
  return { shop, boss, eve, admin, invite }
}

/** Of the latest email. */
async function readToken(shop: TestShop, email: string) {
  const { rows } = await shop.mail.read({ q: email })
  const [latest] = rows.filter(({ to }) => to === email)
  return /invitation\?token=([\w-]+)/.exec(latest!.text)![1]!
}

async function roleOf({ db }: TestShop, { _id }: { _id: string }) {
  const [user] = await db.select().from(users).where(eq(users._id, _id))
  return user!.role
}

async function joining(shop: TestShop, name: string, confirmed: boolean) {
  const member = await createUser(shop, name, 'customer', { confirmed })
  const client = await clientOf(shop, member)
  const accept = (token: string) =>
    client.acceptInvitation({ params: { email: member.email }, body: { token } })
  return { member, client, accept }
}

test('the link of an invitation makes the confirmed account with its address an admin, once', async () => {
  const { shop, boss, admin, invite } = await setup()
  const ada = await joining(shop, 'Ada', true)
  const token = await invite('ada@example.com')
  expect(await (await clientOf(shop)).readInvitation({ body: { token } })).toEqual({
    email: 'ada@example.com',
  })
  expect(await admin.listInvitations()).toMatchObject([{ email: 'ada@example.com', by: 'Boss' }])
  expect(await ada.accept(token)).toEqual({ outcome: 'admin' })
  expect(await roleOf(shop, ada.member)).toBe('admin')
  expect(await admin.listInvitations()).toEqual([])

  await admin.removeAdmin({ params: { email: 'ada@example.com' } })
  await expect(ada.accept(token)).rejects.toMatchObject(over)
  await expect((await clientOf(shop)).readInvitation({ body: { token } })).rejects.toMatchObject(over)
  const entries = await shop.db.select().from(auditLog).orderBy(auditLog.number)
  expect(entries.map(({ action, byName }) => [action, byName])).toEqual([
    ['inviteAdmin', boss.name],
    ['acceptInvitation', 'Ada'],
    ['removeAdmin', boss.name],
  ])
  await expect(admin.inviteAdmin({ body: { email: boss.email } })).rejects.toMatchObject({ status: 409 })
})

test('an unconfirmed account becomes an admin only once its address is confirmed', async () => {
  const { shop, invite } = await setup()
  // Somebody has registered the address first, or the link was forwarded.
  const ada = await joining(shop, 'Ada', false)
  const token = await invite('ada@example.com')
  expect(await ada.accept(token)).toEqual({ outcome: 'waiting' })
  expect(await roleOf(shop, ada.member)).toBe('customer')
  const url = await shop.db.transaction((tx) => createConfirmationUrl(shop, tx, ada.member))
  const body = { token: new URL(url).searchParams.get('token')! }
  await ada.client.confirmEmail({ params: { email: ada.member.email }, body })
  expect(await roleOf(shop, ada.member)).toBe('admin')
})

test('a confirmed address makes nobody an admin whose account has not opened the link', async () => {
  const { shop, invite } = await setup()
  const ada = await joining(shop, 'Ada', false)
  const token = await invite('ada@example.com')
  const url = await shop.db.transaction((tx) => createConfirmationUrl(shop, tx, ada.member))
  const body = { token: new URL(url).searchParams.get('token')! }
  await ada.client.confirmEmail({ params: { email: ada.member.email }, body })
  expect(await roleOf(shop, ada.member)).toBe('customer')
  expect(await ada.accept(token)).toEqual({ outcome: 'admin' })
})

test('the link is for the account with its address alone', async () => {
  const { shop, invite } = await setup()
  await joining(shop, 'Ada', true)
  const mallory = await joining(shop, 'Mallory', true)
  const token = await invite('ada@example.com')
  await expect(mallory.accept(token)).rejects.toMatchObject({ status: 403 })
  await expect(mallory.accept(`${token}x`)).rejects.toMatchObject(over)
  expect(await roleOf(shop, mallory.member)).toBe('customer')
  const [stored] = await shop.db.select().from(adminInvitations)
  expect(JSON.stringify(stored)).not.toContain(token)
})

test('another invitation of the same address replaces the link, also when both are sent at once', async () => {
  const { shop, eve, admin, invite } = await setup()
  const ada = await joining(shop, 'Ada', true)
  const first = await invite('ada@example.com')
  const other = await clientOf(shop, eve)
  const body = { email: 'Ada@Example.com' }
  await Promise.all([admin.inviteAdmin({ body }), other.inviteAdmin({ body })])
  expect(await admin.listInvitations()).toHaveLength(1)
  await expect(ada.accept(first)).rejects.toMatchObject(over)
})

test('an invitation is over when it is withdrawn, when it expires and when its sender is no admin', async () => {
  const { shop, eve, admin, invite } = await setup()
  const ada = await joining(shop, 'Ada', true)
  const expectOver = async (token: string) => {
    await expect(ada.accept(token)).rejects.toMatchObject(over)
    expect(await admin.listInvitations()).toEqual([])
    expect(await roleOf(shop, ada.member)).toBe('customer')
  }
  const withdrawn = await invite('ada@example.com')
  const id = (await admin.listInvitations())[0]!._id
  expect(await admin.withdrawInvitation({ params: { id } })).toEqual({ deletedCount: 1 })
  expect(await admin.withdrawInvitation({ params: { id } })).toEqual({ deletedCount: 0 })
  await expectOver(withdrawn)

  const expired = await invite('ada@example.com')
  const past = new Date(Date.now() - 1_000).toISOString()
  await shop.db.update(adminInvitations).set({ expiresAt: past })
  await expectOver(expired)

  const orphaned = await invite('ada@example.com', await clientOf(shop, eve))
  await admin.removeAdmin({ params: { email: eve.email } })
  await expectOver(orphaned)
  // Not even when the sender is an admin again.
  await admin.makeAdmin({ params: { email: eve.email } })
  await expectOver(orphaned)
})

test('nobody becomes an admin by an invitation while its sender is being removed', async () => {
  const { shop, eve, admin, invite } = await setup()
  const ada = await joining(shop, 'Ada', true)
  const token = await invite('ada@example.com', await clientOf(shop, eve))
  const [accepted] = await Promise.allSettled([
    ada.accept(token),
    admin.removeAdmin({ params: { email: eve.email } }),
  ])
  const entries = await shop.db.select().from(auditLog).orderBy(auditLog.number)
  const actions = entries.map(({ action }) => action).slice(1)
  // Whichever came first, an acceptance never follows the removal.
  expect(actions).toEqual(
    accepted.status === 'fulfilled' ? ['acceptInvitation', 'removeAdmin'] : ['removeAdmin'],
  )
})

test('an address that the provider vouches for needs the link to be opened once more', async () => {
  const { shop, invite } = await setup()
  const ada = await joining(shop, 'Ada', false)
  const token = await invite('ada@example.com')
  await ada.accept(token)
  await markConfirmed(shop.db, ada.member.email)
  expect(await roleOf(shop, ada.member)).toBe('customer')
  expect(await ada.accept(token)).toEqual({ outcome: 'admin' })
})
