import { eq, sql } from 'drizzle-orm'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, onTestFinished, test, vi } from 'vitest'
import { identityTables } from '#db/embedded.ts'
import { rateLimits } from '#db/schema.ts'
import { accessTokenOf, ada, browserAt, exchangeIdToken, shopWithBrowser } from '#test/identity.ts'
import { type TestShop, testApi, testShop } from '#test/shop.ts'

const { jwks, session } = identityTables
const now = () => Math.floor(Date.now() / 1000)

/** Publishes a new key and returns its signer. */
async function publishedKey(shop: TestShop, alg = 'EdDSA', crv = 'Ed25519') {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = crypto.randomUUID()
  await shop.db.insert(jwks).values({
    id: kid,
    publicKey: JSON.stringify(await exportJWK(publicKey)),
    privateKey: '',
    alg,
    crv,
    createdAt: new Date(0),
    expiresAt: null,
  })
  onTestFinished(async () => void (await shop.db.delete(jwks).where(eq(jwks.id, kid))))
  return (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(privateKey)
}

test('an ID token that is expired, not yet valid or for another audience or issuer is rejected', async () => {
  const { shop, browser } = await shopWithBrowser()
  const { jti, ...claims } = decodeJwt(await browser.idToken())
  const sign = await publishedKey(shop)
  const token = (changes: JWTPayload) => sign({ jti: crypto.randomUUID(), ...claims, ...changes })

  const invalid: Record<string, JWTPayload> = {
    expired: { exp: now() - 1 },
    'without exp': { exp: undefined },
    'not yet valid': { nbf: now() + 60 },
    'another audience': { aud: 'another-shop' },
    'without aud': { aud: undefined },
    'another issuer': { iss: 'https://evil.example' },
    'without iss': { iss: undefined },
    'without sub': { sub: undefined },
    'unknown session': { sid: 'none' },
    'without sid': { sid: undefined },
    'session of another user': { sub: 'somebody' },
  }
  for (const [kind, changes] of Object.entries(invalid))
    expect((await exchangeIdToken(shop, await token(changes), ada.email)).status, kind).toBe(401)
  expect((await exchangeIdToken(shop, await token({}))).status).toBe(200)
})

test('an ID token that is unsigned, altered or signed by another key is rejected', async () => {
  const { shop, browser } = await shopWithBrowser()
  const idToken = await browser.idToken()
  const [header, body, signature] = idToken.split('.') as [string, string, string]
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = decodeJwt(idToken)
  const { keys } = await (await browser.get('/jwks')).json()
  const { kid } = decodeProtectedHeader(idToken)
  const { x } = keys.find((key: { kid: string }) => key.kid === kid)
  const hmacToken = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: kid! })
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const embeddedKey = { alg: 'EdDSA', jwk: await exportJWK(publicKey), kid: kid! }

  const forged = {
    malformed: 'x',
    'alg none without a signature': `${encode({ alg: 'none' })}.${body}.`,
    'alg none with kid and signature': `${encode({ alg: 'none', kid })}.${body}.${signature}`,
    'altered payload': `${header}.${encode({ ...claims, email: 'admin@example.com' })}.${signature}`,
    'HS256 with the public key as the secret': await hmacToken.sign(Buffer.from(x, 'base64url')),
    'key in the jwk header': await new SignJWT(claims).setProtectedHeader(embeddedKey).sign(privateKey),
  }
  for (const [kind, token] of Object.entries(forged))
    expect((await exchangeIdToken(shop, token, ada.email)).status, kind).toBe(401)
  expect((await exchangeIdToken(shop, idToken)).status).toBe(200)
})

test('an ID token signed with another algorithm is rejected, even with a published key', async () => {
  const { shop, browser } = await shopWithBrowser()
  const claims = decodeJwt(await browser.idToken())
  const signWithES256 = await publishedKey(shop, 'ES256', 'P-256')
  expect((await exchangeIdToken(shop, await signWithES256(claims), ada.email)).status).toBe(401)
  const sign = await publishedKey(shop)
  expect((await exchangeIdToken(shop, await sign(claims))).status).toBe(200)
})

