import type { Contract } from '#api/call.ts'
import { ApiError, createClient } from '#api/client.ts'
import { customerCalls } from '#api/customer-calls.ts'
import { renewSession } from '#app/auth/auth.ts'
import { clearToken, readAccessToken, readSession } from '#app/auth/session.ts'
import { noteServerTime } from '#app/browser/clock.ts'

export { ApiError } from '#api/client.ts'

/** Whether the shop was unreachable or failed, so that reloading would fail too. */
export function isOutage(error: unknown) {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500
}

export function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

/** Renews a rejected token once, then signs the user out. */
export function createSessionClient<C extends Contract>(calls: C) {
  return createClient(calls, {
    get origin() {
      return location.origin
    },
    token: readAccessToken,
    account: () => readSession()?.email ?? null,
    renewToken: () => renewSession().catch(falseIfRefused),
    onUnauthorized: () => clearToken(),
    onResponse: ({ headers }) => noteServerTime(headers.get('date')),
  })
}

export const client = createSessionClient(customerCalls)

/** Rethrows an outage or a rate limit, which must not sign the user out. */
function falseIfRefused(error: unknown): false {
  if (!isOutage(error) && (error as ApiError).status !== 429) return false
  throw error
}
