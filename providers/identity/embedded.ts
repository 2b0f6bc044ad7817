import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError } from 'better-auth/api'
import { jwt } from 'better-auth/plugins'
import { eq } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'
import { identityTables } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { personName, picture } from '#shop/fields.ts'
import { limited } from '#shop/limits.server.ts'
import type { Identity } from '#shop/ports.ts'

const issuer = 'winged-wheels'
const audience = 'winged-wheels-shop'

interface Options {
  db: Database
  rateLimits: boolean
  /** Encrypts the signing keys and signs the session cookies. */
  secret: string
  /** The shop's own address, and any other under which it is reached. */
  origins: [string, ...string[]]
}

export interface EmbeddedIdentity extends Identity {
  /** Answers requests under `/identity`. */
  fetch(request: Request, caller: string): Promise<Response>
  /** Makes an account, or finds the one with that address, and answers how its ID tokens will name it. */
  register(person: {
    name: string
    email: string
    password: string
  }): Promise<{ issuer: string; subject: string }>
}

/** Accounts in the shop's own database: email and password, sessions in cookies, ID tokens signed with published keys. */
export function embeddedIdentity({ db, rateLimits, secret, origins }: Options): EmbeddedIdentity {
  const auth = betterAuth({
    baseURL: origins[0],
    basePath: '/identity',
    trustedOrigins: origins,
    secret,
    database: drizzleAdapter(db, { provider: 'pg', schema: identityTables }),
    emailAndPassword: { enabled: true, minPasswordLength: 6, maxPasswordLength: 128 },
    // These links are bound to an address, not to an account, in this version; see docs/decisions.
    disabledPaths: ['/verify-email', '/send-verification-email', '/change-email', '/delete-user'],
    // Said outright, since better-auth would otherwise look at NODE_ENV.
    advanced: {
      disableOriginCheck: false,
      disableCSRFCheck: false,
      useSecureCookies: origins[0].startsWith('https:'),
    },
    rateLimit: { enabled: false },
    logger: { level: 'error', log: (_, message) => console.error('identity:', firstLine(message)) },
    databaseHooks: { user: { create: { before: checkPerson }, update: { before: checkPerson } } },
    telemetry: { enabled: false },
    plugins: [
      jwt({
        jwt: {
          issuer,
          audience,
          expirationTime: '5m',
          definePayload: ({ user }) => ({ email: user.email, name: user.name, picture: user.image }),
        },
      }),
    ],
  })

  return {
    async verify(idToken) {
      const keys = createLocalJWKSet(await auth.api.getJwks())
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience,
        algorithms: ['EdDSA'],
        requiredClaims: ['sub', 'email', 'exp'],
      }).catch(() => {
        throw new ShopError('unauthenticated', 'Please sign in.')
      })
      const { sub, email, name, picture } = payload
      const photoURL = picture ? String(picture) : null
      return { issuer, subject: String(sub), email: String(email), name: String(name ?? email), photoURL }
    },

    async fetch(request, caller) {
      const attempt = await attemptOf(request)
      if (!attempt) return handle(request)
      const keys = [`identity:from:${caller}`, attempt]
      try {
        return await limited({ db, rateLimits }, { keys, most: 10, seconds: 900, counting: 'failures' }, () =>
          succeed(request),
        )
      } catch (error) {
        if (error instanceof Refused) return error.response
        if (error instanceof ShopError && error.retryAfter) return tooMany(error)
        throw error
      }
    },

    async register(person) {
      const { user } = identityTables
      const find = () => db.select({ id: user.id }).from(user).where(eq(user.email, person.email))
      let [account] = await find()
      if (!account) {
        // Of two processes that start together one makes it, and the other finds it.
        await auth.api.signUpEmail({ body: person }).catch(() => {})
        account = (await find())[0]
      }
      if (!account) throw new Error(`no account could be made for ${person.email}`)
      return { issuer, subject: account.id }
    },
  }

  async function handle(request: Request) {
    const response = await auth.handler(request)
    // better-auth also says so when it could not ask the database: then this throws, and nobody is signed out.
    if (response.status === 401 || response.status >= 500) await db.execute('select 1')
    return response
  }

  async function succeed(request: Request) {
    const response = await handle(request)
    if (!response.ok) throw new Refused(response)
    return response
  }
}

const person = z.object({ name: personName, image: picture }).partial()

/** Names and pictures come in here past the forms of the shop, and are shown by it. */
async function checkPerson({ name, image }: { name?: string; image?: string | null | undefined }) {
  const given = { ...(name !== undefined && { name }), ...(image && { image }) }
  const result = person.safeParse(given)
  if (!result.success) throw new APIError('BAD_REQUEST', { message: result.error.issues[0]!.message })
  return { data: result.data }
}

/** A statement's parameters are people's data, and follow on the next lines. */
function firstLine(message: string) {
  return message.split('\n')[0]
}

/** A sign-in or a registration that failed: it counts as an attempt. */
class Refused extends Error {
  readonly response: Response
  constructor(response: Response) {
    super('refused')
    this.response = response
  }
}

/** What an attempt at an account is counted under; null for requests that try none. */
async function attemptOf(request: Request): Promise<string | null> {
  const { pathname } = new URL(request.url)
  if (request.method !== 'POST' || !/^\/identity\/sign-(in|up)\//.test(pathname)) return null
  const body = await request
    .clone()
    .json()
    .catch(() => ({}))
  return `identity:as:${String(body?.email).trim().toLowerCase().slice(0, 254)}`
}

function tooMany({ message, retryAfter }: ShopError) {
  const headers = { 'Retry-After': String(retryAfter) }
  return Response.json({ message, code: 'TOO_MANY_ATTEMPTS' }, { status: 429, headers })
}
