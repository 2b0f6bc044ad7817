import { UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { readTokenClaims } from './token-claims.ts'

test('readTokenClaims reads what a token says, also beyond ASCII, and throws for what is no token', () => {
  const claims = { email: 'zoe@example.com', name: 'Zoë Łuczak ÿ?>~ 🚲' }
  const token = new UnsecuredJWT(claims).encode()
  expect(token).toMatch(/[-_]/)
  expect(readTokenClaims(token)).toEqual(claims)
  for (const other of ['', 'token', 'a.b.c', `${token.slice(0, 20)}.`])
    expect(() => readTokenClaims(other), other).toThrow()
})
