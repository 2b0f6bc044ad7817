import { like, not } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { rateLimits } from '#db/schema.ts'
import { checkRateLimits } from '#shop/rate-limits.server.ts'
import { ada, browserAt, resetCode, shopWithBrowser } from '#test/identity.ts'
import { type TestShop, testShop } from '#test/shop.ts'
import { guessDelayMs, listFailureKeys, rateLimitsFor } from './rate-limits.ts'

async function expectRateLimited(response: Response, minutes: number, what?: string) {
  expect(response.status, what).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan((minutes - 1) * 60)
  expect((await response.json()).message).toContain(`Try again in ${minutes} minutes`)
}

/** As if there had been so many attempts at whatever was attempted before. */
async function setAttempts(shop: TestShop, points: number, pattern = 'identity:%') {
  await shop.db.update(rateLimits).set({ points }).where(like(rateLimits.key, pattern))
}

test('ten wrong passwords lock an account for their network alone, and correct ones do not count', async () => {
  const { shop } = await shopWithBrowser({ rateLimits: true })
  const from = (i: number) => browserAt(shop, { clientAddress: `192.0.2.${i}` })
  for (let i = 0; i < 2; i++) expect((await from(9).signIn()).status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await from(9).signIn('wrong-one')).status).toBe(401)
  await expectRateLimited(await from(9).signIn(), 15)
  await expectRateLimited(await from(9).signIn(ada.password, 'ADA@example.com'), 15)
  expect((await from(10).signIn()).status).toBe(200)
})

test('rejected attempts do not count towards other limits', async () => {
  const { shop } = await shopWithBrowser({ rateLimits: true })
  const attacker = browserAt(shop, { clientAddress: '192.0.2.9' })
  for (let i = 0; i < 10; i++) await attacker.signIn('wrong-one')
  for (let i = 0; i < 12; i++) expect((await attacker.signIn('wrong-one')).status).toBe(429)
  const rows = await shop.db
    .select()
    .from(rateLimits)
    .where(not(like(rateLimits.key, '%:new:%')))
  expect(rows.map(({ points }) => points).filter(Boolean)).toEqual([10, 10, 10, 10])
})

test('many wrong passwords from anywhere slow sign-ins down, then lock out devices that have not signed in before', async () => {
  const { shop, browser: owner } = await shopWithBrowser({ rateLimits: true })
  const stranger = (i: number) => browserAt(shop, { clientAddress: `192.0.2.${i}` })
  expect((await stranger(8).signIn('wrong-one')).status).toBe(401)
  await setAttempts(shop, 100, 'identity:as:ada@example.com')
  await expectRateLimited(await stranger(9).signIn(), 60)
  expect((await owner.signIn()).status).toBe(200)

  const [name, value] = [...owner.cookies].find(([name]) => name.endsWith('.device'))!
  owner.cookies.set(name, `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`)
  await expectRateLimited(await owner.signIn(), 60)
  owner.cookies.set(name, value)
  for (let i = 0; i < 10; i++) expect((await owner.signIn('wrong-one')).status).toBe(401)
  await expectRateLimited(await owner.signIn(), 15)

  const delayAfter = (failures: number) =>
    guessDelayMs(ada.email, new Map([['identity:as:ada@example.com', failures]]))
  expect([0, 9, 10, 11, 14, 99].map(delayAfter)).toEqual([0, 0, 250, 500, 4_000, 4_000])
})

test('the device cookie of another account does not count as known', async () => {
  const shop = await testShop({ rateLimits: true })
  const browser = await browserAt(shop).register({ ...ada, email: 'bob@example.com' })
  const bobsDevice = [...browser.cookies].find(([name]) => name.endsWith('.device'))!
  await browserAt(shop).register()
  await browserAt(shop, { clientAddress: '192.0.2.9' }).signIn('wrong-one')
  await setAttempts(shop, 100, 'identity:as:ada@example.com')
  const stranger = browserAt(shop, { cookies: [bobsDevice] })
  await expectRateLimited(await stranger.signIn(), 60)
  expect((await stranger.signIn(ada.password, 'bob@example.com')).status).toBe(200)
})

