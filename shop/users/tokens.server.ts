import { jwtVerify, SignJWT } from 'jose'
import type { Shop } from '#shop/ports.ts'

/** What a token of ours is good for: calling the API for an hour, or uploading one picture within ten minutes. */
type Purpose = 'access' | 'upload'

const lifetime = { access: '1h', upload: '10m' } as const satisfies Record<Purpose, string>

interface Bearer {
  _id: string
  tokenVersion: number
}

interface Read extends Bearer {
  tokenId: string
}

/** A token that speaks for a user. `shown` is what the browser may read from it; the server believes none of it. */
export function signToken(
  { secret }: Shop,
  purpose: Purpose,
  bearer: Bearer,
  shown: Record<string, unknown> = {},
) {
  return new SignJWT({ ...shown, tokenVersion: bearer.tokenVersion })
    .setProtectedHeader({ alg: 'HS256', typ: `${purpose}+jwt` })
    .setSubject(bearer._id)
    .setJti(crypto.randomUUID())
    .setAudience(purpose)
    .setIssuedAt()
    .setExpirationTime(lifetime[purpose])
    .sign(secret)
}

/** Whom a token speaks for, or null when it is not ours, not for this purpose or no longer current. */
export async function readToken({ secret }: Shop, purpose: Purpose, token: string): Promise<Read | null> {
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
