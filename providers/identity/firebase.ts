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
  /** Host and port of the emulator. It signs nothing, so with it whoever can reach the shop may be anybody. */
  emulatorHost?: string
  /** Where the keys are that ID tokens are signed with. */
  keys?: URL
}

export interface FirebaseIdentity extends Identity {
  settings: IdentitySettings
}

const googleKeys = new URL(
  'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
)

/** Seconds. An ID token is brought here as soon as it is made, by a clock that may be ahead of this one. */
const clockTolerance = 60

/** Accounts at Firebase Authentication: its ID tokens are checked against the keys that it publishes. */
export function firebaseIdentity(options: Options): FirebaseIdentity {
  const { projectId, apiKey, authDomain, emulatorHost, keys = googleKeys } = options
  const issuer = `https://securetoken.google.com/${projectId}`
  const rules = {
    issuer,
    audience: projectId,
    requiredClaims: ['sub', 'email', 'iat', 'exp', 'auth_time'],
    // The browser asks for a new one each time; one that somebody found later is worth nothing.
    maxTokenAge: '5m',
    clockTolerance,
  }
  const findKey = publishedKeys(keys)

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
          : await jwtVerify(idToken, findKey, { ...rules, algorithms: ['RS256'] })
        checkClaims(payload)
        // Whoever the emulator let in is nobody in the real project.
        return personFromClaims(emulatorHost ? `emulator of ${issuer}` : issuer, payload, idToken)
      } catch (error) {
        if (error instanceof ShopError) throw error
        throw new ShopError('unauthenticated', 'Please sign in.')
      }
    },
  }
}

/** Firebase's own rules beside those that every such token obeys. */
function checkClaims({ sub, email, auth_time: signedInAt }: JWTPayload) {
  const named = typeof sub === 'string' && sub.length >= 1 && sub.length <= 128
  const past = typeof signedInAt === 'number' && signedInAt <= Date.now() / 1000 + clockTolerance
  if (!named || !past || typeof email !== 'string' || !email)
    throw new ShopError('unauthenticated', 'Please sign in.')
}

/** Finds the key of a token. That it names none is the token's fault; any other failure says nothing about it. */
function publishedKeys(address: URL): JWTVerifyGetKey {
  const find = createRemoteJWKSet(address)
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (error) {
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = errors
      if (error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys) throw error
      throw new ShopError('unavailable', 'Signing in is not possible now. Please try again in a minute.', {
        retryAfter: 60,
      })
    }
  }
}