test('an IPv6 network shares one limit', async () => {
  const shop = await testShop({ rateLimits: true })
  const attempt = (i: number) =>
    browserAt(shop, { clientAddress: `2001:db8:1:2:${i}::${i}` }).signIn('wrong-one')
  for (let i = 0; i < 10; i++) expect((await attempt(i)).status).toBe(401)
  await expectRateLimited(await attempt(99), 15)

  const neighbour = () =>
    browserAt(shop, { clientAddress: '2001:db8:1:3::1' }).signIn('wrong-one', 'b@example.com')
  expect((await neighbour()).status).toBe(401)
  await setAttempts(shop, 1_000, 'identity:from:2001:db8:1::/48')
  await expectRateLimited(await neighbour(), 15)
})

test('one IPv6 /48 cannot lock an account’s owner out', async () => {
  const { shop } = await shopWithBrowser({ rateLimits: true })
  const attacker = (i: number) => browserAt(shop, { clientAddress: `2001:db8:1:${i}::1` })
  expect((await attacker(1).signIn('wrong-one')).status).toBe(401)
  await setAttempts(shop, 19, 'identity:as:%/48')
  expect((await attacker(2).signIn('wrong-one')).status).toBe(401)
  await expectRateLimited(await attacker(3).signIn(), 15)
  expect((await browserAt(shop, { clientAddress: '2001:db8:2::1' }).signIn()).status).toBe(200)

  const limits = rateLimitsFor('POST /sign-in/email', ada.email, '2001:db8:1:2::/64', null)
  const maxOf = (key: string) => limits.find(({ keys }) => keys.includes(key))!
  const wider = maxOf('identity:as:ada@example.com:from:2001:db8:1::/48')
  const anywhere = maxOf('identity:as:ada@example.com')
  // Its windows may begin before the account's hour.
  const perHour = wider.max * (anywhere.seconds / wider.seconds + 1)
  expect(perHour).toBeLessThanOrEqual(anywhere.max)
  expect(listFailureKeys(ada.email, '2001:db8:1:2::/64')).toEqual([
    'identity:as:ada@example.com',
    'identity:as:ada@example.com:from:2001:db8:1::/48',
    'identity:as:ada@example.com:from:2001:db8:1:2::/64',
  ])
})

async function signInPoints({ db }: TestShop) {
  const rows = await db.select().from(rateLimits).where(like(rateLimits.key, 'identity:sign-ins:%'))
  return Object.fromEntries(rows.map(({ key, points }) => [key.replace('identity:sign-ins:', ''), points]))
}

test('an account is limited to 60 successful sign-ins in 15 minutes, also from known browsers and at once', async () => {
  const { shop, browser: owner } = await shopWithBrowser({ rateLimits: true })
  expect((await owner.signIn()).status).toBe(200)
  const stranger = browserAt(shop, { clientAddress: '192.0.2.9' })
  for (let i = 0; i < 3; i++) expect((await stranger.signIn('wrong-one')).status).toBe(401)
  expect((await stranger.post('/sign-in/email', { email: ada.email })).status).toBe(400)
  const points = { 'as:ada@example.com': 1, 'from:192.0.2.1': 1, 'from:192.0.2.9': 3 }
  expect(await signInPoints(shop)).toEqual(points)

  await setAttempts(shop, 59, 'identity:sign-ins:as:%')
  const answers = await Promise.all([owner.signIn(), owner.signIn(), owner.signIn()])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
  const refused = await owner.signIn()
  expect((await refused.clone().json()).message).toContain('This limit covers all sign-ins to this account.')
  await expectRateLimited(refused, 15)
  expect((await owner.signIn('wrong-one')).status).toBe(429)
})

test('a network is limited to 600 sign-ins in 15 minutes, right or wrong, also from known browsers', async () => {
  const shop = await testShop({ rateLimits: true })
  const at = (clientAddress: string) => browserAt(shop, { clientAddress, cookies: owner.cookies })
  const owner = await browserAt(shop).register()
  expect((await owner.signIn()).status).toBe(200)
  expect((await owner.signIn('wrong-one')).status).toBe(401)
  expect(await signInPoints(shop)).toMatchObject({ 'from:192.0.2.1': 2 })
  await setAttempts(shop, 599, 'identity:sign-ins:from:%')
  expect((await owner.signIn()).status).toBe(200)
  const refused = await owner.signIn()
  expect((await refused.clone().json()).message).toContain('This limit covers all sign-ins from your network')
  await expectRateLimited(refused, 15)

  expect((await at('2001:db8:1:1::1').signIn()).status).toBe(200)
  await setAttempts(shop, 6_000, 'identity:sign-ins:from:%/48')
  await expectRateLimited(await at('2001:db8:1:2::1').signIn(), 15)
  expect((await at('2001:db8:2:1::1').signIn()).status).toBe(200)
})

