import { decodeJwt } from 'jose'
import { useSyncExternalStore } from 'react'

const key = 'accessToken'

/** Claims of the access token, for display only; the server verifies the token itself. */
export interface Session {
  email: string
  name: string
  photoURL: string | null
}

export function readAccessToken(): string | null {
  return localStorage.getItem(key)
}

export function storeToken(token: string) {
  loggedOut = false
  localStorage.setItem(key, token)
  notify()
}

/** Redirects to the home page, not to the login page, after an explicit sign-out. */
let loggedOut = false
export const wasSignedOutByUser = () => loggedOut

export function clearToken({ byUser = false } = {}) {
  loggedOut = byUser
  localStorage.removeItem(key)
  notify()
}

export function readSession(): Session | null {
  const token = readAccessToken()
  if (!token) return null
  try {
    const session = decodeJwt<Session>(token)
    return typeof session.email === 'string' ? session : null
  } catch {
    return null
  }
}

let cached: { token: string | null; session: Session | null } | undefined

/** Shared between tabs; undefined until hydration. */
export function useSession(): Session | null | undefined {
  return useSyncExternalStore(
    subscribe,
    () => {
      const token = readAccessToken()
      if (cached?.token !== token) cached = { token, session: readSession() }
      return cached.session
    },
    () => undefined,
  )
}

const listeners = new Set<() => void>()

function notify() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
