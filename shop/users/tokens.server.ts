import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Shop } from '#shop/ports.ts'

type Purpose = 'access' | 'upload'

const lifetimeSeconds = { access: 3600, upload: 600 } as const satisfies Record<Purpose, number>

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
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ ...publicClaims, tokenVersion: tokenUser.tokenVersion })
    .setProtectedHeader({ alg: 'HS256', typ: `${purpose}+jwt` })
    .setSubject(tokenUser._id)
    .setJti(crypto.randomUUID())
    .setAudience(purpose)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds[purpose])
    .sign(secret)
}

/**
 * By secret, purpose and token: what its signature proves does not change, and to check it takes longer than anything else in the
 * authentication of a request. The session and the role are not in it.
 */
const verifiedTokens = new WeakMap<Uint8Array, LRUCache<string, VerifiedToken & { expiresAt: number }>>()

/** Returns null when the token is invalid, expired or for another purpose. */
export async function readToken(
  { secret }: Shop,
  purpose: Purpose,
  token: string,
): Promise<VerifiedToken | null> {
  const known = verifiedTokens.get(secret) ?? new LRUCache({ max: 1_000 })
  verifiedTokens.set(secret, known)
  const key = `${purpose} ${token}`
  try {
    const verified = known.get(key) ?? (await verifyToken(secret, purpose, token))
    if (!known.has(key)) known.set(key, verified)
    const { expiresAt, ...claims } = verified
    return expiresAt > Date.now() ? claims : null
  } catch {
    return null
  }
}

async function verifyToken(secret: Uint8Array, purpose: Purpose, token: string) {
  const { payload } = await jwtVerify(token, secret, {
    algorithms: ['HS256'],
    typ: `${purpose}+jwt`,
    audience: purpose,
    requiredClaims: ['sub', 'jti', 'exp', 'tokenVersion'],
  })
  const { sub, jti, exp, tokenVersion } = payload
  return {
    _id: String(sub),
    tokenId: String(jti),
    tokenVersion: Number(tokenVersion),
    expiresAt: exp! * 1_000,
  }
}
