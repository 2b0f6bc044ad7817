import { redirect, replace } from 'react-router'
import { CallFailed, client } from '#app/client.ts'
import type { SignInProvider } from '#shop/ports.ts'
import { signOut } from './auth.ts'
import { dropToken, readSession, readToken, type Session } from './session.ts'

/** Who is signed in; else leads to the login page, which leads back. For a `clientLoader`. */
export function requireSignedIn(request: Request): Session {
  const session = readSession()
  if (session) return session
  // What is kept may be no token at all.
  if (readToken()) dropToken()
  throw redirectToLogin(request)
}

/** To the login page, which leads back here. */
function redirectToLogin(request: Request) {
  const { pathname, search } = new URL(request.url)
  return redirectTo(`/login?${new URLSearchParams({ from: pathname + search })}`, request)
}

/** Leads elsewhere. A page that was opened at its own address would come back to it with the back button, for ever. */
export function redirectTo(address: string, request: Request) {
  const { pathname, search } = new URL(request.url)
  const opened = globalThis.location?.pathname === pathname && location.search === search
  return opened ? replace(address) : redirect(address)
}

/** As requireMember; somebody who is no admin is signed out and led to the login page. */
export async function requireAdmin(request: Request): Promise<Session> {
  const session = requireSignedIn(request)
  if (await isAdmin(session)) return session
  await signOut()
  throw redirectTo('/login', request)
}

let pendingCheck: { email: string; answer: Promise<boolean> } | undefined

/** Asks the server, once for all loaders that ask at the same moment. */
export async function isAdmin({ email }: Session): Promise<boolean> {
  if (pendingCheck?.email === email) return pendingCheck.answer
  const answer = client.checkAdmin({ params: { email } }).then(({ admin }) => admin)
  pendingCheck = { email, answer }
  return answer.finally(() => {
    pendingCheck = undefined
  })
}

/** Signs out whoever the server refuses: what a 401 or 403 on one's own things means. */
export function signOutIfRefused(request: Request) {
  return async (error: unknown): Promise<never> => {
    if (!(error instanceof CallFailed && (error.status === 401 || error.status === 403))) throw error
    await signOut()
    throw redirectToLogin(request)
  }
}

/** Leads somebody who is signed in away from a page that is for signing in. For a `clientLoader`. */
export function redirectIfSignedIn(request: Request) {
  const { search } = new URL(request.url)
  // Whoever comes back from a provider may be somebody else there.
  if (readSession() && !isProviderReturn(search)) throw redirectTo(returnPath(search), request)
}

/** The page to lead back to after signing in: only ever one of ours. */
export function returnPath(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? '/'
  const ours = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(from) && URL.canParse(from, location.origin)
  return ours && new URL(from, location.origin).origin === location.origin ? from : '/'
}

/** Whether a provider has led back to this address, with somebody or with an error. */
export function isProviderReturn(search: string): boolean {
  const address = new URLSearchParams(search)
  return address.has('via') || address.has('error')
}

/** Where a provider leads back to: this page, with what it remembers. Without a provider, what is left afterwards. */
export function providerReturnUrl(pathname: string, search: string, via?: SignInProvider): string {
  const from = returnPath(search)
  const address = new URLSearchParams({ ...(from !== '/' && { from }), ...(via && { via }) })
  return address.size > 0 ? `${pathname}?${address}` : pathname
}
