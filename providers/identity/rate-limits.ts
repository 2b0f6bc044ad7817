import { networkLimits, type RateLimit, widerNetwork } from '#shop/rate-limits.server.ts'
import { mailboxFrom } from '#shop/users/unconfirmed-emails.server.ts'

const minuteSeconds = 60

/** `email` is the request's, in lower case; `device` the id of a browser that has signed in with it. */
export function rateLimitsFor(
  call: string,
  email: string,
  clientNetwork: string,
  device: string | null,
): RateLimit[] {
  switch (call) {
    case 'POST /sign-in/email':
      return device ? [deviceLimit(device)] : guessLimits(email, clientNetwork)
    case 'POST /sign-up/email': {
      const all = { max: 200, seconds: 60 * minuteSeconds, counts: 'all' } as const
      const registrations = networkLimits(clientNetwork, all, (network) => `identity:new:from:${network}`)
      // Each account has its own count of emails.
      const ofMailbox: RateLimit = {
        keys: [`identity:new:${mailboxFrom(email, clientNetwork)}`],
        max: 5,
        counts: 'successes',
        seconds: 24 * 60 * minuteSeconds,
      }
      return [...registrations, ofMailbox, ...guessLimits(email, clientNetwork).slice(0, -1)]
    }
    case 'POST /request-password-reset': {
      const common = { seconds: 60 * minuteSeconds, counts: 'all', hint: resetHint } as const
      const ofNetwork = { ...common, max: 60 }
      return [
        // Links that were mailed: a stranger's refused requests must not keep the owner from getting one.
        { ...common, counts: 'successes', keys: [`identity:reset:of:${email}`], max: 5 },
        {
          ...common,
          counts: 'successes',
          max: 10,
          seconds: 24 * 60 * minuteSeconds,
          keys: [`identity:reset:of:${mailboxFrom(email, clientNetwork)}`],
        },
        ...networkLimits(clientNetwork, ofNetwork, (network) => `identity:reset:from:${network}`),
      ]
    }
    // Separate from failed sign-ins, so that a locked-out customer can still reset the password.
    case 'POST /check-reset-link':
    case 'POST /reset-password': {
      const failures = { max: 100, seconds: 15 * minuteSeconds, counts: 'failures' } as const
      return networkLimits(clientNetwork, failures, failedResets)
    }
    case 'POST /sign-in/social': {
      const all = { max: 60, seconds: 15 * minuteSeconds, counts: 'all' } as const
      return networkLimits(clientNetwork, all, (network) => `identity:social:from:${network}`)
    }
    case 'POST /update-user': {
      // Refused requests of one client must not keep others from saving.
      const saved = { max: 600, seconds: 60 * minuteSeconds, counts: 'successes' } as const
      return networkLimits(clientNetwork, saved, (network) => `identity:update:from:${network}`)
    }
    default:
      return []
  }
}

/**
 * Bounds on sign-ins, whether the browser is known or not: `all` for a successful one, `ofNetwork` for a failed one, which must
 * not lock the owner of the account out.
 */
export function signInLimitsFor(email: string, clientNetwork: string) {
  const seconds = 15 * minuteSeconds
  const perNetwork = { max: 600, seconds, counts: 'all', hint: networkHint } as const
  const ofNetwork = networkLimits(clientNetwork, perNetwork, (network) => `identity:sign-ins:from:${network}`)
  const keys = [`identity:sign-ins:as:${email}`]
  const ofAccount: RateLimit = { keys, max: 60, seconds, counts: 'successes', hint: accountHint }
  return { ofNetwork, all: [...ofNetwork, ofAccount] }
}

const networkHint = 'This limit covers all sign-ins from your network.'
const accountHint = 'This limit covers all sign-ins to this account.'
const resetHint =
  'A link we emailed you within the last 24 hours still works. Check your inbox and your spam folder.'
const signInHint = 'To sign in now, set a new password with “Forgot password?”.'

/** Failed attempts at an account are counted by network, so that a stranger does not lock its owner out. */
function guessLimits(email: string, network: string): RateLimit[] {
  const common = { counts: 'failures', hint: signInHint } as const
  const ofNetwork = { ...common, max: 100, seconds: 15 * minuteSeconds }
  return [
    ...networkLimits(network, ofNetwork, (network) => `identity:from:${network}`),
    ...accountLimitsFrom(network, email).map((limit) => ({ ...common, ...limit })),
    { ...common, keys: [accountFailures(email)], max: 100, seconds: 60 * minuteSeconds },
  ]
}

/** One IPv6 client can have a whole /48: in an hour it must not reach the limit of an account from everywhere. */
function accountLimitsFrom(network: string, email: string) {
  const wider = widerNetwork(network)
  const limit = { keys: [accountFailuresFrom(network, email)], max: 10, seconds: 15 * minuteSeconds }
  return wider ? [{ ...limit, keys: [accountFailuresFrom(wider, email)], max: 20 }, limit] : [limit]
}

function deviceLimit(device: string): RateLimit {
  const keys = [`identity:device:${device}`]
  return { keys, max: 10, seconds: 15 * minuteSeconds, counts: 'failures', hint: signInHint }
}

const accountFailures = (email: string) => `identity:as:${email}`
const accountFailuresFrom = (network: string, email: string) => `identity:as:${email}:from:${network}`
const failedResets = (network: string) => `identity:reset:by:${network}`

/** Counters to reset after a client has proven to own the mailbox: those of its account alone. */
export function listFailureKeys(email: string, network: string): string[] {
  return [accountFailures(email), ...accountLimitsFrom(network, email).flatMap(({ keys }) => keys)]
}

/** Milliseconds by which a sign-in is delayed after guesses at its account from anywhere. */
export function guessDelayMs(email: string, attempts: Map<string, number>): number {
  const excess = (attempts.get(accountFailures(email)) ?? 0) - 10
  return excess < 0 ? 0 : Math.min(4_000, 250 * 2 ** excess)
}

/** Whether the response tells a guesser something: not that of a malformed request. */
export function isFailedGuess(status: number, code: string): boolean {
  return status === 401 || status === 422 || code === 'INVALID_TOKEN'
}
