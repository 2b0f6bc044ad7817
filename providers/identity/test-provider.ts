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
  /** What better-auth has to know to sign people in here. */
  config: GenericOAuthConfig
  /** Shows the consent page, and leads back from it. */
  fetch(request: Request): Promise<Response>
}

const clientId = 'test-mode'
const minute = 60_000

/** Whom each page suggests to be. */
const suggested = {
  google: { name: 'Gwen Google', email: 'gwen@example.com' },
  github: { name: 'Gideon Hub', email: 'gideon@example.com' },
} satisfies Record<SignInProvider, object>

/** Elsewhere people may be called anything: what the shop would not show is its own affair. */
const person = z.object({
  name: z.string().max(1000),
  email: emailAddress('Email is required', 'Please provide a valid email'),
  confirmed: z
    .literal('on')
    .optional()
    .transform((on) => on === 'on'),
})
type TestPerson = z.output<typeof person>

/** What a code stands for, until it is brought back. */
interface Grant {
  redirectUri: string
  challenge: string
  person: TestPerson
}

/**
 * Stands for Google or GitHub in the demo: an OAuth 2 authorization server of its own at `/identity/test-mode/…`, for
 * which codes are good for one minute, once, and only with the PKCE verifier that they were asked for with.
 */
export function testProvider({
  db,
  origin,
  provider,
}: {
  db: Database
  origin: string
  provider: SignInProvider
}): TestProvider {
  const { verification } = identityTables
  const redirectUri = `${origin}/identity/callback/${provider}`
  const question = z.object({
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
        const grant = await redeem(code)
        const asked = { redirectUri: redirectURI, challenge: sha256(codeVerifier) }
        if (!grant || !isFor(grant, asked)) throw new Error('this code is not good here')
        return { accessToken: 'none', raw: grant.person }
      },
      async getUserInfo({ raw }) {
        const { name, email, confirmed } = raw as TestPerson
        return { id: email, name, email, emailVerified: confirmed }
      },
    },

    async fetch(request) {
      const { searchParams } = new URL(request.url)
      const asked = question.safeParse(Object.fromEntries(searchParams))
      if (!asked.success) return show(invalidRequestPage(provider), 400)
      if (request.method === 'GET')
        return show(consentPage(provider, { ...suggested[provider], confirmed: true }))

      const { state, code_challenge } = asked.data
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      if (form.choice !== 'continue') return leadBack({ error: 'access_denied', state })
      const result = person.safeParse(form)
      if (!result.success) {
        const { name = '', email = '' } = form
        const failure = result.error.issues[0]!.message
        return show(consentPage(provider, { name, email, confirmed: form.confirmed === 'on', failure }), 400)
      }
      const grant = { redirectUri, challenge: code_challenge, person: result.data }
      return leadBack({ code: await give(grant), state })
    },
  }

  async function give(grant: Grant) {
    const code = randomBytes(32).toString('base64url')
    const now = new Date()
    await db.insert(verification).values({
      id: crypto.randomUUID(),
      identifier: identifierOf(code),
      value: JSON.stringify(grant),
      expiresAt: new Date(now.getTime() + minute),
      createdAt: now,
      updatedAt: now,
    })
    return code
  }

  /** Of two that bring the same code at the same moment one gets what it stands for. */
  async function redeem(code: string): Promise<Grant | null> {
    const [row] = await db
      .delete(verification)
      .where(eq(verification.identifier, identifierOf(code)))
      .returning()
    return row && row.expiresAt > new Date() ? JSON.parse(row.value) : null
  }

  function identifierOf(code: string) {
    return `test-mode:${provider}:${sha256(code)}`
  }

  function leadBack(answer: Record<string, string>) {
    const location = `${redirectUri}?${new URLSearchParams(answer)}`
    return new Response(null, { status: 303, headers: { location } })
  }
}

function isFor(grant: Grant, asked: Omit<Grant, 'person'>) {
  return grant.redirectUri === asked.redirectUri && grant.challenge === asked.challenge
}

function sha256(text: string) {
  return createHash('sha256').update(text).digest('base64url')
}

function show(page: string, status = 200) {
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
