import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { ShopError } from '#shop/errors.ts'
import { emailAddress, personName, pictureUrl } from '#shop/fields.ts'
import type { Person } from '#shop/ports.ts'

const emailSchema = emailAddress('Email is required', 'Provide a valid email')

/** Expects verified claims; drops an invalid name or picture. Throws 'unauthenticated' for an invalid email. */
export function personFromClaims(issuer: string, claims: JWTPayload, idToken: string): Person {
  const { sub, name, picture: photo, iat, exp } = claims
  const email = emailSchema.safeParse(claims.email).data
  if (!email) throw new ShopError('unauthenticated', 'Sign in to continue.')
  return {
    issuer,
    subject: String(sub),
    email,
    emailVerified: claims.email_verified === true,
    name: personName.safeParse(name).data ?? email.split('@')[0]!.slice(0, 80),
    photoURL: pictureUrl.safeParse(photo).data ?? null,
    idToken: {
      // Hashes only the signed part: the signature itself has several valid encodings.
      id: createHash('sha256')
        .update(idToken.slice(0, idToken.lastIndexOf('.')))
        .digest('hex'),
      issuedAt: new Date(Number(iat) * 1000),
      expiresAt: new Date(Number(exp) * 1000),
    },
  }
}
