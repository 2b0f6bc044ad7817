import { createAuthClient } from 'better-auth/client'
import { jwtClient } from 'better-auth/client/plugins'
import type { BrowserIdentity } from '#shop/ports.ts'

/** The browser's half of the embedded identity. */
export function embeddedIdentity(): BrowserIdentity {
  const auth = createAuthClient({
    baseURL: location.origin,
    basePath: '/identity',
    fetchOptions: { timeout: 30_000 },
    plugins: [jwtClient()],
  })

  return {
    watch(ended) {
      let known = false
      // It asks again when the page is looked at anew, and keeps what it knows while nothing answers.
      return auth.useSession.subscribe(async ({ data }) => {
        const gone = known && !data
        known = data !== null
        if (gone && (await isNobody())) ended()
      })
    },
    async register(person) {
      succeed(await reach(auth.signUp.email(person)))
    },
    async signIn(credentials) {
      succeed(await reach(auth.signIn.email(credentials)))
    },
    async signInWith(provider, back) {
      succeed(await reach(auth.signIn.social({ provider, callbackURL: back, errorCallbackURL: back })))
      await new Promise<never>(() => {})
    },
    async checkReturn(address) {
      const code = address.get('error')
      if (!code) return
      if (!isSpent(code))
        throw new Error(refusals.get(code) ?? 'Signing in there did not work. Please try again.')
      // A second click there, or going back to it, answers again: the first answer has signed them in.
      const answer = await reach(auth.getSession())
      succeed(answer)
      if (!answer.data) throw new Error('That took too long or began in another browser. Please try again.')
    },
    async requestReset(email) {
      succeed(await reach(auth.requestPasswordReset({ email })))
    },
    async resetPassword(code, password) {
      succeed(await reach(auth.resetPassword({ token: code, newPassword: password })))
      return { signedIn: false }
    },
    async updateProfile({ name, photoURL }) {
      const change = {
        ...(name !== undefined && { name }),
        ...(photoURL !== undefined && { image: photoURL }),
      }
      succeed(await reach(auth.updateUser(change)))
    },
    async signOut() {
      succeed(await reach(auth.signOut()))
    },
    async idToken() {
      const answer = await reach(auth.token())
      if (answer.error?.status === 401) return null
      succeed(answer)
      return answer.data?.token ?? null
    },
  }

  /** Asked again, since somebody may have signed in while the answer before was on its way. */
  async function isNobody() {
    const { data, error } = await auth.getSession().catch((error) => ({ data: null, error }))
    return !data && !error
  }
}

/** What the codes mean with which a provider, or better-auth on its behalf, leads back. */
const refusals = new Map([
  ['account_not_linked', 'This email already signs in another way. Please use that way.'],
  ['access_denied', 'You were not signed in: nothing was shared.'],
  ['email_not_found', 'No email address came from there, and the shop needs one.'],
  ['email_not_verified', 'Please confirm your email address there first, and then try again.'],
])

/** Whether a way to a provider and back was gone to its end before, or cannot be gone to its end here. */
function isSpent(code: string) {
  return code.startsWith('state_') || code === 'invalid_code'
}

interface Answer {
  error: { message?: string | undefined; status: number } | null
}

function succeed({ error }: Answer) {
  if (error) throw new Error(error.message || 'Something went wrong.')
}

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch {
    throw new Error('The shop cannot be reached. Please check your connection and try again.')
  }
}
