import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { personName, picture } from '#shop/fields.ts'
import type { Person } from '#shop/ports.ts'

/**
 * Whom a verified ID token with `sub`, `email`, `iat` and `exp` speaks for. A name or a picture that the shop would not
 * show is left out.
 */
export function personOf(issuer: string, claims: JWTPayload, idToken: string): Person {
  const { sub, email, name, picture: photo, iat, exp } = claims
  return {
    issuer,
    subject: String(sub),
    email: String(email),
    name: personName.safeParse(name).data ?? String(email).split('@')[0]!.slice(0, 80),
    photoURL: picture.safeParse(photo).data ?? null,
    idToken: {
      id: createHash('sha256').update(idToken).digest('hex'),
      issuedAt: new Date(Number(iat) * 1000),
      expiresAt: new Date(Number(exp) * 1000),
    },
  }
}
