import type { RateLimit } from '#shop/rate-limits.server.ts'

const minuteSeconds = 60

export async function rateLimitsFor(
  call: string,
  request: Request,
  clientNetwork: string,
): Promise<RateLimit[]> {
  switch (call) {
    case 'POST /sign-in/email':
      return [await credentialFailures(request, clientNetwork)]
    case 'POST /sign-up/email': {
      const all = {
        keys: [`identity:new:from:${clientNetwork}`],
        max: 200,
        seconds: 60 * minuteSeconds,
        counts: 'all',
      }
      return [all as RateLimit, await credentialFailures(request, clientNetwork)]
    }
    case 'POST /request-password-reset': {
      const common = { seconds: 60 * minuteSeconds, counts: 'all', hint: resetHint } as const
      return [
        { ...common, keys: [`identity:reset:of:${await emailOf(request)}`], max: 5 },
        { ...common, keys: [`identity:reset:from:${clientNetwork}`], max: 60 },
      ]
    }
    // Separate from failed sign-ins, so that a locked-out customer can still reset the password.
    case 'POST /reset-password':
      return [
        { keys: [failedResets(clientNetwork)], max: 10, seconds: 15 * minuteSeconds, counts: 'failures' },
      ]
    case 'POST /sign-in/social':
      return [
        {
          keys: [`identity:social:from:${clientNetwork}`],
          max: 60,
          seconds: 15 * minuteSeconds,
          counts: 'all',
        },
      ]
    default:
      return []
  }
}

const resetHint =
  'A link that was mailed to you within the last hour is still good: please look among spam, too.'
const signInHint = 'With ‘Forgot password?’ you get in at once.'

async function credentialFailures(request: Request, clientNetwork: string): Promise<RateLimit> {
  const keys = [failuresFrom(clientNetwork), accountFailureKey(await emailOf(request))]
  return { keys, max: 10, seconds: 15 * minuteSeconds, counts: 'failures', hint: signInHint }
}

export const accountFailureKey = (email: string) => `identity:as:${email}`
const failuresFrom = (network: string) => `identity:from:${network}`
const failedResets = (network: string) => `identity:reset:by:${network}`

/** Counters to reset after a client has proven to own the mailbox. */
export function failureKeysOf(clientNetwork: string): string[] {
  return [failuresFrom(clientNetwork), failedResets(clientNetwork)]
}

async function emailOf(request: Request) {
  const body = await request
    .clone()
    .json()
    .catch(() => ({}))
  return String(body?.email).trim().toLowerCase().slice(0, 254)
}
