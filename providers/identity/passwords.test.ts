import { hash } from '@node-rs/argon2'
import { hashPassword as hashWithBetterAuth } from 'better-auth/crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import { ada, browserAt, expectAnswer, resetCode, shopWithBrowser } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

const { account } = identityTables

test('hashPassword returns a salted Argon2id hash with its cost', async () => {
  const [one, other] = await Promise.all([hashPassword('secret-1'), hashPassword('secret-1')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(one).not.toBe(other)
  expect(await verifyPassword({ hash: one, password: 'secret-1' })).toBe(true)
  expect(await verifyPassword({ hash: one, password: 'secret-2' })).toBe(false)
  // As another keyboard may write them: decomposed, and with a ligature.
  const [accented, ligature] = ['Caf\u00e9 fin', 'Cafe\u0301 \ufb01n']
  expect(await verifyPassword({ hash: await hashPassword(accented!), password: ligature! })).toBe(true)
  expect(await verifyPassword({ hash: await hashPassword(ligature!), password: accented! })).toBe(true)
})

test('verifyPassword accepts a hash with another cost', async () => {
  const cheap = await hash('secret-1', { memoryCost: 8, timeCost: 1, parallelism: 1 })
  expect(await verifyPassword({ hash: cheap, password: 'secret-1' })).toBe(true)
  expect(await verifyPassword({ hash: cheap, password: 'secret-2' })).toBe(false)
})

test('a password hashed by an earlier version still signs in', async () => {
  const { shop } = await shopWithBrowser()
  const password = await hashWithBetterAuth(ada.password)
  await shop.db.update(account).set({ password })
  expect((await browserAt(shop).signIn('secret-2')).status).toBe(401)
  expect((await browserAt(shop).signIn()).status).toBe(200)
})

test('hashing does not block the event loop', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  // More than one, because a busy machine may not run this thread during the first.
  for (let hashes = 0; hashes < 20 && turns === 0; hashes++) await hashPassword('secret-1')
  clearInterval(timer)
  expect(turns).toBeGreaterThan(0)
})

test('passwords have 6 to 128 characters', async () => {
  const shop = await testShop()
  const lengths = { 5: 400, 6: 200, 128: 200, 129: 400 }
  const normalize = vi.spyOn(String.prototype, 'normalize')
  for (const [length, status] of Object.entries(lengths)) {
    const person = { ...ada, email: `${length}@example.com`, password: 'x'.repeat(Number(length)) }
    expect((await browserAt(shop).post('/sign-up/email', person)).status, length).toBe(status)
  }
  expect((await browserAt(shop).signIn('x'.repeat(129))).status).toBe(400)
  // Its time grows with the square of the length.
  expect(normalize.mock.contexts.filter((text) => String(text).length > 128)).toEqual([])
  expect(normalize).toHaveBeenCalled()
  normalize.mockRestore()
})

test('registration and password reset reject a common password, in any case, and keep the reset link usable', async () => {
  const { shop, browser } = await shopWithBrowser()
  await browser.post('/request-password-reset', { email: ada.email })
  const token = await resetCode(shop)
  for (const common of ['123456', 'Password1', 'BASEBALL', '\uff50assword']) {
    const answers = [
      await browser.post('/sign-up/email', { ...ada, email: 'bob@example.com', password: common }),
      await browser.post('/sign-up/email', { ...ada, password: common, newPassword: 'secret-2' }),
      await browser.post('/reset-password', { token, newPassword: common }),
    ]
    for (const answer of answers)
      await expectAnswer(answer, 400, 'This password is too common. Choose another one.', common)
  }
  expect((await browser.post('/reset-password', { token, newPassword: 'secret-2' })).status).toBe(200)
})

test('a wrong password, an unknown email and an account without a password get the same response', async () => {
  const { shop } = await shopWithBrowser()
  await browserAt(shop).register({ ...ada, email: 'social@example.com' })
  const { user } = identityTables
  const [social] = await shop.db.select().from(user).where(eq(user.email, 'social@example.com'))
  await shop.db.delete(account).where(and(eq(account.userId, social!.id)))

  const wrong = await browserAt(shop).signIn('secret-2')
  const answer = await wrong.text()
  expect(wrong.status).toBe(401)
  for (const email of ['bob@example.com', 'social@example.com']) {
    const unknown = await browserAt(shop).signIn('secret-2', email)
    expect([unknown.status, await unknown.text()], email).toEqual([401, answer])
  }
})
