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

export const somethingWrong = 'Something went wrong.'
export const unreachable =
  'The sign-in service cannot be reached. Please check your connection and try again.'
const invalidCredentials = 'Invalid email or password'
const otherMethod = 'This email already signs in another way. Please use that way.'
const notEnabled = 'This way of signing in is not switched on here.'
const tooManyAttempts = 'Too many attempts. Please wait a while and try again.'
const expiredLink =
  'This link was used already, or is too old. If you have just set a password with it, please log in with that one.'
const weakPassword = 'Please choose a stronger password.'

const messages = {
  'auth/invalid-credential': invalidCredentials,
  'auth/wrong-password': invalidCredentials,
  'auth/user-not-found': invalidCredentials,
  'auth/invalid-email': 'Please enter a valid email address.',
  'auth/email-already-in-use': 'User already exists. Use another email.',
  'auth/weak-password': weakPassword,
  'auth/password-does-not-meet-requirements': weakPassword,
  'auth/account-exists-with-different-credential': otherMethod,
  'auth/credential-already-in-use': otherMethod,
  'auth/operation-not-allowed': notEnabled,
  'auth/admin-restricted-operation': notEnabled,
  'auth/user-disabled': 'This account is closed.',
  'auth/user-token-expired': 'Please sign in again.',
  'auth/too-many-requests': tooManyAttempts,
  'auth/quota-exceeded': tooManyAttempts,
  'auth/network-request-failed': unreachable,
  'auth/timeout': unreachable,
  'auth/expired-action-code': expiredLink,
  'auth/invalid-action-code': expiredLink,
} satisfies Messages

const providerFailed = 'Signing in there did not work. Please try again.'

export const providerMessages = {
  'auth/invalid-credential': providerFailed,
  'auth/internal-error': providerFailed,
  'auth/unauthorized-domain': notEnabled,
  'auth/popup-blocked':
    'Your browser blocked the window to sign in. Please press the button again, or allow it.',
  'auth/popup-closed-by-user': 'The window was closed before you were signed in.',
  'auth/cancelled-popup-request': 'Another window to sign in was opened.',
  'auth/user-cancelled': 'You were not signed in: nothing was shared.',
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
    throw new Error(known[codeOf(error) ?? ''] ?? somethingWrong)
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
