import { CallFailed, createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { renewSession } from './auth/auth.ts'
import { dropToken, readToken } from './auth/session.ts'

export { CallFailed } from '#api/client.ts'

/** Whether a call failed because the shop could not be reached or is in trouble: then reading anew would fail too. */
export function isOutage(error: unknown) {
  // What is no answer of the shop's comes from the identity provider, or from the network.
  return !(error instanceof CallFailed) || error.status === 0 || error.status >= 500
}

/** For what may be gone by now: null instead of a 404. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof CallFailed && error.status === 404) return null
  throw error
}

/** The shop's calls as the signed-in person. A token that is refused is renewed once, else the person is signed out. */
export const client = createClient(api, {
  get origin() {
    return location.origin
  },
  token: readToken,
  renew: () => renewSession().catch(giveUp),
  refused: () => dropToken(),
})

/** A shop that refuses to renew the token has answered; one that is away has not, and nobody is signed out for that. */
function giveUp(error: unknown): false {
  if (!isOutage(error) && (error as CallFailed).status !== 429) return false
  throw error
}
