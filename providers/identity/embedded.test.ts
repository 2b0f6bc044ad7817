import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import { users } from '#db/schema.ts'
import { isUnavailable } from '#shop/errors.ts'
import { accessTokenOf, ada, browserAt, callWith, exchange, sentEmails } from '#test/identity.ts'
import { type TestShop, testShop } from '#test/shop.ts'
import { embeddedIdentity } from './embedded.ts'

/** The same accounts, reached by other addresses. */
function reachedBy({ db, mail }: Pick<TestShop, 'db' | 'mail'>, ...origins: [string, ...string[]]) {
  const secret = 'x'.repeat(64)
  return { identity: embeddedIdentity({ db, mail, rateLimits: false, secret, origins, testMode: true }) }
}

test('registering signs in, and the shop makes the account a customer’s', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  const token = await accessTokenOf(shop, browser)
  expect(decodeJwt(token)).toMatchObject({ email: ada.email, name: 'Ada' })
  expect(decodeJwt(token).exp! - decodeJwt(token).iat!).toBe(3600)
  expect(await shop.db.select().from(users)).toMatchObject([
    { email: ada.email, role: 'customer', issuer: 'winged-wheels' },
  ])
})

test('only what the shop uses is answered, at its exact address', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  const missing = [
    ...['/verify-email?token=x', '/reset-password/x?callbackURL=/', '/list-sessions', '/list-accounts'],
    ...['/ok', '/error', '/account-info', '/refresh-token', '/sign-in/email', '/sign-out'],
    ...['/token/', '//token', '/%74oken', '/TOKEN', '/token%2f', '/x/../TOKEN', '/callback/facebook'],
    ...['/test-mode/google/', '/test-mode//google', '/test-mode/facebook', ''],
  ]
  for (const path of missing) expect((await browser.get(path)).status, path).toBe(404)
  const posts = ['/change-email', '/delete-user', '/change-password', '/set-password', '/link-social']
  const more = ['/revoke-sessions', '/unlink-account', '/get-access-token', '/token', '/get-session', '/jwks']
  for (const path of [...posts, ...more, '/callback/google', '/sign-up/email/'])
    expect((await browser.post(path, {})).status, path).toBe(404)
  for (const path of ['/token', '/jwks', '/get-session']) expect((await browser.get(path)).status).toBe(200)
})

test('the session is in a cookie that no script and no other site can use', async () => {
  const shop = await testShop()
  const response = await browserAt(shop).post('/sign-up/email', ada)
  const [cookie] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^better-auth\.session_token=/)
  expect(cookie!.split('; ').slice(1).sort()).toEqual([
    'HttpOnly',
    'Max-Age=604800',
    'Path=/',
    'SameSite=Lax',
  ])
})

test('nothing that is somebody’s is kept on the way', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  for (const path of ['/token', '/token?x=/identity/jwks', '/get-session', '/test-mode/google', '/nowhere'])
    expect((await browser.get(path)).headers.get('cache-control'), path).toBe('no-store')
})

test('behind https the cookie goes over nothing else, even where a proxy speaks http to the shop', async () => {
  const shop = reachedBy(await testShop(), 'https://shop.example')
  for (const at of ['http://shop.example', 'http://10.0.0.7:3000']) {
    const visitor = browserAt(shop, { at, origin: 'https://shop.example' })
    const response = await visitor.post('/sign-up/email', {
      ...ada,
      email: `${new URL(at).port}a@example.com`,
    })
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Secure-better-auth\.session_token=.*; Secure/)
  }
})

test('a page from elsewhere cannot use the session, nor one that does not say where it is from', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  for (const origin of [
    'https://evil.example',
    'http://shop.test.evil.example',
    'https://shop.test',
    'null',
    '',
  ]) {
    for (const [path, body] of Object.entries({ '/update-user': { name: 'Eve' }, '/sign-out': {} })) {
      expect((await browser.post(path, body, { origin })).status, `${path} ${origin}`).toBe(403)
    }
  }
  expect((await browser.get('/token')).status).toBe(200)
  expect((await browser.post('/update-user', { name: 'Ada L.' })).status).toBe(200)
})

