import { jwtVerify, SignJWT } from 'jose'
import type { Shop } from '#shop/ports.ts'

type Purpose = 'access' | 'upload'

const lifetimes = { access: '1h', upload: '10m' } as const satisfies Record<Purpose, string>

interface TokenClaims {
  _id: string
  tokenVersion: number
}

interface VerifiedToken extends TokenClaims {
  tokenId: string
}

/** `publicClaims` are for the browser only; the server does not trust them. */
export function signToken(
  { secret }: Shop,
  purpose: Purpose,
  tokenUser: TokenClaims,
  publicClaims: Record<string, unknown> = {},
) {
  return new SignJWT({ ...publicClaims, tokenVersion: tokenUser.tokenVersion })
    .setProtectedHeader({ alg: 'HS256', typ: `${purpose}+jwt` })
    .setSubject(tokenUser._id)
    .setJti(crypto.randomUUID())
    .setAudience(purpose)
    .setIssuedAt()
    .setExpirationTime(lifetimes[purpose])
    .sign(secret)
}

/** Returns null when the token is invalid, expired or for another purpose. */
export async function readToken(
  { secret }: Shop,
  purpose: Purpose,
  token: string,
): Promise<VerifiedToken | null> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      typ: `${purpose}+jwt`,
      audience: purpose,
      requiredClaims: ['sub', 'jti', 'exp', 'tokenVersion'],
    })
    const { sub, jti, tokenVersion } = payload
    return { _id: String(sub), tokenId: String(jti), tokenVersion: Number(tokenVersion) }
  } catch {
    return null
  }
}
