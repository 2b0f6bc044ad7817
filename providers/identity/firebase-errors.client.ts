import type { AuthErrorCodes } from '@firebase/auth'

type Code = (typeof AuthErrorCodes)[keyof typeof AuthErrorCodes] | 'auth/password-does-not-meet-requirements'
type Messages = Partial<Record<Code, string>>

export const sessionEndCodes = new Set<string | undefined>([
  'auth/user-token-expired',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/invalid-user-token',
  'auth/invalid-refresh-token',
])

/** Of a reset link. */
export const staleCodes: ReadonlySet<string> = new Set([
  'auth/expired-action-code',
  'auth/invalid-action-code',
  'auth/user-not-found',
])

export const somethingWrong = 'Something went wrong. Try again.'
export const unreachable = 'We can’t reach the sign-in provider. Check your connection and try again.'
const invalidCredentials = 'Invalid email or password'
const otherMethod = 'This email address is registered with another sign-in method. Use that one instead.'
const notEnabled = 'This sign-in method isn’t available. Use another one.'
const tooManyAttempts = 'Too many attempts. Try again in a few minutes.'
const expiredLink =
  'This link has expired or was already used. If you just set a password with it, sign in with that password.'
const weakPassword = 'Choose a stronger password.'

const messages = {
  'auth/invalid-credential': invalidCredentials,
  'auth/wrong-password': invalidCredentials,
  'auth/user-not-found': invalidCredentials,
  'auth/invalid-email': 'Enter a valid email address.',
  'auth/email-already-in-use': 'User already exists. Use another email.',
  'auth/weak-password': weakPassword,
  'auth/password-does-not-meet-requirements': weakPassword,
  'auth/account-exists-with-different-credential': otherMethod,
  'auth/credential-already-in-use': otherMethod,
  'auth/operation-not-allowed': notEnabled,
  'auth/admin-restricted-operation': notEnabled,
  'auth/user-disabled': 'This account is disabled. Contact us for help.',
  'auth/user-token-expired': 'Your session has ended. Sign in again.',
  'auth/too-many-requests': tooManyAttempts,
  'auth/quota-exceeded': tooManyAttempts,
  'auth/network-request-failed': unreachable,
  'auth/timeout': unreachable,
  'auth/expired-action-code': expiredLink,
  'auth/invalid-action-code': expiredLink,
} satisfies Messages

const providerFailed = 'We couldn’t sign you in. Try again.'

export const providerMessages = {
  'auth/invalid-credential': providerFailed,
  'auth/internal-error': providerFailed,
  'auth/unauthorized-domain': notEnabled,
  'auth/popup-blocked': 'Your browser blocked the sign-in window. Allow pop-ups for this shop and try again.',
  'auth/popup-closed-by-user': 'You closed the sign-in window. Try again.',
  'auth/cancelled-popup-request':
    'A sign-in window is already open. Continue there, or close it and try again.',
  'auth/user-cancelled': 'You cancelled the sign-in. Nothing was shared.',
} satisfies Messages

/** The account of the link no longer exists. */
export const resetMessages = { 'auth/user-not-found': expiredLink } satisfies Messages

export class DisplayableError extends Error {}

export async function withMessages<T>(work: () => Promise<T>, overrides: Messages = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DisplayableError) throw new Error(error.message)
    const known: Record<string, string | undefined> = { ...messages, ...overrides }
    throw new Error(known[readCode(error) ?? ''] ?? somethingWrong)
  }
}

export function readCode(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
