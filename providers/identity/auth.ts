import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError, isAPIError } from 'better-auth/api'
import { genericOAuth, jwt } from 'better-auth/plugins'
import { and, eq, isNotNull } from 'drizzle-orm'
import { z } from 'zod'
import { identityTables } from '#db/embedded.ts'
import { type Database, users } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import { emailAddress, personName, pictureUrl } from '#shop/fields.ts'
import { ownPictureUrl } from '#shop/photos/photos.server.ts'
import type { Mail, Person } from '#shop/ports.ts'
import { type RateLimit, withRateLimits } from '#shop/rate-limits.server.ts'
import { nameOfMailbox } from '#shop/users/claim.server.ts'
import { ignoreRateLimit } from '#shop/users/unconfirmed-emails.server.ts'
import { revokeTokens } from '#shop/users/users.server.ts'
import { log } from '#telemetry/log.ts'
import { throttledLog } from './log.ts'
import { hashPassword, maxPasswordLength, verifyPassword } from './passwords.ts'
import type { TestProvider } from './test-provider.ts'

export const issuer = 'winged-wheels'
export const audience = 'winged-wheels-shop'
const daySeconds = 24 * 60 * 60
const hourSeconds = 60 * 60

export interface Credentials {
  clientId: string
  clientSecret: string
}

/** Called when a new password was set: its link proved the mailbox. Returns whether nobody had confirmed the account. */
export type ClaimAccount = (person: Pick<Person, 'issuer' | 'subject'>) => Promise<boolean>

interface Options {
  db: Database
  mail: Mail
  secret: string
  rateLimits: boolean
  imageOrigin: string | null
  google?: Credentials | undefined
  github?: Credentials | undefined
  testProviders: TestProvider[]
  claimAccount: ClaimAccount
  onReset: (request: Request | undefined, email: string) => void
}

export function createAuth(origin: string, options: Options) {
  const { db, mail, secret, rateLimits, google, github, testProviders, claimAccount, onReset } = options
  const isSecure = origin.startsWith('https:')
  const validateOwnPerson = ownPersonValidator({ ...options, origin })
  const logError = throttledLog((line) => log.error(`identity: ${line}`))
  return betterAuth({
    baseURL: origin,
    basePath: '/identity',
    secret,
    database: drizzleAdapter(db, { provider: 'pg', schema: identityTables }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 6,
      maxPasswordLength,
      password: { hash: hashPassword, verify: verifyPassword },
      // As long as the limits below: whoever uses them up leaves working links in the owner's mailbox.
      resetPasswordTokenExpiresIn: daySeconds,
      revokeSessionsOnPasswordReset: true,
      async sendResetPassword({ user, token }) {
        const send = () => mail.send(resetEmail(mail, user, `${origin}/reset-password?token=${token}`))
        // The response tells nobody whether there is an account, so it cannot tell of this limit either.
        await withRateLimits({ db, rateLimits }, await strangerLimits(db, user), send).catch(ignoreRateLimit)
      },
      async onPasswordReset({ user }, request) {
        await db.delete(identityTables.verification).where(eq(identityTables.verification.value, user.id))
        await endSessions(db, user.id)
        if (await claimAccount({ issuer, subject: user.id })) await removeChoices(db, user)
        onReset(request, user.email)
      },
    },
    verification: { storeIdentifier: 'hashed' },
    socialProviders: {
      ...(google && { google: { ...google, disableIdTokenSignIn: true, prompt: 'select_account' as const } }),
      ...(github && { github }),
    },
    account: { accountLinking: { enabled: false }, updateAccountOnSignIn: false },
    onAPIError: { errorURL: '/login', onError: rethrow },
    // Explicit, since better-auth’s defaults depend on NODE_ENV.
    advanced: {
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // `__Host-` needs no domain and is not better-auth’s own prefix.
      useSecureCookies: false,
      cookiePrefix: isSecure ? '__Host-winged-wheels' : 'winged-wheels',
      defaultCookieAttributes: { secure: isSecure },
      ipAddress: { disableIpTracking: true },
    },
    rateLimit: { enabled: false },
    // With `level` set, better-auth would log each error a second time, bypassing this logger.
    logger: { log: (level, message, error) => level === 'error' && logError(message || String(error)) },
    databaseHooks: {
      user: {
        create: {
          before: (user, context) =>
            context?.path === '/sign-up/email' ? validateOwnPerson(user) : validateSocialPerson(user),
        },
        update: { before: (user) => ('emailVerified' in user ? refuse() : validateOwnPerson(user)) },
      },
      account: { create: { before: clearTokens } },
      // Before: no session ends while its access tokens are valid. After: for tokens issued in between.
      session: {
        create: { before: clearUserAgent },
        delete: { before: revokeAllTokens, after: revokeAllTokens },
      },
    },
    telemetry: { enabled: false },
    plugins: [idTokens(), genericOAuth({ config: testProviders.map(({ config }) => config) })],
  })

  async function revokeAllTokens({ userId }: { userId: string }) {
    await revokeTokens({ db }, { issuer, subject: userId })
  }
}

