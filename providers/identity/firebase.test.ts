import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { firebaseIdentity } from './firebase.ts'

const projectId = 'winged-wheels-test'
const issuer = `https://securetoken.google.com/${projectId}`

const one = await newKey('one')
const two = await newKey('two')

/** What stands in for Google's key server: a real one, whose keys are ours. */
const server = createServer((_, response) => {
  asked++
  response.statusCode = status
  response.end(JSON.stringify({ keys: published }))
})
let asked = 0
let status = 200
let published: JWK[] = [one.jwk]

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const keys = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`)
afterAll(() => server.close())
afterEach(() => {
  vi.useRealTimers()
  status = 200
  published = [one.jwk]
})

async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

function firebase(more: { keys?: URL; emulatorHost?: string } = {}) {
  return firebaseIdentity({
    projectId,
    apiKey: 'key',
    authDomain: `${projectId}.firebaseapp.com`,
    keys,
    ...more,
  })
}

const now = () => Math.floor(Date.now() / 1000)

/** What Firebase says of somebody who has just signed in, with one thing changed or left out. */
function claims(change: Record<string, unknown> = {}): JWTPayload {
  const times = { iat: now(), exp: now() + 3600, auth_time: now() }
  const ada = { sub: 'uid-1', user_id: 'uid-1', email: 'ada@example.com', email_verified: false, name: 'Ada' }
  return { iss: issuer, aud: projectId, ...times, ...ada, ...change }
}

function sign(payload = claims(), { kid, privateKey } = one) {
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
}

function unsigned(payload = claims()) {
  return new UnsecuredJWT(payload).encode()
}

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('an ID token that Firebase signed says who somebody is', async () => {
  const picture = 'https://photos.example/ada.jpg'
  const { verify } = firebase()
  const person = await verify(await sign(claims({ picture })))
  const { idToken, ...ada } = person
  expect(ada).toEqual({ issuer, subject: 'uid-1', email: 'ada@example.com', name: 'Ada', photoURL: picture })
  expect(idToken.expiresAt.getTime() - idToken.issuedAt.getTime()).toBe(3_600_000)
})

test('what the browser has to know is handed out, and an emulator only where there is one', () => {
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

const wrong: Record<string, Record<string, unknown>> = {
  'is for another project': { aud: 'another-project' },
  'is from another issuer': { iss: 'https://securetoken.google.com/another-project' },
  'is from Google itself': { iss: 'https://accounts.google.com' },
  'has run out': { exp: now() - 120 },
  'never runs out': { exp: undefined },
  'says in words when it runs out': { exp: 'tomorrow' },
  'was issued in the future': { iat: now() + 120 },
  'was issued ten minutes ago': { iat: now() - 600 },
  'does not say when it was issued': { iat: undefined },
  'is not good yet': { nbf: now() + 120 },
  'is of somebody who signs in later': { auth_time: now() + 120 },
  'is of somebody who never signed in': { auth_time: undefined },
  'says as text when somebody signed in': { auth_time: String(now()) },
  'is of nobody': { sub: undefined },
  'is of an empty name': { sub: '' },
  'is of a name that is too long': { sub: 'x'.repeat(129) },
  'is of a number': { sub: 7 },
  'has no address': { email: undefined },
  'has an empty address': { email: '' },
  'has a list of addresses': { email: ['ada@example.com'] },
}

for (const [what, change] of Object.entries(wrong)) {
  test(`an ID token that ${what} is worth nothing, whoever signed it`, async () => {
    await expect(firebase().verify(await sign(claims(change)))).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    const emulator = firebase({ emulatorHost: '127.0.0.1:9099' })
    await expect(emulator.verify(unsigned(claims(change)))).rejects.toMatchObject({ code: 'unauthenticated' })
  })
}

test('clocks may differ by a minute', async () => {
  const { verify } = firebase()
  const ahead = { iat: now() + 50, auth_time: now() + 50 }
  expect(await verify(await sign(claims(ahead)))).toMatchObject({ subject: 'uid-1' })
})

test('an ID token that Firebase did not sign is worth nothing', async () => {
  published = [one.jwk, two.jwk]
  const { verify } = firebase()
  const good = await sign()
  const [head, body, signature] = good.split('.') as [string, string, string]
  const publicKey = Buffer.from(JSON.stringify(one.jwk))
  const headed = (header: object) => `${base64({ kid: 'one', ...header })}.${body}.${signature}`
  const withoutName = new SignJWT(claims()).setProtectedHeader({ alg: 'RS256' })

  const forged: Record<string, string> = {
    empty: '',
    'no token': 'x',
    'only dots': '..',
    'nothing inside': `${head}.${base64({})}.${signature}`,
    'no JSON': `${head}.${Buffer.from('{"sub"').toString('base64url')}.${signature}`,
    'signed by nobody': unsigned(),
    'signed by nobody, but with a signature': headed({ alg: 'none' }),
    'with another body': `${head}.${base64(claims({ email: 'admin@example.com' }))}.${signature}`,
    'with another algorithm': headed({ alg: 'RS512' }),
    'signed with the public key': await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(publicKey),
    'signed with the modulus of the public key': await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .sign(Buffer.from(String(one.jwk.n), 'base64url')),
    "signed with somebody else's key": await sign(claims(), { ...(await newKey('one')) }),
    'signed with another of the keys than it says': await sign(claims(), { ...one, kid: 'two' }),
    'signed with a key that nobody knows': await sign(claims(), await newKey('three')),
    'with a path for a key': await sign(claims(), { ...one, kid: '../../one' }),
    'without the name of a key': await withoutName.sign((await newKey('four')).privateKey),
    '64 kB long': `${head}.${base64({ ...claims(), name: 'x'.repeat(48_000) })}.${signature}`,
    'garbage of 64 kB': 'x.'.repeat(32_000),
  }
  for (const [what, token] of Object.entries(forged)) {
    await expect(verify(token), what).rejects.toMatchObject({ code: 'unauthenticated' })
  }
  expect(await verify(good)).toMatchObject({ subject: 'uid-1' })
})

test('a new key of Firebase is found, and keys are not asked for with each unknown name', async () => {
  const { verify } = firebase()
  await verify(await sign())
  const before = asked
  published = [two.jwk]
  await expect(verify(await sign(claims(), two))).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(asked - before).toBe(0)

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
  expect(await verify(await sign(claims(), two))).toMatchObject({ subject: 'uid-1' })
  expect(asked - before).toBe(1)
  await expect(verify(await sign())).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('while the keys cannot be had, people are asked to come back, and then let in', async () => {
  const { verify } = firebase()
  const away = { code: 'unavailable', retryAfter: 60 }
  status = 503
  await expect(verify(await sign())).rejects.toMatchObject(away)
  status = 200
  published = 'none' as unknown as JWK[]
  await expect(verify(await sign())).rejects.toMatchObject(away)
  published = [one.jwk]
  expect(await verify(await sign())).toMatchObject({ subject: 'uid-1' })

  const nobodyThere = firebase({ keys: new URL('http://127.0.0.1:1/keys') })
  await expect(nobodyThere.verify(await sign())).rejects.toMatchObject(away)
})

test('with the emulator only its own unsigned tokens count, and of nobody whom the real project knows', async () => {
  const { verify } = firebase({ emulatorHost: '127.0.0.1:9099' })
  const before = asked
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
  expect(asked - before).toBe(0)
})
