import type { RateLimit } from '#shop/rate-limits.server.ts'

const minutes = 60

/** How often a call may be made, and whose calls count together: `from` is the network address that it comes from. */
export async function attemptsOf(call: string, request: Request, from: string): Promise<RateLimit[]> {
  switch (call) {
    case 'POST /sign-in/email':
      return [await guesses(request, from)]
    case 'POST /sign-up/email': {
      const all = { keys: [`identity:new:from:${from}`], max: 200, seconds: 60 * minutes, counts: 'all' }
      return [all as RateLimit, await guesses(request, from)]
    }
    case 'POST /request-password-reset': {
      const common = { seconds: 60 * minutes, counts: 'all', hint: mailed } as const
      return [
        { ...common, keys: [`identity:reset:of:${await emailOf(request)}`], max: 5 },
        { ...common, keys: [`identity:reset:from:${from}`], max: 60 },
      ]
    }
    // Apart from failed sign-ins: whoever has failed too often must get in by this.
    case 'POST /reset-password':
      return [{ keys: [failedResets(from)], max: 10, seconds: 15 * minutes, counts: 'failures' }]
    case 'POST /sign-in/social':
      return [{ keys: [`identity:social:from:${from}`], max: 60, seconds: 15 * minutes, counts: 'all' }]
    default:
      return []
  }
}

const mailed =
  'A link that was mailed to you within the last hour is still good: please look among spam, too.'
const forgotten = 'With ‘Forgot password?’ you get in at once.'

async function guesses(request: Request, from: string): Promise<RateLimit> {
  const keys = [failuresFrom(from), failuresAs(await emailOf(request))]
  return { keys, max: 10, seconds: 15 * minutes, counts: 'failures', hint: forgotten }
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
