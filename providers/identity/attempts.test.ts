import { like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rateLimits } from '#db/schema.ts'
import { ada, browserAt, resetCode } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'

async function expectToWait(response: Response, minutes: number) {
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan((minutes - 1) * 60)
  expect((await response.json()).message).toContain(`try again in ${minutes} minutes`)
}

test('after ten wrong passwords an account is asked to wait, and right ones do not count', async () => {
  const shop = await testShop({ rateLimits: true })
  await browserAt(shop).register()
  const from = (i: number) => browserAt(shop, { caller: `192.0.2.${i}` })
  for (let i = 0; i < 2; i++) expect((await from(1).signIn()).status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await from(10 + i).signIn('wrong-one')).status).toBe(401)
  await expectToWait(await from(30).signIn(), 15)
  await expectToWait(await from(30).signIn(ada.password, ' ADA@example.com '), 15)
})

test('whoever is asked to wait cannot make others wait', async () => {
  const shop = await testShop({ rateLimits: true })
  await browserAt(shop).register()
  const attacker = browserAt(shop, { caller: '192.0.2.9' })
  for (let i = 0; i < 10; i++) await attacker.signIn('wrong-one', `no address ${i}`)
  for (let i = 0; i < 12; i++) expect((await attacker.signIn('wrong-one')).status).toBe(429)
  expect((await browserAt(shop).signIn()).status).toBe(200)
})

test('somebody with IPv6 has no more attempts than anybody else', async () => {
  const shop = await testShop({ rateLimits: true })
  const attempt = (i: number) =>
    browserAt(shop, { caller: `2001:db8:1:2:${i}::${i}` }).signIn('wrong-one', `no address ${i}`)
  for (let i = 0; i < 10; i++) expect((await attempt(i)).status).toBe(400)
  await expectToWait(await attempt(99), 15)
})

test('nobody finds out by registering who has an account', async () => {
  const shop = await testShop({ rateLimits: true })
  await browserAt(shop, { caller: '192.0.2.2' }).register()
  const browser = browserAt(shop)
  const taken = (i: number) =>
    browser.post('/sign-up/email', { ...ada, email: i % 2 ? ada.email : 'not one' })
  for (let i = 0; i < 10; i++) expect((await taken(i)).ok).toBe(false)
  await expectToWait(await taken(1), 15)
})

test('after twenty wrong passwords the owner gets in at once by a new one', async () => {
  const shop = await testShop({ rateLimits: true })
  const owner = browserAt(shop)
  await owner.register()
  for (let i = 0; i < 20; i++) await owner.signIn('wrong-one')
  for (let i = 0; i < 20; i++) await browserAt(shop, { caller: '192.0.2.66' }).signIn('wrong-one')
  await expectToWait(await owner.signIn(), 15)

  await owner.post('/request-password-reset', { email: ada.email })
  const token = await resetCode(shop)
  expect((await owner.post('/reset-password', { token, newPassword: 'secret-2' })).status).toBe(200)
  expect((await owner.signIn('secret-2')).status).toBe(200)
})

test('a new password is asked for five times an hour for one account, and sixty times from one address', async () => {
  const shop = await testShop({ rateLimits: true })
  const ask = (email: string, caller: string) =>
    browserAt(shop, { caller }).post('/request-password-reset', { email })
  const times = (most: number) => Array.from({ length: most }, (_, i) => i)
  const all = [
    ...times(5).map((i) => ask(ada.email, `192.0.2.${i}`)),
    ...times(60).map((i) => ask(`${i}@example.com`, '198.51.100.7')),
  ]
  for (const answer of await Promise.all(all)) expect(answer.status).toBe(200)
  const refused = await ask('ADA@example.com', '192.0.2.9')
  expect((await refused.clone().json()).message).toContain('A link that was mailed to you')
  await expectToWait(refused, 60)
  await expectToWait(await ask('bob@example.com', '198.51.100.7'), 60)
  expect((await ask('bob@example.com', '192.0.2.9')).status).toBe(200)
})

test('two hundred accounts an hour are made from one address', async () => {
  const shop = await testShop({ rateLimits: true })
  const browser = browserAt(shop)
  await browser.register()
  await shop.db.update(rateLimits).set({ points: 200 }).where(like(rateLimits.key, 'identity:new:%'))
  await expectToWait(await browser.post('/sign-up/email', { ...ada, email: 'bob@example.com' }), 60)
  const elsewhere = browserAt(shop, { caller: '192.0.2.9' })
  expect((await elsewhere.post('/sign-up/email', { ...ada, email: 'bob@example.com' })).status).toBe(200)
})

test('links for a new password cannot be guessed for ever', async () => {
  const shop = await testShop({ rateLimits: true })
  const guess = () => browserAt(shop).post('/reset-password', { token: 'guessed', newPassword: 'secret-2' })
  for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(400)
  await expectToWait(await guess(), 15)
})

test('links that somebody got wrong before the right one count no more', async () => {
  const shop = await testShop({ rateLimits: true })
  const owner = await browserAt(shop).register()
  const choose = async (token: string) =>
    (await owner.post('/reset-password', { token, newPassword: 'secret-2' })).status
  for (let i = 0; i < 9; i++) expect(await choose('mistyped')).toBe(400)
  await owner.post('/request-password-reset', { email: ada.email })
  expect(await choose(await resetCode(shop))).toBe(200)
  for (let i = 0; i < 10; i++) expect(await choose('mistyped')).toBe(400)
})

test('a login elsewhere is started sixty times in a quarter of an hour', async () => {
  const shop = await testShop({ rateLimits: true })
  const start = () => browserAt(shop).post('/sign-in/social', { provider: 'google' })
  for (let i = 0; i < 60; i++) expect((await start()).status).toBe(200)
  await expectToWait(await start(), 15)
})
