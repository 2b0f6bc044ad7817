import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  UnsecuredJWT,
} from 'jose'
import { ShopError } from '#shop/errors.ts'
import type { Identity, IdentitySettings } from '#shop/ports.ts'
import { personFromClaims } from './claims.ts'

interface Options {
  projectId: string
  apiKey: string
  authDomain: string
  /** Host and port. Emulator tokens are unsigned, so every client can sign in as anybody. */
  emulatorHost?: string
  keys?: URL
}

export interface FirebaseIdentity extends Identity {
  settings: IdentitySettings
}

const googleKeys = new URL(
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
)

/** Seconds. */
const clockTolerance = 60

export function firebaseIdentity(options: Options): FirebaseIdentity {
  const { projectId, apiKey, authDomain, emulatorHost, keys = googleKeys } = options
  const issuer = `https://securetoken.google.com/${projectId}`
  const rules = {
    issuer,
    audience: projectId,
    requiredClaims: ['sub', 'email', 'iat', 'exp', 'auth_time'],
    // The browser requests a fresh token for each exchange.
    maxTokenAge: '5m',
    clockTolerance,
  }
  const getPublishedKey = remoteKeys(keys)

  return {
    settings: {
      kind: 'firebase',
      providers: ['google', 'github'],
      apiKey,
      authDomain,
      projectId,
      emulator: emulatorHost ? `http://${emulatorHost}` : null,
    },

    async verify(idToken) {
      try {
        const { payload } = emulatorHost
          ? UnsecuredJWT.decode(idToken, rules)
          : await jwtVerify(idToken, getPublishedKey, { ...rules, algorithms: ['RS256'] })
        checkClaims(payload)
        // A separate issuer keeps emulator users apart from the real project’s.
        return personFromClaims(emulatorHost ? `emulator of ${issuer}` : issuer, payload, idToken)
      } catch (error) {
        if (error instanceof ShopError) throw error
        throw new ShopError('unauthenticated', 'Sign in to continue.')
      }
    },
  }
}

function checkClaims({ sub, email, auth_time: signedInAt }: JWTPayload) {
  const hasSubject = typeof sub === 'string' && sub.length >= 1 && sub.length <= 128
  const hasSignInTime = typeof signedInAt === 'number' && signedInAt <= Date.now() / 1000 + clockTolerance
  if (!hasSubject || !hasSignInTime || typeof email !== 'string' || !email)
    throw new ShopError('unauthenticated', 'Sign in to continue.')
}

/** An unknown key id rejects the token; any other failure throws 'unavailable'. */
function remoteKeys(url: URL): JWTVerifyGetKey {
  const getKey = createRemoteJWKSet(url)
  return async (header, token) => {
    try {
      return await getKey(header, token)
    } catch (error) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = errors
      if (error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys) throw error
      throw new ShopError('unavailable', 'Signing in isn’t available right now. Try again in a minute.', {
        retryAfter: 60,
      })
    }
  }
}
