import { createHash, randomBytes } from 'node:crypto'
import type { GenericOAuthConfig } from 'better-auth/plugins'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { identityTables } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { emailAddress } from '#shop/fields.ts'
import type { SignInProvider } from '#shop/ports.ts'
import { consentPage, invalidRequestPage } from './test-provider-pages.ts'

export interface TestProvider {
  config: GenericOAuthConfig
  fetch(request: Request): Promise<Response>
}

const clientId = 'test-mode'
const minuteMs = 60_000

const suggestions = {
  google: { name: 'Gwen Google', email: 'gwen@example.com' },
  github: { name: 'Gideon Hub', email: 'gideon@example.com' },
} satisfies Record<SignInProvider, object>

const personSchema = z.object({
  name: z.string().max(1000),
  email: emailAddress('Email is required', 'Please provide a valid email'),
  confirmed: z
    .literal('on')
    .optional()
    .transform((on) => on === 'on'),
})
type TestPerson = z.output<typeof personSchema>

interface Grant {
  redirectUri: string
  challenge: string
  person: TestPerson
}

/** Simulates Google or GitHub as an OAuth 2 server at `/identity/test-mode/…`; codes are single-use, PKCE-bound and valid for one minute. */
export function testProvider({
  db,
  origin,
  provider,
}: {
  db: Database
  origin: string
  provider: SignInProvider
}): TestProvider {
  const codes = singleUseCodes(db, provider)
  const redirectUri = `${origin}/identity/callback/${provider}`
  const requestSchema = z.object({
    response_type: z.literal('code'),
    client_id: z.literal(clientId),
    redirect_uri: z.literal(redirectUri),
    state: z.string().min(1).max(200),
    code_challenge: z.string().regex(/^[\w-]{43}$/),
    code_challenge_method: z.literal('S256'),
  })

  return {
    config: {
      providerId: provider,
      clientId,
      authorizationUrl: `${origin}/identity/test-mode/${provider}`,
      pkce: true,
      async getToken({ code, codeVerifier = '', redirectURI }) {
        const grant = await codes.redeem(code)
        const expected = { redirectUri: redirectURI, challenge: sha256(codeVerifier) }
        if (!grant || !matches(grant, expected)) throw new Error('invalid code')
        return { accessToken: 'none', raw: grant.person }
      },
      async getUserInfo({ raw }) {
        const { name, email, confirmed } = raw as TestPerson
        return { id: email, name, email, emailVerified: confirmed }
      },
    },

    async fetch(request) {
      const { searchParams } = new URL(request.url)
      const parsed = requestSchema.safeParse(Object.fromEntries(searchParams))
      if (!parsed.success) return htmlResponse(invalidRequestPage(provider), 400)
      if (request.method === 'GET')
        return htmlResponse(consentPage(provider, { ...suggestions[provider], confirmed: true }))

      const { state, code_challenge } = parsed.data
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      if (form.choice !== 'continue') return redirectBack({ error: 'access_denied', state })
      const result = personSchema.safeParse(form)
      if (!result.success) {
        const { name = '', email = '' } = form
        const failure = result.error.issues[0]!.message
        return htmlResponse(
          consentPage(provider, { name, email, confirmed: form.confirmed === 'on', failure }),
          400,
        )
      }
      const grant = { redirectUri, challenge: code_challenge, person: result.data }
      return redirectBack({ code: await codes.issue(grant), state })
    },
  }

  function redirectBack(params: Record<string, string>) {
    const location = `${redirectUri}?${new URLSearchParams(params)}`
    return new Response(null, { status: 303, headers: { location } })
  }
}

function singleUseCodes(db: Database, provider: SignInProvider) {
  const { verification } = identityTables
  return { issue, redeem }

  async function issue(grant: Grant) {
    const code = randomBytes(32).toString('base64url')
    const now = new Date()
    await db.insert(verification).values({
      id: crypto.randomUUID(),
      identifier: readIdentifier(code),
      value: JSON.stringify(grant),
      expiresAt: new Date(now.getTime() + minuteMs),
      createdAt: now,
      updatedAt: now,
    })
    return code
  }

  /** Deletes the code atomically, so that only one concurrent request redeems it. */
  async function redeem(code: string): Promise<Grant | null> {
    const [row] = await db
      .delete(verification)
      .where(eq(verification.identifier, readIdentifier(code)))
      .returning()
    return row && row.expiresAt > new Date() ? JSON.parse(row.value) : null
  }

  function readIdentifier(code: string) {
    return `test-mode:${provider}:${sha256(code)}`
  }
}

function matches(grant: Grant, expected: Omit<Grant, 'person'>) {
  return grant.redirectUri === expected.redirectUri && grant.challenge === expected.challenge
}

function sha256(text: string) {
  return createHash('sha256').update(text).digest('base64url')
}

function htmlResponse(page: string, status = 200) {
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
