import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { firebaseIdentity } from './firebase.ts'

const projectId = 'winged-wheels-test'
const issuer = `https://securetoken.google.com/${projectId}`

const firstKey = await newKey('one')
const secondKey = await newKey('two')

/** A real key server with the test’s keys. */
const server = createServer((_, response) => {
  fetchCount++
  response.statusCode = status
  response.end(JSON.stringify({ keys: published }))
})
let fetchCount = 0
let status = 200
let published: JWK[] = [firstKey.jwk]

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const keys = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`)
afterAll(() => server.close())
afterEach(() => {
  vi.useRealTimers()
  status = 200
  published = [firstKey.jwk]
})

async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

function firebase(overrides: { keys?: URL; emulatorHost?: string } = {}) {
  return firebaseIdentity({
    projectId,
    apiKey: 'key',
    authDomain: `${projectId}.firebaseapp.com`,
    keys,
    ...overrides,
  })
}

const now = () => Math.floor(Date.now() / 1000)

/** Valid claims; undefined removes one. */
function claims(changes: Record<string, unknown> = {}): JWTPayload {
  const times = { iat: now(), exp: now() + 3600, auth_time: now() }
  const ada = { sub: 'uid-1', user_id: 'uid-1', email: 'ada@example.com', email_verified: false, name: 'Ada' }
  return { iss: issuer, aud: projectId, ...times, ...ada, ...changes }
}

function sign(payload = claims(), { kid, privateKey } = firstKey) {
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
}

function unsigned(payload = claims()) {
  return new UnsecuredJWT(payload).encode()
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('verify returns the person of a token signed by Firebase', async () => {
  const picture = 'https://photos.example/ada.jpg'
  const { verify } = firebase()
  const person = await verify(await sign(claims({ picture })))
  const { idToken, ...ada } = person
  const email = { email: 'ada@example.com', emailVerified: false }
  expect(ada).toEqual({ issuer, subject: 'uid-1', ...email, name: 'Ada', photoURL: picture })
  expect(await verify(await sign(claims({ email_verified: true })))).toMatchObject({ emailVerified: true })
  expect(idToken.expiresAt.getTime() - idToken.issuedAt.getTime()).toBe(3_600_000)
})

test('settings contain the browser’s configuration, and the emulator only when configured', () => {
  const settings = { kind: 'firebase', providers: ['google', 'github'], apiKey: 'key', projectId }
  expect(firebase().settings).toEqual({
    ...settings,
    authDomain: `${projectId}.firebaseapp.com`,
    emulator: null,
  })
  expect(firebase({ emulatorHost: '127.0.0.1:9099' }).settings).toMatchObject({
    emulator: 'http://127.0.0.1:9099',
  })
})

const invalidClaims: Record<string, Record<string, unknown>> = {
  'is for another project': { aud: 'another-project' },
  'is from another issuer': { iss: 'https://securetoken.google.com/another-project' },
  'is issued by Google accounts': { iss: 'https://accounts.google.com' },
  'has expired': { exp: now() - 120 },
  'has no expiry': { exp: undefined },
  'has an expiry that is not a number': { exp: 'tomorrow' },
  'was issued in the future': { iat: now() + 120 },
  'was issued ten minutes ago': { iat: now() - 600 },
  'has no issue time': { iat: undefined },
  'is not yet valid': { nbf: now() + 120 },
  'has a future sign-in time': { auth_time: now() + 120 },
  'has no sign-in time': { auth_time: undefined },
  'has a sign-in time that is not a number': { auth_time: String(now()) },
  'has no subject': { sub: undefined },
  'has an empty subject': { sub: '' },
  'has a subject that is too long': { sub: 'x'.repeat(129) },
  'has a numeric subject': { sub: 7 },
  'has no email': { email: undefined },
  'has an empty email': { email: '' },
  'has a list of emails': { email: ['ada@example.com'] },
}

for (const [what, changes] of Object.entries(invalidClaims)) {
  test(`verify rejects an ID token that ${what}`, async () => {
    await expect(firebase().verify(await sign(claims(changes)))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const emulator = firebase({ emulatorHost: '127.0.0.1:9099' })
    await expect(emulator.verify(unsigned(claims(changes)))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })
}

test('verify tolerates a clock skew of one minute', async () => {
  const { verify } = firebase()
  const ahead = { iat: now() + 50, auth_time: now() + 50 }
  expect(await verify(await sign(claims(ahead)))).toMatchObject({ subject: 'uid-1' })
})

test('verify rejects an ID token that Firebase did not sign', async () => {
  published = [firstKey.jwk, secondKey.jwk]
  const { verify } = firebase()
  const valid = await sign()
  const [head, body, signature] = valid.split('.') as [string, string, string]
  const publicKey = Buffer.from(JSON.stringify(firstKey.jwk))
  const withHeader = (header: object) => `${base64({ kid: 'one', ...header })}.${body}.${signature}`
  const withoutKeyId = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' })

  const forged: Record<string, string> = {
    empty: '',
    malformed: 'x',
    'empty segments': '..',
    'empty payload': `${head}.${base64({})}.${signature}`,
    'payload that is not JSON': `${head}.${Buffer.from('{"sub"').toString('base64url')}.${signature}`,
    unsecured: unsigned(),
    'alg none with a signature': withHeader({ alg: 'none' }),
    'altered payload': `${head}.${base64(claims({ email: 'admin@example.com' }))}.${signature}`,
    'another alg': withHeader({ alg: 'RS512' }),
    'HS256 with the public key as the secret': await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(publicKey),
    'HS256 with the modulus as the secret': await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(Buffer.from(String(firstKey.jwk.n), 'base64url')),
    'unpublished key with a published kid': await sign(claims(), { ...(await newKey('one')) }),
    'kid of another key': await sign(claims(), { ...firstKey, kid: 'two' }),
    'unknown kid': await sign(claims(), await newKey('three')),
    'path as kid': await sign(claims(), { ...firstKey, kid: '../../one' }),
    'without kid': await withoutKeyId.sign((await newKey('four')).privateKey),
    '64 kB payload': `${head}.${base64({ ...claims(), name: 'x'.repeat(48_000) })}.${signature}`,
    '64 kB of garbage': 'x.'.repeat(32_000),
  }
  for (const [what, token] of Object.entries(forged)) {
    await expect(verify(token), what).rejects.toMatchObject({ code: 'unauthenticated' })
  }
  expect(await verify(valid)).toMatchObject({ subject: 'uid-1' })
})

test('verify finds a rotated key without fetching the keys for every unknown key id', async () => {
  const { verify } = firebase()
  await verify(await sign())
  const before = fetchCount
  published = [secondKey.jwk]
  await expect(verify(await sign(claims(), secondKey))).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(fetchCount - before).toBe(0)

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  expect(await verify(await sign(claims(), secondKey))).toMatchObject({ subject: 'uid-1' })
  expect(fetchCount - before).toBe(1)
  await expect(verify(await sign())).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('verify throws unavailable while the keys cannot be fetched, and recovers', async () => {
  const { verify } = firebase()
  const unavailable = { code: 'unavailable', retryAfter: 60 }
  status = 503
  await expect(verify(await sign())).rejects.toMatchObject(unavailable)
  status = 200
  published = 'none' as unknown as JWK[]
  await expect(verify(await sign())).rejects.toMatchObject(unavailable)
  published = [firstKey.jwk]
  expect(await verify(await sign())).toMatchObject({ subject: 'uid-1' })

  const unreachable = firebase({ keys: new URL('http://127.0.0.1:1/keys') })
  await expect(unreachable.verify(await sign())).rejects.toMatchObject(unavailable)
})

test('with the emulator, verify accepts only unsigned tokens, under a separate issuer', async () => {
  const { verify } = firebase({ emulatorHost: '127.0.0.1:9099' })
  const before = fetchCount
  expect(await verify(unsigned())).toMatchObject({ issuer: `emulator of ${issuer}`, subject: 'uid-1' })
  const refused = {
    'signed by Firebase': await sign(),
    'unsigned with a signature': `${unsigned()}c2ln`,
    'signed for another project': await sign(claims({ aud: 'another-project' })),
    garbage: 'x',
  }
  for (const [what, token] of Object.entries(refused)) {
    await expect(verify(token), what).rejects.toMatchObject({ code: 'unauthenticated' })
  }
  expect(fetchCount - before).toBe(0)
})