test('registration is rate-limited against account enumeration, and malformed requests do not count', async () => {
  const shop = await testShop({ rateLimits: true })
  await browserAt(shop, { clientAddress: '192.0.2.2' }).register()
  const browser = browserAt(shop)
  const register = (fields: object) => browser.post('/sign-up/email', { ...ada, ...fields })
  const malformed = ['short', 'q9#', 'x'.repeat(129)].map((password) => ({ password }))
  for (const fields of [
    ...malformed,
    { email: 'not one' },
    { email: 7 },
    { email: 'b@example.com', name: '' },
  ])
    for (let i = 0; i < 6; i++) expect((await register(fields)).status).toBe(400)
  for (let i = 0; i < 12; i++) expect((await browser.signIn('any', 'not one')).status).toBe(400)
  expect((await browser.signIn('x'.repeat(129), 'nobody@example.com')).status).toBe(400)
  const stored = await shop.db.select().from(rateLimits).where(like(rateLimits.key, '%:as:%'))
  expect(stored.filter(({ key }) => /not one|nobody/.test(key))).toEqual([])
  for (let i = 0; i < 10; i++) expect((await register({})).status).toBe(422)
  await expectRateLimited(await register({}), 15)
})

test('a password reset lifts the limits of its account, and not those of its network', async () => {
  const shop = await testShop({ rateLimits: true })
  const owner = browserAt(shop)
  await owner.register()
  const oldDevice = [...owner.cookies].find(([name]) => name.endsWith('.device'))!
  owner.cookies.clear()
  for (let i = 0; i < 10; i++) await owner.signIn('wrong-one')
  await setAttempts(shop, 100)
  await expectRateLimited(await owner.signIn(), 15)
  await owner.post('/reset-password', { token: 'guess', newPassword: 'secret-2' })
  await setAttempts(shop, 99, 'identity:reset:by:%')
  await owner.post('/request-password-reset', { email: ada.email })
  const token = await resetCode(shop)
  expect((await owner.post('/reset-password', { token, newPassword: 'secret-2' })).status).toBe(200)
  expect((await owner.signIn('secret-2')).status).toBe(200)
  await expectRateLimited(await browserAt(shop).signIn('guess', 'bob@example.com'), 15)
  const thief = browserAt(shop, { cookies: [oldDevice] })
  await expectRateLimited(await thief.signIn('guess'), 15)
  expect((await owner.post('/reset-password', { token, newPassword: 'secret-3' })).status).toBe(400)
  await expectRateLimited(await owner.post('/reset-password', { token, newPassword: 'secret-3' }), 15)
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
  expect((await refused.clone().json()).message).toContain('A link we emailed you')
  await expectRateLimited(refused, 60)
  await expectRateLimited(await requestReset('bob@example.com', '198.51.100.7'), 60)
  expect((await requestReset('bob@example.com', '192.0.2.9')).status).toBe(200)
})

test('requests for a password reset that are refused do not keep the owner from getting a link', async () => {
  const { shop } = await shopWithBrowser({ rateLimits: true })
  const stranger = browserAt(shop, { clientAddress: '192.0.2.66' })
  for (const redirectTo of [{}, 'https://evil.example/', 5, [], {}, 'https://evil.example/']) {
    const body = { email: ada.email, redirectTo }
    expect((await stranger.post('/request-password-reset', body)).ok).toBe(false)
  }
  const owner = browserAt(shop, { clientAddress: '198.51.100.9' })
  expect((await owner.post('/request-password-reset', { email: ada.email })).status).toBe(200)
  expect(await resetCode(shop)).toMatch(/\w/)
})

