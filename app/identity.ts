import { decodeJwt } from 'jose'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { unreachable } from '#api/unreachable.ts'
import type { BrowserIdentity } from '#shop/ports.ts'
import { dropToken, keepToken } from './session.ts'

/** Kept while the identity provider has not heard of a sign-out yet. */
const leaving = 'leaving'

let loading: Promise<BrowserIdentity> | undefined

/** The identity provider's browser half, loaded when it is needed first. */
function identity(): Promise<BrowserIdentity> {
  loading ??= import('#providers/identity/embedded.client.ts')
    .then((provider) => provider.embeddedIdentity())
    .catch(() => {
      loading = undefined
      throw new Error(unreachable)
    })
  return loading
}

/** Throws an Error whose message can be shown. */
export async function signIn(credentials: { email: string; password: string }) {
  const provider = await identity()
  localStorage.removeItem(leaving)
  await provider.signIn(credentials)
  await mustEnter()
}

/** The account that was made last, while the shop has not heard of it. */
let made: string | undefined

/** Throws an Error whose message can be shown; tried again, it goes on where it failed. */
export async function register(person: { name: string; email: string; password: string }) {
  const provider = await identity()
  localStorage.removeItem(leaving)
  if (made !== JSON.stringify(person)) await provider.register(person)
  made = JSON.stringify(person)
  await mustEnter()
  made = undefined
}

/** Sets the picture that is shown of whoever is signed in, at once. Throws an Error whose message can be shown. */
export async function changePhoto(photoURL: string | null) {
  await (await identity()).changePhoto(photoURL)
  await mustEnter()
}

async function mustEnter() {
  if (await enter()) return
  throw new Error('Your browser did not keep the sign-in. Please allow cookies for this shop.')
}

let renewing: Promise<boolean> | undefined

/**
 * Exchanges the identity for an access token of the shop; false when nobody is signed in at the identity provider.
 * Asked by several calls at once, it is done once.
 */
export function enter(): Promise<boolean> {
  renewing ??= exchange().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function exchange() {
  const provider = await identity()
  if (localStorage.getItem(leaving)) await finishLeaving()
  const idToken = await provider.idToken()
  if (!idToken) return false
  const { email } = decodeJwt<{ email: string }>(idToken)
  const shop = createClient(api, { origin: location.origin, token: () => idToken })
  const { token } = await shop.signIn({ params: { email }, body: { email } })
  // Whoever left while this was under way stays out.
  if (localStorage.getItem(leaving)) return false
  keepToken(token)
  return true
}

/** How long to wait for the identity provider to hear of a sign-out, in milliseconds. */
const longEnough = 3_000

/** Signs out here at once, and at the identity provider now or, when it cannot be reached, before the next renewal. */
export async function leave(how: { onPurpose?: boolean } = {}) {
  localStorage.setItem(leaving, 'yes')
  dropToken(how)
  const tired = new Promise((resolve) => setTimeout(resolve, longEnough))
  await Promise.race([finishLeaving().catch(() => {}), tired])
}

async function finishLeaving() {
  await (await identity()).signOut()
  localStorage.removeItem(leaving)
}