/** Earlier than better-auth does, so that nobody who was signed in adds to the account that is being claimed. */
async function endSessions(db: Database, userId: string) {
  await db.delete(identityTables.session).where(eq(identityTables.session.userId, userId))
  await revokeTokens({ db }, { issuer, subject: userId })
}

/** Name and picture may be a stranger's choice, unless they are those of Google or GitHub. */
async function removeChoices(
  db: Database,
  { id, email, emailVerified }: { id: string; email: string; emailVerified: boolean },
) {
  const { user } = identityTables
  if (emailVerified) return
  await db
    .update(user)
    .set({ image: null, name: nameOfMailbox({ email }) })
    .where(eq(user.id, id))
}

/** Anyone can register a stranger's address: the shop writes it few emails. */
async function strangerLimits(db: Database, { email }: { email: string }): Promise<RateLimit[]> {
  if (await isConfirmed(db, email)) return []
  return [{ keys: [`identity:reset:to:${email.toLowerCase()}`], max: 5, seconds: daySeconds, counts: 'all' }]
}

export async function isConfirmed(db: Pick<Database, '$count'>, email: string): Promise<boolean> {
  const confirmed = and(eq(users.email, email.toLowerCase()), isNotNull(users.emailConfirmedAt))
  return (await db.$count(users, confirmed)) > 0
}

/** Nothing needs it, and it is as long as a request header can be. */
async function clearUserAgent(session: object) {
  return { data: { ...session, userAgent: null } }
}

function idTokens() {
  return jwt({
    disableSettingJwtHeader: true,
    // A key signs for 30 days and stays published for longer than its tokens are valid.
    jwks: { rotationInterval: 30 * daySeconds, gracePeriod: hourSeconds },
    jwt: {
      issuer,
      audience,
      expirationTime: '5m',
      definePayload: ({ user, session }) => ({
        // With milliseconds, to order a token against a sign-out in the same second.
        iat: Date.now() / 1000,
        email: user.email,
        // True only for accounts of Google and GitHub: better-auth's own verification is off.
        email_verified: user.emailVerified,
        name: user.name,
        picture: user.image,
        sid: session.id,
        jti: crypto.randomUUID(),
      }),
    },
  })
}

function resetEmail(mail: Mail, { email }: { email: string }, url: string) {
  return composeEmail(mail.shop, {
    to: email,
    subject: 'Set a new password',
    paragraphs: ['Hello,', 'We received a request to set a new password for your account. Set it here:'],
    action: { label: 'Set a new password', url: url },
    after: [
      'The link works once and expires in 24 hours. Your password stays the same unless you set a new one.',
      'If this wasn’t you, you can ignore this email.',
    ],
  })
}

const personSchema = z.object({
  name: personName,
  image: pictureUrl,
  email: emailAddress('Email is required', 'Please provide a valid email...'),
})
type PersonInput = { name?: string; image?: string | null | undefined; email?: string }

/** These endpoints bypass the validation of the shop’s forms. */
async function validatePerson({ name, image, email }: PersonInput) {
  const input = {
    ...(name !== undefined && { name }),
    ...(image && { image }),
    ...(email !== undefined && { email }),
  }
  const result = personSchema.partial().safeParse(input)
  if (!result.success) throw new APIError('BAD_REQUEST', { message: result.error.issues[0]!.message })
  return { data: result.data }
}

/** My Profile saves photos first: from here, the shop would fetch one of another host without counting the client's network. */
function ownPersonValidator(pictureHosts: Parameters<typeof ownPictureUrl>[0]) {
  return async (person: PersonInput) => {
    const { data } = await validatePerson(person)
    if (data.image && !ownPictureUrl(pictureHosts, data.image))
      throw new APIError('BAD_REQUEST', { message: 'Save the photo in My Profile first.' })
    return { data }
  }
}

/** Requires a verified email, so that nobody can claim another person’s. */
async function validateSocialPerson(user: {
  name: string
  image?: string | null
  email: string
  emailVerified: boolean
}) {
  const email = personSchema.shape.email.safeParse(user.email).data
  // Providers and better-auth also hand over text such as `"false"`.
  if (!email || user.emailVerified !== true)
    throw new APIError('FORBIDDEN', {
      code: 'email_not_verified',
      message: 'This email address is not confirmed.',
    })
  const name = personSchema.shape.name.safeParse(user.name).data ?? email.split('@')[0]!.slice(0, 80)
  return { data: { email, name, image: personSchema.shape.image.safeParse(user.image).data ?? null } }
}

/** By default better-auth logs SQL parameters and responds with an empty body. */
function rethrow(error: unknown) {
  if (!isAPIError(error)) throw error
}

/** Only the creation of an account decides whether its address is confirmed. */
async function refuse() {
  return false as const
}

async function clearTokens() {
  return { data: { accessToken: null, refreshToken: null, idToken: null } }
}
