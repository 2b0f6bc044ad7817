import { redirect, replace } from 'react-router'
import { ApiError, client } from '#app/client.ts'
import type { SignInProvider } from '#shop/ports.ts'
import { signOut } from './auth.ts'
import { clearToken, readSession, type Session } from './session.ts'

/** For a `clientLoader`. Throws a redirect to the login page when nobody is signed in. */
export function requireSignedIn(request: Request): Session {
  const session = readSession()
  if (session) return session
  // The stored token may be malformed.
  clearToken()
  throw redirectToLogin(request)
}

function redirectToLogin(request: Request) {
  const { pathname, search } = new URL(request.url)
  return redirectTo(`/login?${new URLSearchParams({ from: pathname + search })}`, request)
}

/** Replaces the history entry on a direct page load, where a pushed redirect would trap the back button. */
export function redirectTo(url: string, request: Request) {
  const { pathname, search } = new URL(request.url)
  const isDirectLoad = globalThis.location?.pathname === pathname && location.search === search
  return isDirectLoad ? replace(url) : redirect(url)
}

/** Like requireSignedIn; signs out a user who is not an admin. */
export async function requireAdmin(request: Request): Promise<Session> {
  const session = requireSignedIn(request)
  if (await isAdmin(session)) return session
  restartIfSwitched(session.email, request)
  await signOut({
    reason:
      'We signed you out because only admins can open that page. To open it, sign in with an admin account.',
  })
  throw redirectTo('/login', request)
}

let pendingCheck: { email: string; promise: Promise<boolean> } | undefined

export async function isAdmin({ email }: Session): Promise<boolean> {
  if (pendingCheck?.email === email) return pendingCheck.promise
  const promise = client.checkAdmin({ params: { email } }).then(({ admin }) => admin)
  pendingCheck = { email, promise }
  return promise.finally(() => {
    pendingCheck = undefined
  })
}

/** Throws a redirect to the same page once another tab has signed in another account, which was refused nothing. */
function restartIfSwitched(before: string | undefined, request: Request) {
  const now = readSession()
  if (now && now.email !== before) throw redirectTo(request.url, request)
}

/** A 401 or 403 on the user's own data means that the session is no longer valid. */
export function signOutIfRefused(request: Request) {
  const before = readSession()?.email
  return async (error: unknown): Promise<never> => {
    if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) throw error
    restartIfSwitched(before, request)
    await signOut()
    throw redirectToLogin(request)
  }
}

export function redirectIfSignedIn(request: Request) {
  const { search } = new URL(request.url)
  // The provider may have signed in another account.
  if (readSession() && !isProviderReturn(search)) throw redirectTo(returnPath(search), request)
}

/** The internal path to return to after signing in; '/' for anything else, against open redirects. */
export function returnPath(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? '/'
  if (!/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(from) || !URL.canParse(from, location.origin)) return '/'
  const { origin, pathname } = new URL(from, location.origin)
  // `/..//evil.example` is the path `//evil.example`, which alone would be another site.
  return origin === location.origin && !pathname.startsWith('//') ? from : '/'
}

/** Whether an identity provider redirected here, successfully or with an error. */
export function isProviderReturn(search: string): boolean {
  const params = new URLSearchParams(search)
  return params.has('via') || params.has('error')
}

/** Where the provider redirects to; without `via`, this page's URL after that. */
export function providerReturnUrl(pathname: string, search: string, via?: SignInProvider): string {
  const from = returnPath(search)
  const params = new URLSearchParams({ ...(from !== '/' && { from }), ...(via && { via }) })
  return params.size > 0 ? `${pathname}?${params}` : pathname
}