test('calls of one address are limited, and those of an IPv6 /48 at ten times as many', async () => {
  const shop = await testShop({ rateLimits: true })
  const reset = { token: 'guessed', newPassword: 'secret-2' }
  const bob = { ...ada, email: 'bob@example.com' }
  // biome-ignore format: a table
  const calls: [key: string, max: number, minutes: number, path: string, body: object][] = [
    ['identity:new:from:192.0.2.1', 200, 60, '/sign-up/email', bob],
    ['identity:from:192.0.2.1', 100, 15, '/sign-in/email', { ...bob, password: 'wrong-one' }],
    ['identity:reset:by:192.0.2.1', 100, 15, '/reset-password', reset],
    ['identity:social:from:192.0.2.1', 60, 15, '/sign-in/social', { provider: 'google' }],
    ['identity:reset:from:2001:db8:1::/48', 600, 60, '/request-password-reset', bob],
    ['identity:reset:by:2001:db8:1::/48', 1000, 15, '/reset-password', reset],
    ['identity:social:from:2001:db8:1::/48', 600, 15, '/sign-in/social', { provider: 'google' }],
  ]
  for (const [key, max, minutes, path, body] of calls) {
    const addressOf = (i: number) => (key.endsWith('/48') ? `2001:db8:1:${i}::1` : '192.0.2.1')
    const send = (clientAddress: string) => browserAt(shop, { clientAddress }).post(path, body)
    expect((await send(addressOf(1))).status, key).not.toBe(429)
    await setAttempts(shop, max - 1, key)
    expect((await send(addressOf(2))).status, key).not.toBe(429)
    await expectRateLimited(await send(addressOf(3)), minutes, key)
    expect((await send('198.51.100.7')).status, key).not.toBe(429)
  }
})

test('a network can register five variants of a mailbox a day', async () => {
  const shop = await testShop({ rateLimits: true })
  const register = async (email: string, clientAddress = '192.0.2.1') =>
    (await browserAt(shop, { clientAddress }).post('/sign-up/email', { ...ada, email })).status
  for (const i of [1, 2, 3, 4, 5]) expect(await register(`annlee+${i}@gmail.com`)).toBe(200)
  expect(await register('ann.lee@googlemail.com')).toBe(429)
  expect(await register('ann.lee@example.com')).toBe(200)
  expect(await register('ann.lee@gmail.com', '198.51.100.7')).toBe(200)
})

test('every limit of the identity endpoints is that of this table', () => {
  const limitsOf = (call: string, device: string | null = null) =>
    rateLimitsFor(call, 'ada@example.com', '192.0.2.1', device).map(({ keys, max, seconds, counts }) => [
      ...[keys.join(), max, seconds / 60, counts],
    ])
  const guesses = [
    ['identity:from:192.0.2.1', 100, 15, 'failures'],
    ['identity:as:ada@example.com:from:192.0.2.1', 10, 15, 'failures'],
  ]
  const anywhere = ['identity:as:ada@example.com', 100, 60, 'failures']
  expect(limitsOf('POST /sign-in/email')).toEqual([...guesses, anywhere])
  expect(limitsOf('POST /sign-in/email', 'd')).toEqual([['identity:device:d', 10, 15, 'failures']])
  expect(limitsOf('POST /sign-up/email')).toEqual([
    ['identity:new:from:192.0.2.1', 200, 60, 'all'],
    ['identity:new:to:ada@example.com:from:192.0.2.1', 5, 24 * 60, 'successes'],
    ...guesses,
  ])
  expect(limitsOf('POST /request-password-reset')).toEqual([
    ['identity:reset:of:ada@example.com', 5, 60, 'successes'],
    ['identity:reset:of:to:ada@example.com:from:192.0.2.1', 10, 24 * 60, 'successes'],
    ['identity:reset:from:192.0.2.1', 60, 60, 'all'],
  ])
  expect(limitsOf('POST /reset-password')).toEqual([['identity:reset:by:192.0.2.1', 100, 15, 'failures']])
  expect(limitsOf('POST /sign-in/social')).toEqual([['identity:social:from:192.0.2.1', 60, 15, 'all']])
  expect(limitsOf('POST /update-user')).toEqual([['identity:update:from:192.0.2.1', 600, 60, 'successes']])
  for (const call of ['GET /token', 'GET /get-session', 'POST /sign-out'])
    expect(limitsOf(call), call).toEqual([])
})

test('wrong passwords for one account count from all addresses together, up to 100 an hour', async () => {
  const { shop } = await shopWithBrowser({ rateLimits: true })
  const from = (i: number) => browserAt(shop, { clientAddress: `198.51.100.${i}` })
  for (let i = 0; i < 9; i++) expect((await from(i).signIn('wrong-one')).status).toBe(401)
  const key = 'identity:as:ada@example.com'
  const [counted] = await shop.db.select().from(rateLimits).where(like(rateLimits.key, key))
  expect(counted!.points).toBe(9)
  // One below the limit, but without the delay that 99 guesses bring.
  await setAttempts(shop, 99, key)
  const limits = rateLimitsFor('POST /sign-in/email', ada.email, '192.0.2.9', null)
  expect((await checkRateLimits(shop, limits)).get(key)).toBe(99)
  await setAttempts(shop, 100, key)
  await expectRateLimited(await from(99).signIn(), 60)
})
