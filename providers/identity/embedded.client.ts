import { createAuthClient } from 'better-auth/client'
import { jwtClient } from 'better-auth/client/plugins'
import type { BrowserIdentity, ResetLink } from '#shop/ports.ts'

export function embeddedBrowserIdentity(): BrowserIdentity {
  const auth = createAuthClient({
    baseURL: location.origin,
    basePath: '/identity',
    fetchOptions: { timeout: 30_000 },
    plugins: [jwtClient()],
  })

  return {
    onSessionEnded(ended) {
      let isSignedIn = false
      // useSession refetches on focus and keeps its data while requests fail.
      return auth.useSession.subscribe(async ({ data }) => {
        const wasSignedOut = isSignedIn && !data
        isSignedIn = data !== null
        if (wasSignedOut && (await isSignedOut())) ended()
      })
    },
    async register(person) {
      throwOnError(await callApi(auth.signUp.email(person)))
    },
    async signIn(credentials) {
      throwOnError(await callApi(auth.signIn.email(credentials)))
    },
    async signInWith(provider, returnUrl) {
      throwOnError(
        await callApi(auth.signIn.social({ provider, callbackURL: returnUrl, errorCallbackURL: returnUrl })),
      )
      await new Promise<never>(() => {})
    },
    async completeRedirect(params) {
      const code = params.get('error')
      if (!code) return
      if (!isStale(code)) throw new Error(errorMessages.get(code) ?? 'We couldn’t sign you in. Try again.')
      // The flow may already have succeeded, as after a double click or going back.
      const result = await callApi(auth.getSession())
      throwOnError(result)
      if (!result.data) throw new Error('This sign-in expired or started in another browser. Try again.')
    },
    async requestReset(email) {
      throwOnError(await callApi(auth.requestPasswordReset({ email })))
    },
    async readResetLink(token) {
      const result = await callApi(
        auth.$fetch<ResetLink>('/check-reset-link', { method: 'POST', body: { token } }),
      )
      if (result.error?.status === 400) return null
      throwOnError(result)
      const { email, isUnconfirmed } = result.data!
      return { email, isUnconfirmed }
    },
    async resetPassword(code, password) {
      throwOnError(await callApi(auth.resetPassword({ token: code, newPassword: password })))
      return { signedIn: false }
    },
    async updateProfile({ name, photoURL }) {
      const changes = {
        ...(name !== undefined && { name }),
        ...(photoURL !== undefined && { image: photoURL }),
      }
      throwOnError(await callApi(auth.updateUser(changes)))
    },
    async signOut() {
      throwOnError(await callApi(auth.signOut()))
    },
    async idToken() {
      const result = await callApi(auth.token())
      if (result.error?.status === 401) return null
      throwOnError(result)
      return result.data?.token ?? null
    },
  }

  /** Fetches again: somebody may have signed in meanwhile. */
  async function isSignedOut() {
    const { data, error } = await auth.getSession().catch((error) => ({ data: null, error }))
    return !data && !error
  }
}

const errorMessages = new Map([
  [
    'account_not_linked',
    'This email address is registered with another sign-in method. Use that one instead.',
  ],
  ['access_denied', 'You cancelled the sign-in. Nothing was shared.'],
  ['email_not_found', 'That account didn’t share an email address. Use another account or sign-in method.'],
  ['email_not_verified', 'That account’s email address isn’t confirmed. Confirm it there, then try again.'],
])

function isStale(code: string) {
  return code.startsWith('state_') || code === 'invalid_code'
}

interface Result {
  error: { message?: string | undefined; status: number } | null
}

function throwOnError({ error }: Result) {
  if (error) throw new Error(error.message || 'Something went wrong. Try again.')
}

async function callApi<T>(request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch {
    throw new Error('We can’t reach the shop. Check your connection and try again.')
  }
}
