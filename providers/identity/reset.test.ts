import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import { accessTokenOf, ada, browserAt, callWith, exchange, resetCode, sentEmails } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'

const { verification } = identityTables
const newPassword = 'secret-2'

/** Somebody with an account who has asked for a new password, and what is in their letter. */
async function asked() {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  await browser.post('/request-password-reset', { email: ada.email })
  return { shop, browser, token: await resetCode(shop) }
}

test('whoever forgot their password gets a letter with a link, and chooses another one', async () => {
  const { shop, token } = await asked()
  const [letter] = await sentEmails(shop)
  expect(letter).toMatchObject({ recipient: ada.email, subject: 'Choose a new password' })
  expect(letter!.body).toContain(`http://shop.test/reset-password?token=${token}`)
  expect(letter!.html).toContain(`href="http://shop.test/reset-password?token=${token}"`)

  const elsewhere = browserAt(shop)
  expect((await elsewhere.post('/reset-password', { token, newPassword })).status).toBe(200)
  expect((await elsewhere.signIn(ada.password)).status).toBe(401)
  expect((await elsewhere.signIn(newPassword)).status).toBe(200)
})

test('a known and an unknown address get the same answer', async () => {
  const shop = await testShop()
  await browserAt(shop).register()
  const [known, unknown] = await Promise.all(
    [ada.email, 'bob@example.com'].map((email) => browserAt(shop).post('/request-password-reset', { email })),
  )
  expect(known!.status).toBe(200)
  expect([unknown!.status, await unknown!.text()]).toEqual([200, await known!.text()])
  expect([...unknown!.headers]).toEqual([...known!.headers])
  expect((await sentEmails(shop)).map(({ recipient }) => recipient)).toEqual([ada.email])
})

test('a new password ends every session and every token of before', async () => {
  const { shop, browser, token } = await asked()
  const accessToken = await accessTokenOf(shop, browser)
  const idToken = await browser.idToken()
  await browserAt(shop).post('/reset-password', { token, newPassword })
  expect((await browser.get('/token')).status).toBe(401)
  expect((await exchange(shop, idToken)).status).toBe(401)
  expect(await callWith(shop, accessToken)).toBe(401)
})

test('a new password ends an access token whose session has ended by itself', async () => {
  const { shop, browser, token } = await asked()
  const accessToken = await accessTokenOf(shop, browser)
  await shop.db.delete(identityTables.session)
  await browserAt(shop).post('/reset-password', { token, newPassword })
  expect(await callWith(shop, accessToken)).toBe(401)
})

test('a link is good once, also when it is used twice at the same moment', async () => {
  const { shop, token } = await asked()
  const use = (newPassword: string) => browserAt(shop).post('/reset-password', { token, newPassword })
  const answers = await Promise.all(['secret-2', 'secret-3', 'secret-4'].map(use))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  const again = await use('secret-5')
  expect([again.status, (await again.json()).message]).toEqual([
    400,
    'This link was used already, or is too old. If you have just set a password with it, please log in with that one.',
  ])
})

test('once a new password is set, no other link that was mailed before is good', async () => {
  const { shop, browser, token } = await asked()
  await browser.post('/request-password-reset', { email: ada.email })
  const newer = await resetCode(shop)
  expect(newer).not.toBe(token)
  expect((await browser.post('/reset-password', { token: newer, newPassword })).status).toBe(200)
  expect((await browser.post('/reset-password', { token, newPassword: 'secret-3' })).status).toBe(400)
  expect((await browser.signIn(newPassword)).status).toBe(200)
})

test('a letter says nothing that somebody else has written', async () => {
  const shop = await testShop()
  await browserAt(shop).register({ ...ada, name: 'Pay at https://evil.example' })
  await browserAt(shop).post('/request-password-reset', { email: ada.email })
  const [letter] = await sentEmails(shop)
  expect(letter!.body + letter!.html).not.toContain('evil')
})

test('a link is good for one hour', async () => {
  const { shop, token } = await asked()
  const [kept] = await shop.db.select().from(verification)
  expect(kept!.expiresAt.getTime() - kept!.createdAt.getTime()).toBeCloseTo(3600 * 1000, -3)
  await shop.db.update(verification).set({ expiresAt: sql`now() - interval '1 second'` })
  const late = await browserAt(shop).post('/reset-password', { token, newPassword })
  expect([late.status, (await late.json()).message]).toEqual([400, expect.stringContaining('too old')])
  expect((await browserAt(shop).signIn()).status).toBe(200)
})

test('what is kept of a link opens nothing', async () => {
  const { shop, token } = await asked()
  const [kept] = await shop.db.select().from(verification)
  expect(JSON.stringify(kept)).not.toContain(token)
  for (const stolen of [kept!.identifier, kept!.identifier.replace('reset-password:', ''), kept!.id]) {
    const refused = await browserAt(shop).post('/reset-password', { token: stolen, newPassword })
    expect(refused.status).toBe(400)
  }
})

test('a new password of the wrong length leaves the link as it is', async () => {
  const { shop, token } = await asked()
  for (const newPassword of ['12345', 'x'.repeat(129)])
    expect((await browserAt(shop).post('/reset-password', { token, newPassword })).status).toBe(400)
  expect((await browserAt(shop).post('/reset-password', { token, newPassword })).status).toBe(200)
})

test('a link leads nowhere but to the shop’s own page', async () => {
  const { shop, browser } = await asked()
  for (const redirectTo of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    const refused = await browser.post('/request-password-reset', { email: ada.email, redirectTo })
    expect(refused.status, redirectTo).toBe(403)
  }
  expect(await sentEmails(shop)).toHaveLength(1)
})
