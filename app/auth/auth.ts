import { decodeJwt } from 'jose'
import { CallFailed, createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { unreachable } from '#api/unreachable.ts'
import type { BrowserIdentity, IdentitySettings, SignInProvider } from '#shop/ports.ts'
import { dropToken, keepToken, readSession, readToken } from './session.ts'

/** Kept while the identity provider has not heard of a sign-out yet. */
const pendingSignOut = 'leaving'

let loading: Promise<BrowserIdentity> | undefined

/** The identity provider's browser half, loaded when it is needed first. */
function loadProvider(): Promise<BrowserIdentity> {
  loading ??= load().catch(() => {
    loading = undefined
    throw new Error(unreachable)
  })
  return loading
}

/** Loads it now, for a page on which it will be needed at once. */
export function preload() {
  loadProvider().catch(() => {})
}

async function load(): Promise<BrowserIdentity> {
  const settings = readSettings()
  if (settings.kind === 'firebase') {
    const { firebaseIdentity } = await import('#providers/identity/firebase.client.ts')
    return firebaseIdentity(settings)
  }
  const { embeddedIdentity } = await import('#providers/identity/embedded.client.ts')
  return embeddedIdentity()
}

/** What app/root.tsx has written into every page. */
function readSettings(): IdentitySettings {
  return JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="identity-provider"]')!.content)
}

/** For somebody who is about to sign in: a sign-out that arrived later would end what they begin. */
async function providerForSignIn() {
  const provider = await loadProvider()
  if (localStorage.getItem(pendingSignOut)) await finishSignOut()
  return provider
}

/** Throws an Error whose message can be shown. */
export async function signIn(credentials: { email: string; password: string }) {
  const provider = await providerForSignIn()
  await provider.signIn(credentials)
  await requireSession()
}

/** The account that was made last, while the shop has not heard of it. */
let made: string | undefined

/** Throws an Error whose message can be shown; tried again, it goes on where it failed. */
export async function register(person: { name: string; email: string; password: string }) {
  const provider = await providerForSignIn()
  if (made !== JSON.stringify(person)) await provider.register(person)
  made = JSON.stringify(person)
  await requireSession()
  made = undefined
}

/**
 * Signs in at a provider. Where that takes the page over, this never answers, and `arrive` goes on at `back`, a path of
 * ours. Throws an Error whose message can be shown.
 */
export async function signInWith(name: SignInProvider, back: string) {
  const provider = await providerForSignIn()
  await provider.signInWith(name, back)
  await requireSession()
}

/** Goes on where a provider has led back to. Throws an Error whose message can be shown. */
export async function completeSignIn(address: URLSearchParams) {
  const provider = await providerForSignIn()
  await provider.checkReturn(address)
  if (!(await renewSession())) throw new Error('Signing in there did not work. Please try again.')
}

/** Sends a link for a new password, if anybody has that address. Throws an Error whose message can be shown. */
export async function requestReset(email: string) {
  await (await loadProvider()).requestReset(email)
}

/** The new password that was set last, while other devices may still be signed in by the old one. */
let set: string | undefined

/**
 * Sets a new password with the code of such a link. Throws an Error whose message can be shown. Tried again once the
 * password is set, it goes on from there; where the answer to that got lost, the link counts as used.
 */
export async function resetPassword(code: string, password: string) {
  const provider = await providerForSignIn()
  const wanted = JSON.stringify([code, password])
  const { signedIn } = set === wanted ? { signedIn: true } : await provider.resetPassword(code, password)
  if (!signedIn) return signOutIfRevoked()
  set = wanted
  await requireSession()
  await revoke()
  await requireSession()
  set = undefined
}

/** For after a new password: whoever is signed in here may have been so by the old one. */
async function signOutIfRevoked() {
  const remains = readToken() && (await renewSession().catch(() => true))
  if (!remains) dropToken()
}

/** Changes the name or picture that is shown of whoever is signed in, at once. Throws an Error whose message can be shown. */
export async function updateProfile(change: { name?: string; photoURL?: string | null }) {
  await (await loadProvider()).updateProfile(change)
  await requireSession()
}

async function requireSession() {
  if (await renewSession()) return
  throw new Error('Your browser did not keep the sign-in. Please allow cookies for this shop.')
}

let renewing: Promise<boolean> | undefined

/**
 * Exchanges the identity for an access token of the shop; false when nobody is signed in at the identity provider.
 * Asked by several calls at once, it is done once.
 */
export function renewSession(): Promise<boolean> {
  renewing ??= startSession().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function startSession() {
  const before = signOutCount
  const provider = await providerForSignIn()
  const token = await exchangeToken(provider).catch(async (error) => {
    if (!(error instanceof CallFailed && error.status === 401)) throw error
    // An ID token is good once, and not after a sign-out on another device; of the next second it is another one.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return exchangeToken(provider)
  })
  // Whoever left while this was under way stays out.
  if (!token || signOutCount > before || localStorage.getItem(pendingSignOut)) return false
  keepToken(token)
  watch(provider)
  return true
}

/** An access token for an ID token; null when nobody is signed in at the identity provider. */
async function exchangeToken(provider: BrowserIdentity): Promise<string | null> {
  const idToken = await provider.idToken()
  if (!idToken) return null
  const { email } = decodeJwt<{ email: string }>(idToken)
  const { token } = await shopAs(idToken).signIn({ params: { email }, body: { email } })
  return token
}

/** The shop's calls with this very token. */
function shopAs(token: string) {
  return createClient(api, { origin: location.origin, token: () => token })
}

let watching = false

/** Lets go of whoever is signed in here as soon as they are not so at the identity provider any more. */
function watch(provider: BrowserIdentity) {
  if (watching) return
  watching = true
  provider.watch(() => {
    if (readToken()) dropToken()
  })
}

/** How long to wait for the shop and the identity provider to hear of a sign-out, in milliseconds. */
const signOutTimeoutMs = 3_000

/** How often somebody has left in this tab. */
let signOutCount = 0

/** Signs out here at once, and at the identity provider now or, when it cannot be reached, before the next renewal. */
export async function signOut(how: { onPurpose?: boolean } = {}) {
  signOutCount += 1
  localStorage.setItem(pendingSignOut, 'yes')
  const revoked = revoke()
  dropToken(how)
  const timeout = new Promise((resolve) => setTimeout(resolve, signOutTimeoutMs))
  await Promise.race([Promise.allSettled([revoked, finishSignOut()]), timeout])
}

/** Makes the access tokens of whoever is signed in here worthless, this one and all others. */
async function revoke() {
  const [token, session] = [readToken(), readSession()]
  if (token && session) await shopAs(token).signOut({ params: { email: session.email } })
}

let saying: Promise<void> | undefined

/** Tells the identity provider of a sign-out, once for all who ask at the same moment. */
function finishSignOut(): Promise<void> {
  saying ??= signOutAtProvider().finally(() => {
    saying = undefined
  })
  return saying
}

async function signOutAtProvider() {
  await (await loadProvider()).signOut()
  localStorage.removeItem(pendingSignOut)
}
