import { like, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import { rateLimits } from '#db/schema.ts'
import { markConfirmed } from '#shop/users/confirmation.server.ts'
import {
  accessTokenOf,
  ada,
  browserAt,
  exchangeIdToken,
  expectAnswer,
  resetCode,
  sentEmails,
  shopWithBrowser,
  statusWithToken,
} from '#test/identity.ts'
import { testShop } from '#test/shop.ts'

const { verification } = identityTables
const newPassword = 'secret-2'

async function requestedReset() {
  const { shop, browser } = await shopWithBrowser()
  await browser.post('/request-password-reset', { email: ada.email })
  return { shop, browser, token: await resetCode(shop) }
}

test('a password reset sends a link that sets a new password', async () => {
  const { shop, token } = await requestedReset()
  const [email] = await sentEmails(shop)
  expect(email).toMatchObject({ recipient: ada.email, subject: 'Set a new password' })
  const url = `http://shop.test/reset-password?token=${token}`
  expect(email!.body).toContain(url)
  expect(email!.actions).toEqual([{ label: 'Set a new password', url }])

  const otherBrowser = browserAt(shop)
  expect((await otherBrowser.post('/reset-password', { token, newPassword })).status).toBe(200)
  expect((await otherBrowser.signIn(ada.password)).status).toBe(401)
  expect((await otherBrowser.signIn(newPassword)).status).toBe(200)
})

test('an unconfirmed address gets at most five password resets a day, and a confirmed one more', async () => {
  const shop = await testShop({ rateLimits: true })
  const browser = browserAt(shop)
  await browser.register()
  await accessTokenOf(shop, browser)
  const request = async () => {
    // Five an hour are allowed to anybody.
    await shop.db.delete(rateLimits).where(like(rateLimits.key, 'identity:reset:of:%'))
    return (await browserAt(shop).post('/request-password-reset', { email: ada.email })).status
  }
  const resets = async () =>
    (await sentEmails(shop)).filter(({ subject }) => subject.includes('password')).length
  for (let i = 0; i < 7; i++) expect(await request()).toBe(200)
  expect(await resets()).toBe(5)
  await markConfirmed(shop.db, ada.email)
  for (let i = 0; i < 2; i++) expect(await request()).toBe(200)
  expect(await resets()).toBe(7)
})

test('password resets for variants of an unconfirmed address leave its own', async () => {
  const shop = await testShop({ rateLimits: true })
  const resetsOf = async (email: string) => {
    await browserAt(shop).register({ ...ada, email })
    for (let i = 0; i < 5; i++) await browserAt(shop).post('/request-password-reset', { email })
    return (await sentEmails(shop)).filter(({ recipient }) => recipient === email).length
  }
  expect(await resetsOf('annl.ee@gmail.com')).toBe(5)
  expect(await resetsOf('ann.lee@gmail.com')).toBe(5)
})

test('a network can request ten password resets a day for all variants of a mailbox', async () => {
  const shop = await testShop({ rateLimits: true })
  const request = async (email: string, clientAddress = '192.0.2.1') =>
    (await browserAt(shop, { clientAddress }).post('/request-password-reset', { email })).status
  for (const i of [1, 2])
    for (let n = 0; n < 5; n++) expect(await request(`ann.lee+${i}@gmail.com`)).toBe(200)
  expect(await request('annlee@googlemail.com')).toBe(429)
  expect(await request('annlee@googlemail.com', '198.51.100.7')).toBe(200)
  expect(await request('ann.lee@example.com')).toBe(200)
})

test('a password reset for an unknown email gets the same response as for a known one', async () => {
  const { shop } = await shopWithBrowser()
  const [known, unknown] = await Promise.all(
    [ada.email, 'bob@example.com'].map((email) => browserAt(shop).post('/request-password-reset', { email })),
  )
  expect(known!.status).toBe(200)
  expect([unknown!.status, await unknown!.text()]).toEqual([200, await known!.text()])
  expect([...unknown!.headers]).toEqual([...known!.headers])
  expect((await sentEmails(shop)).map(({ recipient }) => recipient)).toEqual([ada.email])
})

test('a password reset ends every session and revokes every token', async () => {
  const { shop, browser, token } = await requestedReset()
  const accessToken = await accessTokenOf(shop, browser)
  const idToken = await browser.idToken()
  await browserAt(shop).post('/reset-password', { token, newPassword })
  expect((await browser.get('/token')).status).toBe(401)
  expect((await exchangeIdToken(shop, idToken)).status).toBe(401)
  expect(await statusWithToken(shop, accessToken)).toBe(401)
})

test('a sign-in whose password is reset while it is verified gets no session', async () => {
  const { shop } = await requestedReset()
  const bob = await browserAt(shop).register({ ...ada, email: 'bob@example.com' })
  await shop.db.execute(sql`create function reset_password() returns trigger language plpgsql as
    $$ begin update ${identityTables.account} set password = 'new'; return null; end $$`)
  await shop.db.execute(sql`create trigger reset_meanwhile after insert on ${identityTables.session}
    for each statement execute function reset_password()`)
  const response = await browserAt(shop).signIn()
  await shop.db.execute(sql`drop function reset_password cascade`)
  expect([response.status, (await response.json()).code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD'])
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(await shop.db.$count(identityTables.session)).toBe(1)
  expect((await bob.get('/token')).status).toBe(200)
})

test('a password reset ends no session, token or reset link of another account', async () => {
  const { shop, token } = await requestedReset()
  const bob = await browserAt(shop).register({ ...ada, email: 'bob@example.com' })
  const accessToken = await accessTokenOf(shop, bob)
  await bob.post('/request-password-reset', { email: 'bob@example.com' })
  const bobsToken = await resetCode(shop)
  expect((await browserAt(shop).post('/reset-password', { token, newPassword })).status).toBe(200)
  expect((await bob.get('/token')).status).toBe(200)
  expect(await statusWithToken(shop, accessToken)).toBe(200)
  const bobs = await browserAt(shop).post('/reset-password', { token: bobsToken, newPassword: 'secret-3' })
  expect(bobs.status).toBe(200)
  expect((await browserAt(shop).signIn(newPassword)).status).toBe(200)
})

test('a password reset revokes an access token whose session no longer exists', async () => {
  const { shop, browser, token } = await requestedReset()
  const accessToken = await accessTokenOf(shop, browser)
  await shop.db.delete(identityTables.session)
  await browserAt(shop).post('/reset-password', { token, newPassword })
  expect(await statusWithToken(shop, accessToken)).toBe(401)
})

test('a reset link works once, also under concurrent use', async () => {
  const { shop, token } = await requestedReset()
  const check = (token: string) => browserAt(shop).post('/check-reset-link', { token })
  expect([(await check(token)).status, (await check('made-up')).status]).toEqual([200, 400])
  for (const body of [null, {}, { token: { toString: 1 } }, { token: [token] }, { token: 7 }])
    expect((await browserAt(shop).post('/check-reset-link', body as never)).status).toBe(400)
  const use = (newPassword: string) => browserAt(shop).post('/reset-password', { token, newPassword })
  const answers = await Promise.all(['secret-2', 'secret-3', 'secret-4'].map(use))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect((await check(token)).status).toBe(400)
  const message =
    'This link has expired or was already used. If you just set a password with it, sign in with that password.'
  await expectAnswer(await use('secret-5'), 400, message)
})

test('checking a reset link says whether the account is unconfirmed', async () => {
  const { shop, browser, token } = await requestedReset()
  await exchangeIdToken(shop, await browser.idToken())
  const check = async () => (await browserAt(shop).post('/check-reset-link', { token })).json()
  expect(await check()).toMatchObject({ email: ada.email, isUnconfirmed: true })
  await markConfirmed(shop.db, ada.email)
  expect(await check()).toMatchObject({ isUnconfirmed: false })
})

test('a password reset invalidates all earlier reset links', async () => {
  const { shop, browser, token } = await requestedReset()
  await browser.post('/request-password-reset', { email: ada.email })
  const newer = await resetCode(shop)
  expect(newer).not.toBe(token)
  expect((await browser.post('/reset-password', { token: newer, newPassword })).status).toBe(200)
  expect((await browser.post('/reset-password', { token, newPassword: 'secret-3' })).status).toBe(400)
  expect((await browser.signIn(newPassword)).status).toBe(200)
})

test('the reset email contains no user-supplied text', async () => {
  const shop = await testShop()
  await browserAt(shop).register({ ...ada, name: 'Pay at https://evil.example' })
  await browserAt(shop).post('/request-password-reset', { email: ada.email })
  const [email] = await sentEmails(shop)
  expect(JSON.stringify(email)).not.toContain('evil')
})

test('a reset link expires after 24 hours', async () => {
  const { shop, token } = await requestedReset()
  const [stored] = await shop.db.select().from(verification)
  expect(stored!.expiresAt.getTime() - stored!.createdAt.getTime()).toBeCloseTo(24 * 3600 * 1000, -5)
  await shop.db.update(verification).set({ expiresAt: sql`now() - interval '1 second'` })
  expect((await browserAt(shop).post('/check-reset-link', { token })).status).toBe(400)
  const expired = await browserAt(shop).post('/reset-password', { token, newPassword })
  await expectAnswer(expired, 400, expect.stringContaining('has expired'))
  expect((await browserAt(shop).signIn()).status).toBe(200)
})

test('the stored reset record cannot be used as a token', async () => {
  const { shop, token } = await requestedReset()
  const [stored] = await shop.db.select().from(verification)
  expect(JSON.stringify(stored)).not.toContain(token)
  for (const stolen of [stored!.identifier, stored!.identifier.replace('reset-password:', ''), stored!.id]) {
    const refused = await browserAt(shop).post('/reset-password', { token: stolen, newPassword })
    expect(refused.status).toBe(400)
  }
})

test('a new password of invalid length does not consume the reset link', async () => {
  const { shop, token } = await requestedReset()
  for (const newPassword of ['12345', 'x'.repeat(129)])
    expect((await browserAt(shop).post('/reset-password', { token, newPassword })).status).toBe(400)
  expect((await browserAt(shop).post('/reset-password', { token, newPassword })).status).toBe(200)
})

test('a password reset rejects a redirectTo to another site', async () => {
  const { shop, browser } = await requestedReset()
  for (const redirectTo of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    const refused = await browser.post('/request-password-reset', { email: ada.email, redirectTo })
    expect(refused.status, redirectTo).toBe(403)
  }
  expect(await sentEmails(shop)).toHaveLength(1)
})
