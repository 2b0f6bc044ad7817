import type { Attempts } from '#shop/rate-limits.server.ts'

const minutes = 60

/** How often a call may be made, and whose calls count together: `from` is the network address that it comes from. */
export async function attemptsOf(call: string, request: Request, from: string): Promise<Attempts[]> {
  switch (call) {
    case 'POST /sign-in/email':
      return [await guesses(request, from)]
    case 'POST /sign-up/email': {
      const all = { keys: [`identity:new:from:${from}`], most: 200, seconds: 60 * minutes, counting: 'all' }
      return [all as Attempts, await guesses(request, from)]
    }
    case 'POST /request-password-reset': {
      const common = { seconds: 60 * minutes, counting: 'all', hint: mailed } as const
      return [
        { ...common, keys: [`identity:reset:of:${await emailOf(request)}`], most: 5 },
        { ...common, keys: [`identity:reset:from:${from}`], most: 60 },
      ]
    }
    // Apart from failed sign-ins: whoever has failed too often must get in by this.
    case 'POST /reset-password':
      return [{ keys: [failedResets(from)], most: 10, seconds: 15 * minutes, counting: 'failures' }]
    case 'POST /sign-in/social':
      return [{ keys: [`identity:social:from:${from}`], most: 60, seconds: 15 * minutes, counting: 'all' }]
    default:
      return []
  }
}

const mailed =
  'A link that was mailed to you within the last hour is still good: please look among spam, too.'
const forgotten = 'With ‘Forgot password?’ you get in at once.'

async function guesses(request: Request, from: string): Promise<Attempts> {
  const keys = [failuresFrom(from), failuresAs(await emailOf(request))]
  return { keys, most: 10, seconds: 15 * minutes, counting: 'failures', hint: forgotten }
}

/** Where the failures of an account are counted, and those of a network address. */
export const failuresAs = (email: string) => `identity:as:${email}`
const failuresFrom = (network: string) => `identity:from:${network}`
const failedResets = (network: string) => `identity:reset:by:${network}`

/** What to forget of a network address from which somebody has proven to own a mailbox. */
export function failuresOf(from: string): string[] {
  return [failuresFrom(from), failedResets(from)]
}

async function emailOf(request: Request) {
  const body = await request
    .clone()
    .json()
    .catch(() => ({}))
  return String(body?.email).trim().toLowerCase().slice(0, 254)
}
