import { type Attempts, networkOf } from '#shop/limits.server.ts'

const minute = 60

/** How often a call may be made, and whose calls count together; null for one that nobody gains by repeating. */
export async function attemptsOf(call: string, request: Request, caller: string): Promise<Attempts | null> {
  const from = networkOf(caller)
  switch (call) {
    case 'POST /sign-in/email':
    case 'POST /sign-up/email': {
      const keys = [failuresFrom(from), failuresAs(await emailOf(request))]
      return { keys, most: 10, seconds: 15 * minute, counting: 'failures' }
    }
    case 'POST /request-password-reset': {
      const keys = [`identity:reset:from:${from}`, `identity:reset:of:${await emailOf(request)}`]
      return { keys, most: 5, seconds: 60 * minute, counting: 'all' }
    }
    // Apart from failed sign-ins: whoever has failed too often must get in by this.
    case 'POST /reset-password':
      return { keys: [failedResets(from)], most: 10, seconds: 15 * minute, counting: 'failures' }
    case 'POST /sign-in/social':
      return { keys: [`identity:social:from:${from}`], most: 30, seconds: 15 * minute, counting: 'all' }
    default:
      return null
  }
}

/** Where the failures of an account are counted, and those of a network address. */
export const failuresAs = (email: string) => `identity:as:${email}`
const failuresFrom = (network: string) => `identity:from:${network}`
const failedResets = (network: string) => `identity:reset:by:${network}`

/** What to forget of an address from which somebody has proven to own a mailbox. */
export function failuresOf(caller: string): string[] {
  return [failuresFrom, failedResets].map((key) => key(networkOf(caller)))
}

async function emailOf(request: Request) {
  const body = await request
    .clone()
    .json()
    .catch(() => ({}))
  return String(body?.email).trim().toLowerCase().slice(0, 254)
}
