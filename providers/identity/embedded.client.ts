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
    async register(person) {
      succeed(await reach(auth.signUp.email(person)))
    },
    async signIn(credentials) {
      succeed(await reach(auth.signIn.email(credentials)))
    },
    async signOut() {
      await reach(auth.signOut())
    },
    async changePhoto(photoURL) {
      succeed(await reach(auth.updateUser({ image: photoURL })))
    },
    async idToken() {
      const { data, error } = await reach(auth.token())
      if (error && error.status !== 401) throw new Error(error.message)
      return data?.token ?? null
    },
  }
}

interface Answer {
  error: { message?: string | undefined; status: number } | null
}

function succeed({ error }: Answer) {
  if (error) throw new Error(error.message ?? 'Something went wrong.')
}

async function reach<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch {
    throw new Error('The shop cannot be reached. Please check your connection and try again.')
  }
}
