import { like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rateLimits } from '#db/schema.ts'
import { ada, browserAt, resetCode } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'

async function expectRateLimited(response: Response, minutes: number) {
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan((minutes - 1) * 60)
  expect((await response.json()).message).toContain(`try again in ${minutes} minutes`)
}

test('ten wrong passwords lock an account, and correct ones do not count', async () => {
  const shop = await testShop({ rateLimits: true })
  await browserAt(shop).register()
  const from = (i: number) => browserAt(shop, { clientAddress: `192.0.2.${i}` })
  for (let i = 0; i < 2; i++) expect((await from(1).signIn()).status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await from(10 + i).signIn('wrong-one')).status).toBe(401)
  await expectRateLimited(await from(30).signIn(), 15)
  await expectRateLimited(await from(30).signIn(ada.password, ' ADA@example.com '), 15)
})

test('a rate-limited client cannot lock another customer’s account', async () => {
  const shop = await testShop({ rateLimits: true })
  await browserAt(shop).register()
  const attacker = browserAt(shop, { clientAddress: '192.0.2.9' })
  for (let i = 0; i < 10; i++) await attacker.signIn('wrong-one', `no address ${i}`)
  for (let i = 0; i < 12; i++) expect((await attacker.signIn('wrong-one')).status).toBe(429)
  expect((await browserAt(shop).signIn()).status).toBe(200)
})

test('an IPv6 network shares one limit', async () => {
  const shop = await testShop({ rateLimits: true })
  const attempt = (i: number) =>
    browserAt(shop, { clientAddress: `2001:db8:1:2:${i}::${i}` }).signIn('wrong-one', `no address ${i}`)
  for (let i = 0; i < 10; i++) expect((await attempt(i)).status).toBe(400)
  await expectRateLimited(await attempt(99), 15)
})

test('registration is rate-limited against account enumeration', async () => {
  const shop = await testShop({ rateLimits: true })
  await browserAt(shop, { clientAddress: '192.0.2.2' }).register()
  const browser = browserAt(shop)
  const taken = (i: number) =>
    browser.post('/sign-up/email', { ...ada, email: i % 2 ? ada.email : 'not one' })
  for (let i = 0; i < 10; i++) expect((await taken(i)).ok).toBe(false)
  await expectRateLimited(await taken(1), 15)
})

test('a password reset lifts the sign-in limit', async () => {
  const shop = await testShop({ rateLimits: true })
  const owner = browserAt(shop)
  await owner.register()
  for (let i = 0; i < 20; i++) await owner.signIn('wrong-one')
  for (let i = 0; i < 20; i++) await browserAt(shop, { clientAddress: '192.0.2.66' }).signIn('wrong-one')
  await expectRateLimited(await owner.signIn(), 15)

  await owner.post('/request-password-reset', { email: ada.email })
  const token = await resetCode(shop)
  expect((await owner.post('/reset-password', { token, newPassword: 'secret-2' })).status).toBe(200)
  expect((await owner.signIn('secret-2')).status).toBe(200)
})

test('password resets are limited to 5 an hour per account and 60 per client address', async () => {
  const shop = await testShop({ rateLimits: true })
  const requestReset = (email: string, clientAddress: string) =>
    browserAt(shop, { clientAddress }).post('/request-password-reset', { email })
  const range = (count: number) => Array.from({ length: count }, (_, i) => i)
  const requests = [
    ...range(5).map((i) => requestReset(ada.email, `192.0.2.${i}`)),
    ...range(60).map((i) => requestReset(`${i}@example.com`, '198.51.100.7')),
  ]
  for (const answer of await Promise.all(requests)) expect(answer.status).toBe(200)
  const refused = await requestReset('ADA@example.com', '192.0.2.9')
  expect((await refused.clone().json()).message).toContain('A link that was mailed to you')
  await expectRateLimited(refused, 60)
  await expectRateLimited(await requestReset('bob@example.com', '198.51.100.7'), 60)
  expect((await requestReset('bob@example.com', '192.0.2.9')).status).toBe(200)
})

test('registrations are limited to 200 an hour per client address', async () => {
  const shop = await testShop({ rateLimits: true })
  const browser = browserAt(shop)
  await browser.register()
  await shop.db.update(rateLimits).set({ points: 200 }).where(like(rateLimits.key, 'identity:new:%'))
  await expectRateLimited(await browser.post('/sign-up/email', { ...ada, email: 'bob@example.com' }), 60)
  const otherClient = browserAt(shop, { clientAddress: '192.0.2.9' })
  expect((await otherClient.post('/sign-up/email', { ...ada, email: 'bob@example.com' })).status).toBe(200)
})

test('wrong reset tokens are rate-limited', async () => {
  const shop = await testShop({ rateLimits: true })
  const guess = () => browserAt(shop).post('/reset-password', { token: 'guessed', newPassword: 'secret-2' })
  for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(400)
  await expectRateLimited(await guess(), 15)
})

test('a successful password reset clears the count of wrong reset tokens', async () => {
  const shop = await testShop({ rateLimits: true })
  const owner = await browserAt(shop).register()
  const resetPassword = async (token: string) =>
    (await owner.post('/reset-password', { token, newPassword: 'secret-2' })).status
  for (let i = 0; i < 9; i++) expect(await resetPassword('mistyped')).toBe(400)
  await owner.post('/request-password-reset', { email: ada.email })
  expect(await resetPassword(await resetCode(shop))).toBe(200)
  for (let i = 0; i < 10; i++) expect(await resetPassword('mistyped')).toBe(400)
})

test('social sign-ins are limited to 60 in 15 minutes per client address', async () => {
  const shop = await testShop({ rateLimits: true })
  const start = () => browserAt(shop).post('/sign-in/social', { provider: 'google' })
  for (let i = 0; i < 60; i++) expect((await start()).status).toBe(200)
  await expectRateLimited(await start(), 15)
})