test('an ID token works once, and two tokens issued in the same millisecond differ', async () => {
  const { shop, browser } = await shopWithBrowser()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const [one, other] = [await browser.idToken(), await browser.idToken()]
  expect(one).not.toBe(other)
  expect((await exchangeIdToken(shop, one)).status).toBe(200)
  expect((await exchangeIdToken(shop, one)).status).toBe(401)
  expect((await exchangeIdToken(shop, other)).status).toBe(200)
})

test('a user can exchange 600 ID tokens an hour', async () => {
  const shop = await testShop({ rateLimits: true })
  const [ours, theirs] = [browserAt(shop), browserAt(shop)]
  await ours.register()
  await theirs.register({ ...ada, email: 'bob@example.com' })
  const key = `signIn:by:winged-wheels:${decodeJwt(await ours.idToken()).sub}`
  await shop.db.insert(rateLimits).values({ key, points: 599, expire: new Date(Date.now() + 3_600_000) })
  const exchange = async (browser: typeof ours) =>
    (await exchangeIdToken(shop, await browser.idToken())).status
  expect([await exchange(ours), await exchange(ours), await exchange(theirs)]).toEqual([200, 429, 200])
})

test('a used ID token is rejected under every encoding of its signature', async () => {
  const { shop, browser } = await shopWithBrowser()
  const idToken = await browser.idToken()
  expect((await exchangeIdToken(shop, idToken)).status).toBe(200)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last base64url character has unused bits.
  const siblings = alphabet.indexOf(idToken.at(-1)!) & ~15
  const variants = [...alphabet.slice(siblings, siblings + 16)].map((letter) => idToken.slice(0, -1) + letter)
  for (const again of [...variants, `${idToken}==`])
    expect((await exchangeIdToken(shop, again)).status).toBe(401)
})

test('an ID token expires after five minutes or with its session', async () => {
  const { shop, browser } = await shopWithBrowser()
  const idToken = await browser.idToken()
  expect(decodeJwt(idToken).exp! - decodeJwt(idToken).iat!).toBeCloseTo(300)
  await shop.db.update(session).set({ expiresAt: sql`now() - interval '1 second'` })
  expect((await exchangeIdToken(shop, idToken)).status).toBe(401)
})

test('an ID token cannot be exchanged for another email', async () => {
  const { shop, browser } = await shopWithBrowser()
  expect((await exchangeIdToken(shop, await browser.idToken(), 'admin@example.com')).status).toBe(403)
})

test('access tokens and ID tokens are not interchangeable', async () => {
  const { shop, browser } = await shopWithBrowser()
  const token = await accessTokenOf(shop, browser)
  expect((await exchangeIdToken(shop, token, ada.email)).status).toBe(401)
  const headers = { authorization: `Bearer ${await browser.idToken()}` }
  expect((await testApi(shop).request(`/api/admin/${ada.email}`, { headers })).status).toBe(401)
})

test('an expired signing key is published for one more hour and signs nothing', async () => {
  const { shop, browser } = await shopWithBrowser()
  const keyOf = (token: string) => decodeProtectedHeader(token).kid!
  const [first, second] = [await browser.idToken(), await browser.idToken()]
  const isFirst = eq(jwks.id, keyOf(first))
  const [key] = await shop.db.select().from(jwks).where(isFirst)
  expect(key!.expiresAt!.getTime() - key!.createdAt.getTime()).toBeCloseTo(30 * 24 * 3600 * 1000, -4)

  const age = (minutes: number) => {
    const expiresAt = sql`now() - make_interval(mins => ${minutes})`
    return shop.db.update(jwks).set({ expiresAt }).where(isFirst)
  }
  await age(59)
  expect(keyOf(await browser.idToken())).not.toBe(key!.id)
  expect((await exchangeIdToken(shop, first)).status).toBe(200)
  await age(61)
  expect((await exchangeIdToken(shop, second)).status).toBe(401)
  expect((await exchangeIdToken(shop, await browser.idToken())).status).toBe(200)
  const { keys } = await (await browser.get('/jwks')).json()
  expect(keys.map(({ kid }: { kid: string }) => kid)).not.toContain(key!.id)
})
