import { decodeJwt } from 'jose'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import type { BrowserIdentity } from '#shop/ports.ts'
import { dropToken, keepToken } from './session.ts'

let loading: Promise<BrowserIdentity> | undefined

/** The identity provider's browser half, loaded when it is needed first. */
export function identity(): Promise<BrowserIdentity> {
  loading ??= import('#providers/identity/embedded.client.ts').then((provider) => provider.embeddedIdentity())
  return loading
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
  const idToken = await (await identity()).idToken()
  if (!idToken) return false
  const { email } = decodeJwt<{ email: string }>(idToken)
  const { signIn } = createClient(api, { origin: location.origin, token: () => idToken })
  const { token } = await signIn({ params: { email }, body: { email } })
  keepToken(token)
  return true
}

/** Signs out here at once, and at the identity provider as soon as it can be reached. */
export async function leave() {
  dropToken()
  await (await identity()).signOut().catch(() => {})
}
