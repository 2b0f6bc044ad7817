import { drizzle } from 'drizzle-orm/node-postgres'
import { decodeJwt, SignJWT } from 'jose'
import pg from 'pg'
import { expect, test } from 'vitest'
import { users } from '#db/schema.ts'
import { isAway } from '#shop/errors.ts'
import { type TestShop, testApi, testShop } from '#test/shop.ts'
import { embeddedIdentity } from './embedded.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'secret-1' }

function ask(
  shop: TestShop,
  path: string,
  body?: object,
  { caller = '192.0.2.1', ...headers }: Record<string, string> = {},
) {
  const request = new Request(`http://shop.test/identity${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { origin: 'http://shop.test', 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return shop.identity.fetch(request, caller)
}

/** Registers somebody and answers their session's cookie. */
async function register(shop: TestShop, person = ada) {
  const response = await ask(shop, '/sign-up/email', person)
  expect(response.status).toBe(200)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function idTokenOf(shop: TestShop, cookie: string): Promise<string> {
  const response = await ask(shop, '/token', undefined, { cookie })
  return (await response.json()).token
}

/** Asks the shop for an access token with an ID token. */
function exchange(shop: TestShop, idToken: string, email: string) {
  const headers = { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' }
  return testApi(shop).request(`/api/user/${email}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ email }),
  })
}

test('registering gives an ID token that the shop exchanges for its own', async () => {
  const shop = await testShop()
  const idToken = await idTokenOf(shop, await register(shop))
  const response = await exchange(shop, idToken, ada.email)
  const { token } = await response.json()
  expect(response.status).toBe(200)
  expect(decodeJwt(token)).toMatchObject({ email: ada.email, name: 'Ada' })
  const lifetime = decodeJwt(token).exp! - decodeJwt(token).iat!
  expect(lifetime).toBe(3600)
})

test('an ID token does not sign in as anybody else', async () => {
  const shop = await testShop()
  const idToken = await idTokenOf(shop, await register(shop))
  expect((await exchange(shop, idToken, 'admin@example.com')).status).toBe(403)
})

test('an ID token that is unsigned, altered, stale, for others or from others is worth nothing', async () => {
  const shop = await testShop()
  const idToken = await idTokenOf(shop, await register(shop))
  const [head, body, signature] = idToken.split('.') as [string, string, string]
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = decodeJwt(idToken)
  const { keys } = await (await ask(shop, '/jwks')).json()
  const confused = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: keys[0].kid })

  const forged = {
    empty: 'x',
    unsigned: `${encode({ alg: 'none' })}.${body}.`,
    altered: `${head}.${encode({ ...claims, email: 'admin@example.com' })}.${signature}`,
    'signed with the public key': await confused.sign(Buffer.from(keys[0].x, 'base64url')),
  }
  for (const [kind, token] of Object.entries(forged)) {
    expect((await exchange(shop, token, ada.email)).status, kind).toBe(401)
  }
  expect((await exchange(shop, idToken, ada.email)).status).toBe(200)
})

test('an access token of the shop is no ID token, and an ID token opens no call', async () => {
  const shop = await testShop()
  const idToken = await idTokenOf(shop, await register(shop))
  const { token } = await (await exchange(shop, idToken, ada.email)).json()
  expect((await exchange(shop, token, ada.email)).status).toBe(401)
  const headers = { authorization: `Bearer ${idToken}` }
  expect((await testApi(shop).request(`/api/admin/${ada.email}`, { headers })).status).toBe(401)
})

test('a wrong password and an unknown address get the same answer', async () => {
  const shop = await testShop()
  await register(shop)
  const wrong = await ask(shop, '/sign-in/email', { email: ada.email, password: 'secret-2' })
  const unknown = await ask(shop, '/sign-in/email', { email: 'bob@example.com', password: 'secret-2' })
  expect(wrong.status).toBe(401)
  expect([unknown.status, await unknown.json()]).toEqual([401, await wrong.json()])
})

