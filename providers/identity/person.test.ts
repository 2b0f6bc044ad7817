import { expect, test } from 'vitest'
import { personFromClaims } from './claims.ts'

const claims = { sub: '1', email: ' Ada@Example.com', name: 'Ada', iat: 1_700_000_000, exp: 1_700_000_300 }
const person = (changes: object = {}, idToken = 'head.body.signature') =>
  personFromClaims('test', { ...claims, ...changes }, idToken)

test('personFromClaims returns the person and the token’s issue and expiry times', () => {
  expect(person({ picture: 'https://example.com/ada.png' })).toMatchObject({
    issuer: 'test',
    subject: '1',
    email: 'ada@example.com',
    name: 'Ada',
    photoURL: 'https://example.com/ada.png',
    idToken: { issuedAt: new Date('2023-11-14T22:13:20Z'), expiresAt: new Date('2023-11-14T22:18:20Z') },
  })
})

test('personFromClaims drops an invalid name or picture', () => {
  for (const name of [undefined, ' ', 'x'.repeat(81)]) expect(person({ name }).name).toBe('ada')
  expect(person({ name: '', email: `${'a'.repeat(90)}@example.com` }).name).toBe('a'.repeat(80))
  expect(person({ picture: 'http://tracker.example/ada.png' }).photoURL).toBeNull()
})

test('personFromClaims treats an email as verified only if email_verified is true', () => {
  expect(person({ email_verified: true }).emailVerified).toBe(true)
  for (const email_verified of [undefined, false, 'true', 1])
    expect(person({ email_verified }).emailVerified).toBe(false)
})

test('personFromClaims rejects an invalid email', () => {
  for (const email of [undefined, 'not an email', 7])
    expect(() => person({ email })).toThrow('Sign in to continue.')
})

test('a token’s id ignores the encoding of its signature', () => {
  const { id } = person().idToken
  expect(person({}, 'head.body.signatur==').idToken.id).toBe(id)
  expect(person({}, 'head.other.signature').idToken.id).not.toBe(id)
})
