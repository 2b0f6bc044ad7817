import { setTimeout as delay } from 'node:timers/promises'
import { and, eq, gt, lt } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { identityTables } from '#db/embedded.ts'
import type { Database, Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import {
  type Identity,
  type IdentitySettings,
  type Mail,
  providerNames,
  type SignInProvider,
} from '#shop/ports.ts'
import { clientNetwork } from '#shop/rate-limits.server.ts'
import { attempt, readEmail, trustDevice } from './attempts.ts'
import { audience, type ClaimAccount, type Credentials, createAuth, isConfirmed, issuer } from './auth.ts'
import { personFromClaims } from './claims.ts'
import { knownDevices } from './known-devices.ts'
import { isLocalName } from './local-names.ts'
import { refuseCommonPassword } from './passwords.ts'
import { bufferRequest, isJson, keepInShop, readSocialSignIn } from './requests.ts'
import {
  errorResponse,
  expiredLinkMessage,
  readErrorCode,
  retryLaterResponse,
  withoutSessionToken,
  withShopMessage,
} from './responses.ts'
import { type TestProvider, testProvider } from './test-provider.ts'

interface Options {
  db: Database
  mail: Mail
  rateLimits: boolean
  /** As in `Shop`. */
  imageOrigin: string | null
  claimAccount: ClaimAccount
  secret: string
  /** Requests to an unknown host are treated as the first. */
  origins: [string, ...string[]]
  /** Whether the machine's other names in a local network are known hosts, too. */
  isOnLocalNetwork?: boolean
  google?: Credentials | undefined
  github?: Credentials | undefined
  /** Providers without credentials are simulated in test mode, and missing otherwise. */
  testMode: boolean
}

export interface EmbeddedIdentity extends Identity {
  settings: IdentitySettings & { kind: 'embedded' }
  fetch(request: Request, clientAddress: string): Promise<Response>
  /** Creates the account unless the email exists; returns its token identity. */
  register(person: {
    name: string
    email: string
    password: string
  }): Promise<{ issuer: string; subject: string }>
  /** Deletes expired sessions, reset links and OAuth state, and sessions that began 30 days ago. */
  purgeExpired(): Promise<void>
}

/** Each use extends a session by a week, without an end of better-auth's own. */
const maxSessionMs = 30 * 24 * 60 * 60 * 1000

/** Allowlist: better-auth has more endpoints. */
export const endpoints = new Set([
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
  'POST /check-reset-link',
  'POST /update-user',
])

const setsPassword = new Set(['POST /sign-up/email', 'POST /reset-password'])
const sessionEndpoints = new Set(['POST /sign-up/email', 'POST /sign-in/email', 'GET /get-session'])

/** Minimum milliseconds against timing attacks on account existence: for failures of the first, all responses of the second. */
const minDurationsMs = new Map([
  ['POST /sign-in/email', 100],
  ['POST /request-password-reset', 300],
])

export function embeddedIdentity(options: Options): EmbeddedIdentity {
  const { db, origins, testMode } = options
  const all = Object.keys(providerNames) as SignInProvider[]
  const providers = all.filter((provider) => options[provider] || testMode)
  const simulated = providers.filter((provider) => !options[provider])

  const resets = new WeakMap<Request, string>()
  // Cookies, links and redirects use the request’s origin.
  const sites = new Map(origins.map((origin) => [new URL(origin).host, siteAt(origin)]))
  const defaultSite = sites.get(new URL(origins[0]).host)!
  const localSites = new LRUCache<string, Site>({ max: 20 })
  const route = identityRouter(options, findSite, resets)

  return {
    settings: { kind: 'embedded', providers, testMode: simulated },

    async verify(idToken) {
      const keys = createLocalJWKSet(await defaultSite.auth.api.getJwks())
      const { payload } = await jwtVerify(idToken, keys, {
        issuer,
        audience,
        algorithms: ['EdDSA'],
        requiredClaims: ['sub', 'email', 'sid', 'jti', 'iat', 'exp'],
      }).catch(throwUnauthenticated)
      const { session } = identityTables
      const isOwn = and(eq(session.id, String(payload.sid)), eq(session.userId, String(payload.sub)))
      const [activeSession] = await db
        .select({ id: session.id })
        .from(session)
        .where(and(isOwn, gt(session.expiresAt, new Date())))
      return activeSession ? personFromClaims(issuer, payload, idToken) : throwUnauthenticated()
    },

    async fetch(request, clientAddress) {
      try {
        const response = await route(request, clientAddress)
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
        // A concurrently starting process may have created it.
        const result = await defaultSite.auth.api
          .signUpEmail({ body: person })
          .catch((error: unknown) => ({ error }))
        account = (await find())[0]
        if (!account) throw new Error(`could not create the account ${person.email}`, { cause: result })
      }
      return { issuer, subject: account.id }
    },

    async purgeExpired() {
      const { session, verification } = identityTables
      for (const table of [session, verification])
        await db.delete(table).where(lt(table.expiresAt, new Date()))
      await db.delete(session).where(lt(session.createdAt, new Date(Date.now() - maxSessionMs)))
    },
  }

  function findSite(host: string): Site {
    const known = sites.get(host) ?? localSites.get(host)
    if (known || !options.isOnLocalNetwork || !isLocalName(host)) return known ?? defaultSite
    const site = siteAt(`http://${host}`)
    localSites.set(host, site)
    return site
  }

  function siteAt(origin: string): Site {
    const pages = simulated.map((provider) => ({ provider, ...testProvider({ db, origin, provider }) }))
    const onReset = (request: Request | undefined, email: string) => request && resets.set(request, email)
    return {
      origin,
      auth: createAuth(origin, { ...options, testProviders: pages, onReset }),
      devices: knownDevices(db, options.secret, origin.startsWith('https:')),
      pages,
    }
  }
}

/** What depends on the origin: better-auth, the cookies of devices, and the pages of simulated providers. */
interface Site {
  origin: string
  auth: ReturnType<typeof createAuth>
  devices: ReturnType<typeof knownDevices>
  pages: ({ provider: SignInProvider } & TestProvider)[]
}

function identityRouter(
  { db, rateLimits }: Options,
  findSite: (host: string) => Site,
  resets: WeakMap<Request, string>,
) {
  return route

  async function route(request: Request, clientAddress: string): Promise<Response> {
    const { host, pathname } = new URL(request.url)
    const site = findSite(host)
    const page = site.pages.find(({ provider }) => pathname === `/identity/test-mode/${provider}`)
    if (page && /^(GET|POST)$/.test(request.method)) return page.fetch(request)

    const call = `${request.method} ${pathname.replace(/^\/identity(?=\/)/, '')}`
    if (!pathname.startsWith('/identity/') || !endpoints.has(call))
      return errorResponse(404, 'Page not found.')
    if (request.method === 'POST' && !isJson(request)) return errorResponse(415, 'Send the request as JSON.')

    const buffered = await prepareRequest(call, request)
    if (buffered instanceof Response) return buffered
    // better-auth would use up a reset link first.
    if (setsPassword.has(call)) await refuseCommonPassword(buffered)
    const network = clientNetwork(clientAddress)
    const { devices } = site
    const minDuration = delay(minDurationsMs.get(call) ?? 0)
    const details = { call, request: buffered, network, devices }
    const checked = async () => keepInShop(await handle(site, call, buffered), site.origin)
    const response = await attempt({ db, rateLimits }, details, checked)
    const email = resets.get(buffered)
    if (email && response.ok) await trustDevice({ db }, { network, devices }, email, response)
    if (call !== 'POST /sign-in/email' || !response.ok) await minDuration
    return response
  }

  async function prepareRequest(call: string, request: Request): Promise<Request | Response> {
    if (request.method !== 'POST') return request
    const buffered = await bufferRequest(request)
    if (call !== 'POST /sign-in/social') return buffered
    const start = await readSocialSignIn(buffered)
    return start ?? errorResponse(403, 'Start again from the login page.', 'INVALID_CALLBACK_URL')
  }

  async function handle({ auth }: Site, call: string, request: Request) {
    if (call === 'POST /check-reset-link') return checkResetLink(auth, request)
    if (call === 'POST /sign-in/email') return signInUnlessReset(auth, request)
    return answer(auth, call, request)
  }

  /** A reset ends all sessions: it must not miss one whose old password is being verified meanwhile. */
  async function signInUnlessReset(auth: Site['auth'], request: Request) {
    const email = await readEmail(request)
    const before = await readPassword(db, email)
    const response = await answer(auth, 'POST /sign-in/email', request)
    if (!response.ok) return response
    const after = await readPassword(db, email)
    if (after?.hash === before?.hash) return response
    const { session } = identityTables
    await db.delete(session).where(eq(session.userId, after!.userId))
    return errorResponse(401, 'Invalid email or password', 'INVALID_EMAIL_OR_PASSWORD')
  }

  async function answer(auth: Site['auth'], call: string, request: Request) {
    const copy = request.clone()
    let response = await auth.handler(request)
    // Another registration with this email was faster: better-auth says so when it looks again.
    if ((await readErrorCode(response)) === 'FAILED_TO_CREATE_USER') response = await auth.handler(copy)
    // better-auth also answers 401 when the database is down; this query throws then.
    if (response.status === 401 || response.status >= 500) await db.execute('select 1')
    if (call === 'POST /sign-out' && response.ok) await checkSignedOut(auth, request)
    if (response.ok && sessionEndpoints.has(call)) return withoutSessionToken(response)
    return response.status >= 400 ? withShopMessage(response) : response
  }

  /** Unlike better-auth's own check, neither redirects nor has the code in the URL. */
  async function checkResetLink(auth: Site['auth'], request: Request) {
    const body = await request.json().catch(() => null)
    const { token } = z.object({ token: z.string() }).safeParse(body).data ?? {}
    const { internalAdapter } = await auth.$context
    const link = token && (await internalAdapter.findVerificationValue(`reset-password:${token}`))
    const account = link && link.expiresAt > new Date() && (await internalAdapter.findUserById(link.value))
    if (!account) return errorResponse(400, expiredLinkMessage, 'INVALID_TOKEN')
    const isUnconfirmed = !(await isConfirmed(db, account.email))
    return Response.json({ status: true, email: account.email, isUnconfirmed })
  }

  /** better-auth reports success even when the session could not be deleted. */
  async function checkSignedOut(auth: Site['auth'], { headers }: Request) {
    const query = { disableRefresh: true }
    const remaining = await auth.api.getSession({ headers, query }).catch(() => true)
    if (remaining)
      throw new ShopError('unavailable', 'We couldn’t sign you out. Try again.', { retryAfter: 5 })
  }
}

async function readPassword(db: Queries, email: string) {
  const { account, user } = identityTables
  const [found] = await db
    .select({ userId: account.userId, hash: account.password })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(user.email, email.toLowerCase()), eq(account.providerId, 'credential')))
  return found
}

function throwUnauthenticated(): never {
  throw new ShopError('unauthenticated', 'Sign in to continue.')
}
