import { ApiError, createClient } from '#api/client.ts'
import { customerCalls } from '#api/customer-calls.ts'
import { loadScript } from '#app/browser/failed-imports.ts'
import { localItems } from '#app/browser/storage.ts'
import type { BrowserIdentity, IdentitySettings, SignInProvider } from '#shop/ports.ts'
import {
  clearToken,
  pendingSignOut,
  readAccessToken,
  readSession,
  type SignOut,
  storeToken,
} from './session.ts'
import { readTokenClaims } from './token-claims.ts'

const signOutTimeoutMs = 3_000

const state = {
  provider: undefined as Promise<BrowserIdentity> | undefined,
  /** Registered at the provider but not yet at the shop: a retry must not register again. */
  registered: undefined as string | undefined,
  /** Reset code and new password that the provider has accepted, while older sessions may not be revoked yet: the code works only once. */
  passwordReset: undefined as string | undefined,
  renewal: undefined as Promise<boolean> | undefined,
  providerSignOut: undefined as Promise<void> | undefined,
  isWatching: false,
  /** Lets a renewal detect a sign-out that happened while it was running. */
  signOutCount: 0,
}

function loadProvider(): Promise<BrowserIdentity> {
  return loadScript(startLoading)
}

function startLoading() {
  state.provider ??= load().catch((error) => {
    state.provider = undefined
    throw error
  })
  return state.provider
}

export function preloadProvider() {
  startLoading().catch(() => {})
}

async function load(): Promise<BrowserIdentity> {
  const settings = readSettings()
  if (settings.kind === 'firebase') {
    const { firebaseBrowserIdentity } = await import('#providers/identity/firebase.client.ts')
    return firebaseBrowserIdentity(settings)
  }
  const { embeddedBrowserIdentity } = await import('#providers/identity/embedded.client.ts')
  return embeddedBrowserIdentity()
}

function readSettings(): IdentitySettings {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="identity-provider"]')!.content)
}

/** Completes a pending sign-out first, which would otherwise end the new session. */
async function providerForSignIn() {
  const provider = await loadProvider()
  if (localItems.read(pendingSignOut)) await finishSignOut()
  return provider
}

export async function signIn(credentials: { email: string; password: string }) {
  const provider = await providerForSignIn()
  await provider.signIn(credentials)
  await requireSession()
}

/** Throws an Error whose message can be shown; a retry continues where it failed. */
export async function register(person: { name: string; email: string; password: string }) {
  const provider = await providerForSignIn()
  if (state.registered !== JSON.stringify(person)) await provider.register(person)
  state.registered = JSON.stringify(person)
  await requireSession()
  state.registered = undefined
}

/** Never resolves when the provider redirects; `completeSignIn` continues at `back`. Throws an Error to show. */
export async function signInWith(name: SignInProvider, back: string) {
  const provider = await providerForSignIn()
  await provider.signInWith(name, back)
  await requireSession()
}

export async function completeSignIn(params: URLSearchParams) {
  const provider = await providerForSignIn()
  await provider.completeRedirect(params)
  if (!(await renewSession())) throw new Error('We couldn’t sign you in. Try again.')
}

export async function requestReset(email: string) {
  await (await loadProvider()).requestReset(email)
}

export async function readResetLink(code: string) {
  return (await loadProvider()).readResetLink(code)
}

/** Throws an Error whose message can be shown; a retry after the password is set continues from there. */
export async function resetPassword(code: string, password: string) {
  const provider = await providerForSignIn()
  const request = JSON.stringify([code, password])
  const { signedIn } =
    state.passwordReset === request ? { signedIn: true } : await provider.resetPassword(code, password)
  if (!signedIn) return signOutIfRevoked()
  state.passwordReset = request
  await requireSession()
  await revoke()
  await requireSession()
  state.passwordReset = undefined
}

/** The current session may have been started with the old password. */
async function signOutIfRevoked() {
  const hasSession = readAccessToken() && (await renewSession().catch(() => true))
  if (!hasSession) clearToken()
}

export async function updateProfile(change: { name?: string; photoURL?: string | null }) {
  await (await loadProvider()).updateProfile(change)
  await requireSession()
}

async function requireSession() {
  if (await renewSession()) return
  throw new Error('Your browser blocked our cookies. Allow cookies for this shop and try again.')
}

/** Gets a new access token of the shop; false when nobody is signed in at the identity provider. */
export function renewSession(): Promise<boolean> {
  state.renewal ??= startSession().finally(() => {
    state.renewal = undefined
  })
  return state.renewal
}

async function startSession() {
  const signOutsBefore = state.signOutCount
  const provider = await providerForSignIn()
  const token = await exchangeToken(provider).catch(async (error) => {
    if (!(error instanceof ApiError && error.status === 401)) throw error
    // An ID token works once, and not after a sign-out elsewhere; one issued in the next second is a different token.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return exchangeToken(provider)
  })
  if (!token || state.signOutCount > signOutsBefore || localItems.read(pendingSignOut)) return false
  storeToken(token)
  watch(provider)
  return true
}

async function exchangeToken(provider: BrowserIdentity): Promise<string | null> {
  const idToken = await provider.idToken()
  if (!idToken) return null
  const { email } = readTokenClaims<{ email: string }>(idToken)
  const { token } = await clientWithToken(idToken).signIn({ params: { email }, body: { email } })
  return token
}

function clientWithToken(token: string) {
  return createClient(customerCalls, { origin: location.origin, token: () => token })
}

function watch(provider: BrowserIdentity) {
  if (state.isWatching) return
  state.isWatching = true
  provider.onSessionEnded(() => clearToken())
}

/** Immediate in this browser; while the identity provider is unreachable, retried before the next renewal. */
export async function signOut(options: SignOut = {}) {
  state.signOutCount += 1
  localItems.keep(pendingSignOut, 'yes')
  const revoked = revoke()
  clearToken(options)
  const timeout = new Promise((resolve) => setTimeout(resolve, signOutTimeoutMs))
  await Promise.race([Promise.allSettled([revoked, finishSignOut()]), timeout])
}

/** Revokes all access tokens of the user, on every device. */
async function revoke() {
  const [token, session] = [readAccessToken(), readSession()]
  if (token && session) await clientWithToken(token).signOut({ params: { email: session.email } })
}

function finishSignOut(): Promise<void> {
  state.providerSignOut ??= signOutAtProvider().finally(() => {
    state.providerSignOut = undefined
  })
  return state.providerSignOut
}

async function signOutAtProvider() {
  await (await loadProvider()).signOut()
  localItems.remove(pendingSignOut)
}
