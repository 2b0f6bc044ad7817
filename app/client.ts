import { CallFailed, createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import { enter } from './identity.ts'
import { dropToken, readToken } from './session.ts'

export { CallFailed } from '#api/client.ts'

/** Whether a call failed because the shop could not be reached or is in trouble: then reading anew would fail too. */
export function isOutage(error: unknown) {
  return error instanceof CallFailed && (error.status === 0 || error.status >= 500)
}

/** The shop's calls as the signed-in person. A token that has run out is renewed once, else the person is signed out. */
export const client = createClient(api, {
  get origin() {
    return location.origin
  },
  token: readToken,
  async renew() {
    const renewed = await enter()
    if (!renewed) dropToken()
    return renewed
  },
})
