import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, gt, lt } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { identityTables } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import {
  type Identity,
  type IdentitySettings,
  type Mail,
  providerNames,
  type SignInProvider,
} from '#shop/ports.ts'
import { networkOf, resetRateLimits, withRateLimit } from '#shop/rate-limits.server.ts'
import { attemptsOf, failuresOf } from './attempts.ts'
import { audience, authAt, type Credentials, issuer } from './auth.ts'
import { personFromClaims } from './claims.ts'
import {
  errorResponse,
  RefusedError,
  retryLaterResponse,
  throwIfRefused,
  withShopMessage,
} from './error-responses.ts'
import { inHashQueue } from './passwords.ts'
import { testProvider } from './test-provider.ts'

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
  /** Forgets sessions, links and questions to providers whose time is over. */
  tidy(): Promise<void>
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

/**
 * How long an answer takes at least that would otherwise tell by its time who has an account, in milliseconds: a refusal
 * of the first, any answer of the second.
 */
const takes = new Map([
  ['POST /sign-in/email', 100],
  ['POST /request-password-reset', 300],
])

/**
 * Accounts in the shop's own database: email and password, or a login at Google or GitHub; sessions in cookies, ID
 * tokens signed with published keys.
 */
export function embeddedIdentity(options: Options): EmbeddedIdentity {
  const { db, rateLimits, origins, testMode } = options
  const all = Object.keys(providerNames) as SignInProvider[]
  const providers = all.filter((provider) => options[provider] || testMode)
  const played = providers.filter((provider) => !options[provider])

  // Cookies, links and redirects belong to the address that somebody is at. A host that is not ours counts as the first.
  const sites = new Map(origins.map((origin) => [new URL(origin).host, siteAt(origin)]))
  const first = sites.get(new URL(origins[0]).host)!

  return {
    settings: { kind: 'embedded', providers, testMode: played },

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
      return open ? personFromClaims(issuer, payload, idToken) : stranger()
    },

    async fetch(request, caller) {
      try {
        const response = await answer(request, caller)
        if (new URL(request.url).pathname !== '/identity/jwks')
          response.headers.set('Cache-Control', 'no-store')
        return response
      } catch (error) {
        if (error instanceof ShopError && error.retryAfter) return retryLaterResponse(error)
        if (error instanceof ShopError && error.code === 'invalid') return errorResponse(400, error.message)
        throw error
      }
    },

    async register(person) {
      const { user } = identityTables
      const find = () => db.select({ id: user.id }).from(user).where(eq(user.email, person.email))
      let [account] = await find()
      if (!account) {
        // Of two processes that start together one makes it, and the other finds it.
        const made = await first.auth.api.signUpEmail({ body: person }).catch((error: unknown) => ({ error }))
        account = (await find())[0]
        if (!account) throw new Error(`no account could be made for ${person.email}`, { cause: made })
      }
      return { issuer, subject: account.id }
    },

    async tidy() {
      const { session, verification } = identityTables
      for (const table of [session, verification])
        await db.delete(table).where(lt(table.expiresAt, new Date()))
    },
  }

  function siteAt(origin: string) {
    const pages = played.map((provider) => ({ provider, ...testProvider({ db, origin, provider }) }))
    return { auth: authAt(origin, { ...options, standIns: pages }), pages }
  }

  async function answer(request: Request, caller: string): Promise<Response> {
    const { host, pathname } = new URL(request.url)
    const site = sites.get(host) ?? first
    const page = site.pages.find(({ provider }) => pathname === `/identity/test-mode/${provider}`)
    if (page && /^(GET|POST)$/.test(request.method)) return page.fetch(request)

    const call = `${request.method} ${pathname.replace(/^\/identity(?=\/)/, '')}`
    if (!pathname.startsWith('/identity/') || !calls.has(call))
      return errorResponse(404, 'There is no such page.')
    if (request.method === 'POST' && !isJson(request)) return errorResponse(415, 'Please send JSON.')

    const asked = request.method === 'POST' ? await whole(request) : request
    const from = networkOf(caller)
    const work = () => attempt(call, asked, from, () => handle(site, call, asked))
    const least = wait(takes.get(call) ?? 0)
    const response = await (hashing.has(call) ? inHashQueue(from, work) : work())
    if (call !== 'POST /sign-in/email' || !response.ok) await least
    return response
  }

  async function attempt(call: string, request: Request, from: string, work: () => Promise<Response>) {
    if (!rateLimits) return work()
    const all = await attemptsOf(call, request, from)
    const tried = async () => throwIfRefused(await work())
    try {
      const response = await all.reduce(
        (work, attempts) => () => withRateLimit({ db, rateLimits }, attempts, work),
        tried,
      )()
      if (call === 'POST /reset-password') await resetRateLimits({ db }, failuresOf(from))
      return response
    } catch (error) {
      if (error instanceof RefusedError) return error.response
      throw error
    }
  }

  async function handle({ auth }: typeof first, call: string, request: Request) {
    const response = await auth.handler(request)
    // better-auth also says so when it could not ask the database: then this throws, and nobody is signed out.
    if (response.status === 401 || response.status >= 500) await db.execute('select 1')
    if (call === 'POST /sign-out' && response.ok) await checkSignedOut(auth, request)
    return response.status >= 400 ? withShopMessage(response) : response
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

/** With its body, so that somebody who sends slowly keeps nobody waiting. Throws ShopError 'invalid' for a NUL in it. */
async function whole(request: Request) {
  const { url, method, headers } = request
  const body = await request.text()
  if (/\\u0000|\0/.test(body))
    throw new ShopError('invalid', 'There is a character in it that cannot be stored.')
  return new Request(url, { method, headers, body })
}

function isJson({ headers }: Request) {
  return /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}