test('a taken address is refused in words', async () => {
  const shop = await testShop()
  await register(shop)
  const again = await ask(shop, '/sign-up/email', { ...ada, email: 'ADA@example.com' })
  expect(again.status).toBe(422)
  expect((await again.json()).message).toContain('already exists')
})

test('passwords have 6 to 128 characters', async () => {
  const shop = await testShop()
  for (const password of ['12345', 'x'.repeat(129)]) {
    expect((await ask(shop, '/sign-up/email', { ...ada, password })).status).toBe(400)
  }
})

test('after ten wrong passwords an account is asked to wait, and right ones do not count', async () => {
  const shop = await testShop({ rateLimits: true })
  await register(shop)
  const signIn = (password: string) => ask(shop, '/sign-in/email', { email: ada.email, password })
  for (let i = 0; i < 12; i++) expect((await signIn(ada.password)).status).toBe(200)
  for (let i = 0; i < 10; i++) expect((await signIn('wrong-password')).status).toBe(401)
  const refused = await signIn(ada.password)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await refused.json()).message).toContain('try again in 15 minutes')
})

test('a page from elsewhere cannot use the session', async () => {
  const shop = await testShop()
  const cookie = await register(shop)
  const headers = { cookie, origin: 'https://evil.example' }
  const response = await ask(shop, '/update-user', { name: 'Eve' }, headers)
  expect(response.status).toBe(403)
})

test('links that are not bound to an account are switched off', async () => {
  const shop = await testShop()
  for (const path of ['/verify-email?token=x', '/send-verification-email', '/change-email', '/delete-user']) {
    expect((await ask(shop, path, path.includes('?') ? undefined : {})).status, path).toBe(404)
  }
})

test('an account that the shop does not know yet is a customer', async () => {
  const shop = await testShop()
  await exchange(shop, await idTokenOf(shop, await register(shop)), ada.email)
  expect(await shop.db.select().from(users)).toMatchObject([
    { email: ada.email, role: 'customer', issuer: 'winged-wheels' },
  ])
})

test('whoever is asked to wait cannot make others wait', async () => {
  const shop = await testShop({ rateLimits: true })
  await register(shop)
  const signIn = (password: string, caller: string) =>
    ask(shop, '/sign-in/email', { email: ada.email, password }, { caller })
  for (let i = 0; i < 10; i++) {
    await ask(
      shop,
      '/sign-in/email',
      { email: `${i}@example.com`, password: 'wrong-one' },
      { caller: '192.0.2.9' },
    )
  }
  for (let i = 0; i < 12; i++) expect((await signIn('wrong-one', '192.0.2.9')).status).toBe(429)
  expect((await signIn(ada.password, '192.0.2.1')).status).toBe(200)
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
    expect((await ask(shop, '/sign-up/email', { ...ada, ...change })).status, JSON.stringify(change)).toBe(
      400,
    )
  }
  const cookie = await register(shop)
  for (const change of wrong) {
    expect((await ask(shop, '/update-user', change, { cookie })).status, JSON.stringify(change)).toBe(400)
  }
  expect(
    (await ask(shop, '/update-user', { name: 'Ada L.', image: '/images/ada.webp' }, { cookie })).status,
  ).toBe(200)
})

test('nobody is signed out because the database is away', async () => {
  const shop = await testShop()
  const cookie = await register(shop)
  const pool = new pg.Pool({ connectionString: 'postgres://shop@127.0.0.1:1/shop' })
  const db = drizzle(pool) as unknown as TestShop['db']
  const identity = embeddedIdentity({
    db,
    rateLimits: false,
    secret: 'x'.repeat(64),
    origins: ['http://shop.test'],
  })
  const asked = identity.fetch(
    new Request('http://shop.test/identity/token', { headers: { cookie } }),
    '192.0.2.1',
  )
  await expect(asked).rejects.toSatisfy((error: Error) => isAway(error))
  await pool.end()
})
