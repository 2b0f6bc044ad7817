import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { APIError, isAPIError } from 'better-auth/api'
import { genericOAuth, jwt } from 'better-auth/plugins'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { identityTables } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import { emailAddress, personName, picture } from '#shop/fields.ts'
import type { Mail } from '#shop/ports.ts'
import { resetRateLimits } from '#shop/rate-limits.server.ts'
import { revokeTokens } from '#shop/users/users.server.ts'
import { failuresAs } from './attempts.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import type { TestProvider } from './test-provider.ts'

export const issuer = 'winged-wheels'
export const audience = 'winged-wheels-shop'
const day = 24 * 60 * 60
const hour = 60 * 60

/** What a login at Google or GitHub is asked for with. */
export interface Credentials {
  clientId: string
  clientSecret: string
}

interface Options {
  db: Database
  mail: Mail
  secret: string
  google?: Credentials | undefined
  github?: Credentials | undefined
  standIns: TestProvider[]
}

/** better-auth as the shop has it, for people who reach the shop at `origin`. */
export function authAt(origin: string, { db, mail, secret, google, github, standIns }: Options) {
  return betterAuth({
    baseURL: origin,
    basePath: '/identity',
    secret,
    database: drizzleAdapter(db, { provider: 'pg', schema: identityTables }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 6,
      maxPasswordLength: 128,
      password: { hash: hashPassword, verify: verifyPassword },
      resetPasswordTokenExpiresIn: hour,
      revokeSessionsOnPasswordReset: true,
      async sendResetPassword({ user, token }) {
        await mail.send(resetLetter(mail, user, `${origin}/reset-password?token=${token}`))
      },
      async onPasswordReset({ user }) {
        // Other links that were mailed to them before.
        await db.delete(identityTables.verification).where(eq(identityTables.verification.value, user.id))
        await revokeTokens({ db }, { issuer, subject: user.id })
        await resetRateLimits({ db }, [failuresAs(user.email)])
      },
    },
    verification: { storeIdentifier: 'hashed' },
    socialProviders: {
      ...(google && { google: { ...google, disableIdTokenSignIn: true, prompt: 'select_account' as const } }),
      ...(github && { github }),
    },
    account: { accountLinking: { enabled: false }, updateAccountOnSignIn: false },
    onAPIError: { errorURL: '/login', onError: passOn },
    // Said outright, since better-auth would otherwise look at NODE_ENV.
    advanced: {
      disableOriginCheck: false,
      disableCSRFCheck: false,
      useSecureCookies: origin.startsWith('https:'),
      ipAddress: { disableIpTracking: true },
    },
    rateLimit: { enabled: false },
    // With a `level` of ours better-auth would log each refusal a second time, past this.
    logger: { log: (level, message, error) => level === 'error' && complain(message || String(error)) },
    databaseHooks: {
      user: {
        create: {
          before: (user, context) =>
            context?.path === '/sign-up/email' ? checkPerson(user) : welcomePerson(user),
        },
        update: { before: checkPerson },
      },
      account: { create: { before: forgetTokens } },
      // Before, so that nobody's session ends while their access tokens stay good; after, for those made in between.
      session: { delete: { before: revokeTokensOf, after: revokeTokensOf } },
    },
    telemetry: { enabled: false },
    plugins: [
      jwt({
        disableSettingJwtHeader: true,
        // A key signs for thirty days, and is published for longer than anything that it signed is good.
        jwks: { rotationInterval: 30 * day, gracePeriod: hour },
        jwt: {
          issuer,
          audience,
          expirationTime: '5m',
          definePayload: ({ user, session }) => ({
            // With its milliseconds: an ID token from just before a sign-out is told from one from just after.
            iat: Date.now() / 1000,
            email: user.email,
            name: user.name,
            picture: user.image,
            sid: session.id,
            jti: crypto.randomUUID(),
          }),
        },
      }),
      genericOAuth({ config: standIns.map(({ config }) => config) }),
    ],
  })

  async function revokeTokensOf({ userId }: { userId: string }) {
    await revokeTokens({ db }, { issuer, subject: userId })
  }
}

function resetLetter(mail: Mail, { email }: { email: string }, address: string) {
  return composeEmail(mail.shop, {
    to: email,
    subject: 'Choose a new password',
    paragraphs: [
      'Hello,',
      'Somebody, probably you, asked for a new password for your account. With this link you can choose one:',
    ],
    action: { words: 'Choose a new password', address },
    after: [
      'The link is good for one hour, and once. Your password stays as it is until you choose another one.',
      'If it was not you, you can ignore this message.',
    ],
  })
}

const person = z.object({
  name: personName,
  image: picture,
  email: emailAddress('Email is required', 'Please provide a valid email...'),
})
type Given = { name?: string; image?: string | null | undefined; email?: string }

/** Names, pictures and addresses come in here past the forms of the shop, and are shown by it. */
async function checkPerson({ name, image, email }: Given) {
  const given = {
    ...(name !== undefined && { name }),
    ...(image && { image }),
    ...(email !== undefined && { email }),
  }
  const result = person.partial().safeParse(given)
  if (!result.success) throw new APIError('BAD_REQUEST', { message: result.error.issues[0]!.message })
  return { data: result.data }
}

/**
 * Takes in somebody whom Google or GitHub vouches for: only with an address that they have confirmed, or anybody could
 * take any. A name or a picture that the shop would not show is left out.
 */
async function welcomePerson(user: {
  name: string
  image?: string | null
  email: string
  emailVerified: boolean
}) {
  const email = person.shape.email.safeParse(user.email).data
  if (!email || !user.emailVerified)
    throw new APIError('FORBIDDEN', { code: 'email_not_verified', message: 'This address is not confirmed.' })
  const name = person.shape.name.safeParse(user.name).data ?? email.split('@')[0]!.slice(0, 80)
  return { data: { email, name, image: person.shape.image.safeParse(user.image).data ?? null } }
}

/** better-auth would log a statement with its parameters, and answer with nothing. */
function passOn(error: unknown) {
  if (!isAPIError(error)) throw error
}

/** What Google and GitHub open with their tokens is no business of the shop. */
async function forgetTokens() {
  return { data: { accessToken: null, refreshToken: null, idToken: null } }
}

/** A statement's parameters are people's data, and follow on the next lines; some of the first was sent by anybody. */
function complain(message: string) {
  console.error('identity:', message.split('\n')[0]!.replace(/\p{Cc}/gu, ' '))
}
