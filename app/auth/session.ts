import { decodeJwt } from 'jose'
import { useSyncExternalStore } from 'react'

const key = 'accessToken'

/** Who is signed in here, as their access token says. Good for showing; the server decides for itself. */
export interface Session {
  email: string
  name: string
  photoURL: string | null
}

export function readToken(): string | null {
  return localStorage.getItem(key)
}

export function keepToken(token: string) {
  loggedOut = false
  localStorage.setItem(key, token)
  notify()
}

/** Whether whoever was signed in last has logged out here: they are led home, and not to the login page. */
let loggedOut = false
export const hasLoggedOut = () => loggedOut

export function dropToken({ onPurpose = false } = {}) {
  loggedOut = onPurpose
  localStorage.removeItem(key)
  notify()
}

export function readSession(): Session | null {
  const token = readToken()
  if (!token) return null
  try {
    const session = decodeJwt<Session>(token)
    return typeof session.email === 'string' ? session : null
  } catch {
    return null
  }
}

let last: { token: string | null; session: Session | null } | undefined

/** Who is signed in, in this tab or another; undefined until the browser has taken over the page. */
export function useSession(): Session | null | undefined {
  return useSyncExternalStore(
    subscribe,
    () => {
      const token = readToken()
      if (last?.token !== token) last = { token, session: readSession() }
      return last.session
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
