import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, gt } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { identityTables } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { forget, limited } from '#shop/limits.server.ts'
import { type Identity, type IdentitySettings, type Mail, signInProviders } from '#shop/ports.ts'
import { attemptsOf, failuresOf } from './attempts.ts'
import { audience, authAt, type Credentials, issuer } from './auth.ts'
import { inQueue } from './passwords.ts'
import { personOf } from './person.ts'
import { inWords, later, Refused, refusal, succeed } from './refusals.ts'
import { standIn } from './test-mode.ts'

interface Options {
  db: Database
  mail: Mail
  rateLimits: boolean
  /** Encrypts the signing keys and signs the session cookies. */
  secret: string
  /** The shop's own address, and any other under which it is reached. */
  origins: [string, ...string[]]
  google?: Credentials | undefined
  github?: Credentials | undefined
  /** Whether a provider without credentials is a page of our own that stands for it; else it does not exist. */
  testMode: boolean
}

export interface EmbeddedIdentity extends Identity {
  settings: IdentitySettings & { kind: 'embedded' }
  /** Answers requests under `/identity`. */
  fetch(request: Request, caller: string): Promise<Response>
  /** Makes an account, or finds the one with that address, and answers how its ID tokens will name it. */
  register(person: {
    name: string
    email: string
    password: string
  }): Promise<{ issuer: string; subject: string }>
}

/** All that is answered under `/identity`, beside the pages of the test mode. better-auth would have more. */
const calls = new Set([
  'POST /sign-up/email',
  'POST /sign-in/email',
  'POST /sign-in/social',
  'GET /callback/google',
  'GET /callback/github',
  'POST /sign-out',
  'GET /token',
  'GET /jwks',
  'GET /get-session',
  'POST /request-password-reset',
  'POST /reset-password',
  'POST /update-user',
])

/** Those that cost a hash. */
const hashing = new Set(['POST /sign-up/email', 'POST /sign-in/email', 'POST /reset-password'])

/** How long asking for a reset takes, in milliseconds: longer than it would where a letter is written. */
const resetTakes = 300

/**
 * Accounts in the shop's own database: email and password, or a login at Google or GitHub; sessions in cookies, ID
 * tokens signed with published keys.
 */
export function embeddedIdentity(options: Options): EmbeddedIdentity {
  const { db, rateLimits, origins, testMode } = options
  const providers = signInProviders.filter((provider) => options[provider] || testMode)
  const played = providers.filter((provider) => !options[provider])

  // Cookies, links and redirects belong to the address that somebody is at. A host that is not ours counts as the first.
  const sites = new Map(origins.map((origin) => [new URL(origin).host, siteAt(origin)]))
  const first = sites.get(new URL(origins[0]).host)!

  return {
    settings: { kind: 'embedded', providers, testMode: played.length > 0 },

    async verify(idToken) {
      const keys = createLocalJWKSet(await first.auth.api.getJwks())
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience,
        algorithms: ['EdDSA'],
        requiredClaims: ['sub', 'email', 'sid', 'jti', 'iat', 'exp'],
      }).catch(stranger)
      const { session } = identityTables
      const mine = and(eq(session.id, String(payload.sid)), eq(session.userId, String(payload.sub)))
      const [open] = await db
        .select({ id: session.id })
        .from(session)
        .where(and(mine, gt(session.expiresAt, new Date())))
      return open ? personOf(issuer, payload, idToken) : stranger()
    },

    async fetch(request, caller) {
      try {
        const response = await answer(request, caller)
        if (new URL(request.url).pathname !== '/identity/jwks')
          response.headers.set('Cache-Control', 'no-store')
        return response
      } catch (error) {
        if (error instanceof ShopError && error.retryAfter) return later(error)
        throw error
      }
    },

    async register(person) {
      const { user } = identityTables
      const find = () => db.select({ id: user.id }).from(user).where(eq(user.email, person.email))
      let [account] = await find()
      if (!account) {
        // Of two processes that start together one makes it, and the other finds it.
        await first.auth.api.signUpEmail({ body: person }).catch(() => {})
        account = (await find())[0]
      }
      if (!account) throw new Error(`no account could be made for ${person.email}`)
      return { issuer, subject: account.id }
    },
  }

  function siteAt(origin: string) {
    const pages = played.map((provider) => ({ provider, ...standIn({ db, origin, provider }) }))
    return { auth: authAt(origin, { ...options, standIns: pages }), pages }
  }

  async function answer(request: Request, caller: string): Promise<Response> {
    const { host, pathname } = new URL(request.url)
    const site = sites.get(host) ?? first
    const page = site.pages.find(({ provider }) => pathname === `/identity/test-mode/${provider}`)
    if (page && /^(GET|POST)$/.test(request.method)) return page.fetch(request)

    const call = `${request.method} ${pathname.replace(/^\/identity(?=\/)/, '')}`
    if (!pathname.startsWith('/identity/') || !calls.has(call)) return refusal(404, 'There is no such page.')
    if (request.method === 'POST' && !isJson(request)) return refusal(415, 'Please send JSON.')

    const work = () => attempt(call, request, caller, () => handle(site, call, request))
    if (hashing.has(call)) return inQueue(work)
    if (call !== 'POST /request-password-reset') return work()
    const [response] = await Promise.all([work(), wait(resetTakes)])
    return response
  }

  async function attempt(call: string, request: Request, caller: string, work: () => Promise<Response>) {
    const attempts = rateLimits && (await attemptsOf(call, request, caller))
    if (!attempts) return work()
    try {
      const response = await limited({ db, rateLimits }, attempts, async () => succeed(await work()))
      if (call === 'POST /reset-password') await forget({ db }, failuresOf(caller))
      return response
    } catch (error) {
      if (error instanceof Refused) return error.response
      throw error
    }
  }

  async function handle({ auth }: typeof first, call: string, request: Request) {
    const response = await auth.handler(request)
    // better-auth also says so when it could not ask the database: then this throws, and nobody is signed out.
    if (response.status === 401 || response.status >= 500) await db.execute('select 1')
    if (call === 'POST /sign-out' && response.ok) await checkSignedOut(auth, request)
    return response.status >= 400 ? inWords(response) : response
  }

  /** better-auth says that somebody is signed out also when their session could not be ended. */
  async function checkSignedOut(auth: (typeof first)['auth'], { headers }: Request) {
    const query = { disableRefresh: true }
    const left = await auth.api.getSession({ headers, query }).catch(() => true)
    if (left)
      throw new ShopError('unavailable', 'Signing out did not work. Please try again.', { retryAfter: 5 })
  }
}

function stranger(): never {
  throw new ShopError('unauthenticated', 'Please sign in.')
}

function isJson({ headers }: Request) {
  return /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}
