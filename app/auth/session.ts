import { useSyncExternalStore } from 'react'
import { localItems } from '#app/browser/storage.ts'
import { readTokenClaims } from './token-claims.ts'

const key = 'accessToken'
/** Storage key that is set until the identity provider has confirmed a sign-out. */
export const pendingSignOut = 'leaving'

/** Claims of the access token, for display only; the server verifies the token itself. */
export interface Session {
  email: string
  name: string
  photoURL: string | null
}

export function readAccessToken(): string | null {
  return localItems.read(key)
}

export function storeToken(token: string) {
  localItems.write(key, token)
  lastSignOut = {}
  notify()
}

export interface SignOut {
  /** Redirects to the home page, not to the login page. */
  byUser?: boolean
  /** Shown on the login page. */
  reason?: string
}

let lastSignOut: SignOut = {}
export const readLastSignOut = () => lastSignOut

/** Nothing happens after a sign-out: a call that is refused then must not replace its reason. */
export function clearToken(signOut: SignOut = {}) {
  if (!readAccessToken()) return
  lastSignOut = signOut
  localItems.remove(key)
  notify()
}

/** When nothing more can be loaded: the identity provider hears of it before the next sign-in. */
export function signOutHere() {
  localItems.keep(pendingSignOut, 'yes')
  clearToken({ byUser: true })
}

/** Tells the server that somebody is signed in, so that it renders the right menu. It proves nothing. */
const cookie = 'signed-in'

export function hasSignedInCookie(cookies: string | null) {
  return new RegExp(`(?:^|;\\s*)${cookie}=yes(?:;|$)`).test(cookies ?? '')
}

function updateCookie() {
  const isSignedIn = readSession() !== null
  if (isSignedIn === hasSignedInCookie(document.cookie)) return
  const [value, seconds] = isSignedIn ? ['yes', 2_592_000] : ['', 0]
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https
  document.cookie = `${cookie}=${value}; path=/; max-age=${seconds}; samesite=lax`
}

export function readSession(): Session | null {
  const token = readAccessToken()
  if (!token) return null
  try {
    const session = readTokenClaims<Session>(token)
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
  updateCookie()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  updateCookie()
  return onSessionChange(listener)
}

/** In this tab or another one. Returns how to stop listening. */
export function onSessionChange(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