test('what is no JSON is refused, so that nobody tries passwords past their count', async () => {
  const shop = await testShop()
  const browser = browserAt(shop)
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/jsonp']) {
    const refused = await browser.post('/sign-in/email', ada, { 'content-type': type })
    expect(refused.status, type).toBe(415)
  }
})

test('the address that somebody is at is the one of links and redirects, and a forged one is neither', async () => {
  const base = await testShop()
  const shop = reachedBy(base, 'http://127.0.0.1:3000', 'http://localhost:3000')
  const leads = {
    'http://localhost:3000': 'http://localhost:3000',
    'http://evil.example': 'http://127.0.0.1:3000',
  }
  await browserAt(shop, { at: 'http://127.0.0.1:3000' }).register()
  for (const [at, origin] of Object.entries(leads)) {
    const browser = browserAt(shop, { at, origin })
    const forged = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      host: new URL(at).host,
    }
    await browser.post('/request-password-reset', { email: ada.email }, forged)
    const newest = (await sentEmails(base)).at(-1)!
    expect(newest.body).toContain(`\n${origin}/reset-password?token=`)
    expect(JSON.stringify(newest)).not.toContain('evil')

    const response = await browser.post('/sign-in/social', { provider: 'google' }, forged)
    const { url } = await response.json()
    expect(new URL(url).origin).toBe(origin)
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${origin}/identity/callback/google`)
  }
})

test('signing out ends the session and every token, and another device goes on', async () => {
  const shop = await testShop()
  const here = await browserAt(shop).register()
  const there = browserAt(shop, { caller: '192.0.2.2' })
  await there.signIn()
  const [mine, theirs] = [await accessTokenOf(shop, here), await accessTokenOf(shop, there)]
  const idToken = await here.idToken()
  expect(await callWith(shop, mine)).toBe(200)

  expect((await here.post('/sign-out', {})).status).toBe(200)
  expect((await here.get('/token')).status).toBe(401)
  expect((await exchange(shop, idToken)).status).toBe(401)
  expect(await callWith(shop, mine)).toBe(401)
  expect(await callWith(shop, theirs)).toBe(401)
  expect(await callWith(shop, await accessTokenOf(shop, there))).toBe(200)
})

/** The same accounts, where somebody who signs out meets this at the database. */
function meanwhile(shop: TestShop, change: (db: TestShop['db']) => Partial<TestShop['db']>) {
  const db: TestShop['db'] = Object.assign(Object.create(shop.db), change(shop.db))
  return reachedBy({ ...shop, db }, 'http://shop.test')
}

test('no session ends while its access tokens stay good', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  const token = await accessTokenOf(shop, browser)
  const failing = browserAt(
    meanwhile(shop, () => ({
      update() {
        throw new Error('dead')
      },
    })),
  )
  for (const [name, value] of browser.cookies) failing.cookies.set(name, value)
  expect((await failing.post('/sign-out', {})).status).toBe(503)
  expect((await browser.get('/token')).status).toBe(200)
  expect(await callWith(shop, token)).toBe(200)
})

test('an access token that is made while somebody signs out is worth nothing', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  let token = ''
  const slow = browserAt(
    meanwhile(shop, (db) => ({
      delete: ((table: typeof identityTables.session) => ({
        async where(which: SQL) {
          token = await accessTokenOf(shop, browser)
          return db.delete(table).where(which)
        },
      })) as never,
    })),
  )
  for (const [name, value] of browser.cookies) slow.cookies.set(name, value)
  expect((await slow.post('/sign-out', {})).status).toBe(200)
  expect(token).not.toBe('')
  expect(await callWith(shop, token)).toBe(401)
})

test('a stolen cookie is worth nothing after its owner has signed out', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  const thief = browserAt(shop, { caller: '192.0.2.66' })
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
  expect((await thief.get('/token')).status).toBe(200)
  await browser.post('/sign-out', {})
  expect((await thief.get('/token')).status).toBe(401)
})

test('a name or a picture that the shop would not show is refused', async () => {
  const shop = await testShop()
  const wrong = [
    { name: '' },
    { name: 'x'.repeat(81) },
    { image: 'http://tracker.example/x.png' },
    { image: 'data:,' },
  ]
  for (const change of wrong) {
    const refused = await browserAt(shop).post('/sign-up/email', { ...ada, ...change })
    expect(refused.status, JSON.stringify(change)).toBe(400)
  }
  const browser = await browserAt(shop).register()
  for (const change of wrong)
    expect((await browser.post('/update-user', change)).status, JSON.stringify(change)).toBe(400)
  const right = { name: 'Ada L.', image: '/images/ada.webp' }
  expect((await browser.post('/update-user', right)).status).toBe(200)
  expect(decodeJwt(await browser.idToken())).toMatchObject({ name: 'Ada L.', picture: '/images/ada.webp' })
})

test('nobody vouches for themselves', async () => {
  const shop = await testShop()
  await browserAt(shop).post('/sign-up/email', { ...ada, emailVerified: true, id: 'mine' })
  const browser = browserAt(shop)
  await browser.post('/sign-up/email', { ...ada, email: 'bob@example.com' })
  for (const change of [{ emailVerified: true }, { email: 'admin@example.com' }, { id: 'mine' }])
    expect((await browser.post('/update-user', change)).status, JSON.stringify(change)).toBe(400)
  for (const { id, emailVerified } of await shop.db.select().from(identityTables.user)) {
    expect(emailVerified).toBe(false)
    expect(id).not.toBe('mine')
  }
})

test('a character that cannot be stored is refused, also as it is written in JSON', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  for (const path of ['/sign-in/email', '/sign-up/email', '/request-password-reset', '/update-user']) {
    const answer = await browser.post(path, { ...ada, name: 'A\u0000a' })
    expect([answer.status, (await answer.json()).message], path).toEqual([
      400,
      'There is a character in it that cannot be stored.',
    ])
  }
})

test('an address that better-auth does not take is refused in words', async () => {
  const shop = await testShop()
  for (const path of ['/sign-up/email', '/request-password-reset']) {
    const answer = await browserAt(shop).post(path, { ...ada, email: 'a&b@example.com' })
    expect([answer.status, (await answer.json()).message], path).toEqual([
      400,
      'Please provide a valid email...',
    ])
  }
})

test('sessions and links whose time is over are forgotten, and no others', async () => {
  const shop = await testShop()
  const gone = await browserAt(shop).register()
  await gone.post('/request-password-reset', { email: ada.email })
  const { session, verification } = identityTables
  for (const table of [session, verification])
    await shop.db.update(table).set({ expiresAt: sql`now() - interval '1 second'` })
  const here = browserAt(shop)
  await here.signIn()
  await here.post('/request-password-reset', { email: ada.email })
  await shop.identity.tidy()
  expect([await shop.db.$count(session), await shop.db.$count(verification)]).toEqual([1, 1])
  expect(await here.idToken()).toBeTruthy()
})

test('an address that the shop would not take is refused', async () => {
  const shop = await testShop()
  const long = `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}example`
  for (const email of ['ada', 'ada@', long])
    expect((await browserAt(shop).post('/sign-up/email', { ...ada, email })).status, email).toBe(400)
})

test('nobody is signed out, nor told that they are, because the database is away', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop).register()
  const pool = new pg.Pool({ connectionString: 'postgres://shop@127.0.0.1:1/shop' })
  const away = { ...shop, db: drizzle(pool) as unknown as TestShop['db'] }
  const same = browserAt(reachedBy(away, 'http://shop.test'))
  for (const [name, value] of browser.cookies) same.cookies.set(name, value)

  await expect(same.get('/token')).rejects.toSatisfy((error: Error) => isUnavailable(error))
  const logged = vi.spyOn(console, 'error')
  for (const path of ['/sign-in/email', '/sign-up/email', '/request-password-reset'])
    await expect(same.post(path, ada), path).rejects.toSatisfy((error: Error) => isUnavailable(error))
  expect(JSON.stringify(logged.mock.calls)).not.toContain(ada.email)
  logged.mockRestore()
  const refused = await same.post('/sign-out', {})
  expect([refused.status, await refused.json()]).toMatchObject([503, { message: expect.any(String) }])
  await pool.end()
})

test('where people are is not kept', async () => {
  const shop = await testShop()
  await browserAt(shop).post('/sign-up/email', ada, { 'x-forwarded-for': '192.0.2.77' })
  const [session] = await shop.db.select().from(identityTables.session)
  expect(session).toMatchObject({ ipAddress: '' })
})
