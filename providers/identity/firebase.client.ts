import { initializeApp } from '@firebase/app'
import {
  type AuthErrorCodes,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  GithubAuthProvider,
  GoogleAuthProvider,
  initializeAuth,
  onAuthStateChanged,
  sendPasswordResetEmail,
  signInWithCredential,
  signInWithEmailAndPassword,
  signInWithPopup,
  signOut,
  type User,
  updateProfile,
  verifyPasswordResetCode,
} from '@firebase/auth'
import type { BrowserIdentity, IdentitySettings, SignInProvider } from '#shop/ports.ts'

type Settings = Extract<IdentitySettings, { kind: 'firebase' }>

/** Subject and issue time of the last returned ID token, shared by all tabs. */
const lastTokenKey = 'lastIdToken'

export function firebaseBrowserIdentity(settings: Settings): BrowserIdentity {
  const { apiKey, authDomain, projectId, emulator } = settings
  const app = initializeApp({ apiKey, authDomain, projectId })
  // In localStorage like the access token, so that tabs notice each other’s changes.
  const auth = initializeAuth(app, { persistence: browserLocalPersistence })
  if (emulator) connectAuthEmulator(auth, emulator, { disableWarnings: true })

  let incompleteRegistration: { credentials: string; user: User } | undefined

  return {
    onSessionEnded(ended) {
      let isSignedIn = false
      return onAuthStateChanged(auth, (user) => {
        const wasSignedOut = isSignedIn && !user
        isSignedIn = user !== null
        if (wasSignedOut) ended()
      })
    },
    register({ name, email, password }) {
      return withMessages(async () => {
        const credentials = JSON.stringify([email, password])
        if (incompleteRegistration?.credentials !== credentials) {
          const { user } = await createUserWithEmailAndPassword(auth, email, password)
          incompleteRegistration = { credentials, user }
        }
        await updateProfile(incompleteRegistration.user, { displayName: name })
        incompleteRegistration = undefined
      })
    },
    signIn({ email, password }) {
      return withMessages(async () => {
        await signInWithEmailAndPassword(auth, email, password)
      })
    },
    async signInWith(provider) {
      const { user } = await withMessages(
        () => (emulator ? signInWithEmulator(provider) : signInWithProviderPopup(provider)),
        providerMessages,
      )
      if (user.email) return
      await signOut(auth)
      throw new Error('No email address came from there, and the shop needs one.')
    },
    async completeRedirect() {},
    requestReset(email) {
      return withMessages(async () => {
        // Where Firebase’s own page continues, in projects that use it for resets.
        const url = new URL('/login', location.origin).href
        await sendPasswordResetEmail(auth, email, { url }).catch((error) => {
          if (codeOf(error) !== 'auth/user-not-found') throw error
        })
      })
    },
    resetPassword(code, password) {
      return withMessages(async () => {
        const email = await verifyPasswordResetCode(auth, code)
        await confirmPasswordReset(auth, code, password)
        const signedIn = await signInWithEmailAndPassword(auth, email, password).then(
          () => true,
          () => false,
        )
        return { signedIn }
      }, resetMessages)
    },
    updateProfile({ name, photoURL }) {
      return withMessages(async () => {
        const user = await currentUser()
        if (!user) throw new DisplayableError('Please sign in.')
        const changes = { ...(name !== undefined && { displayName: name }), ...(photoURL && { photoURL }) }
        await updateProfile(user, changes)
        if (photoURL === null) await removePhoto(user)
      })
    },
    async signOut() {
      await withMessages(() => signOut(auth))
    },
    idToken() {
      return withMessages(async () => {
        const user = await currentUser()
        if (!user) return null
        try {
          return await newToken(user)
        } catch (error) {
          if (!sessionEndCodes.has(codeOf(error))) throw error
          await signOut(auth)
          return null
        }
      })
    },
  }

  async function currentUser() {
    await auth.authStateReady()
    return auth.currentUser
  }

  /** Loads Google’s scripts only now. */
  function signInWithProviderPopup(name: SignInProvider) {
    // Shared computers may be signed in at Google as somebody else.
    const provider =
      name === 'google'
        ? new GoogleAuthProvider().setCustomParameters({ prompt: 'select_account' })
        : new GithubAuthProvider().addScope('user:email')
    return signInWithPopup(auth, provider, browserPopupRedirectResolver)
  }

  /** The emulator’s popup would load a script from the internet. */
  function signInWithEmulator(name: SignInProvider) {
    const person = JSON.stringify({ ...emulatorPeople[name], email_verified: true })
    return signInWithCredential(
      auth,
      name === 'google' ? GoogleAuthProvider.credential(person) : GithubAuthProvider.credential(person),
    )
  }

  /** The SDK sends null, which the emulator rejects; deleteAttribute works with both. */
  async function removePhoto(user: User) {
    const idToken = await user.getIdToken()
    const host = 'identitytoolkit.googleapis.com'
    const service = emulator ? `${emulator}/${host}` : `https://${host}`
    const response = await fetch(`${service}/v1/accounts:update?key=${apiKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ idToken, deleteAttribute: ['PHOTO_URL'] }),
      // The API key may be restricted by referrer.
      referrerPolicy: 'strict-origin-when-cross-origin',
      signal: AbortSignal.timeout(30_000),
    }).catch(() => {
      throw new DisplayableError(unreachable)
    })
    if (!response.ok) throw new DisplayableError(somethingWrong)
  }

  /** Tokens issued in the same second are identical, and each is valid once. */
  async function newToken(user: User): Promise<string> {
    const { token, issuedAtTime } = await user.getIdTokenResult(true)
    const tokenIdentity = `${user.uid} ${issuedAtTime}`
    if (localStorage.getItem(lastTokenKey) === tokenIdentity) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return newToken(user)
    }
    localStorage.setItem(lastTokenKey, tokenIdentity)
    return token
  }
}

const emulatorPeople = {
  google: { sub: 'google-1', email: 'gwen@example.com', name: 'Gwen Google' },
  github: { sub: 'github-1', email: 'gideon@example.com', name: 'Gideon Hub' },
} satisfies Record<SignInProvider, { sub: string; email: string; name: string }>

type Code = (typeof AuthErrorCodes)[keyof typeof AuthErrorCodes] | 'auth/password-does-not-meet-requirements'
type Messages = Partial<Record<Code, string>>

/** Codes that end the session. */
const sessionEndCodes = new Set<string | undefined>([
  'auth/user-token-expired',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/invalid-user-token',
  'auth/invalid-refresh-token',
])

const somethingWrong = 'Something went wrong.'
const unreachable = 'The sign-in service cannot be reached. Please check your connection and try again.'
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

const providerMessages = {
  'auth/invalid-credential': providerFailed,
  // Also when Google’s scripts are blocked.
  'auth/internal-error': providerFailed,
  'auth/unauthorized-domain': notEnabled,
  'auth/popup-blocked':
    'Your browser blocked the window to sign in. Please press the button again, or allow it.',
  'auth/popup-closed-by-user': 'The window was closed before you were signed in.',
  'auth/cancelled-popup-request': 'Another window to sign in was opened.',
  'auth/user-cancelled': 'You were not signed in: nothing was shared.',
} satisfies Messages

/** The account of the link no longer exists. */
const resetMessages = { 'auth/user-not-found': expiredLink } satisfies Messages

class DisplayableError extends Error {}

/** Replaces every error by one with a displayable message. */
async function withMessages<T>(work: () => Promise<T>, overrides: Messages = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DisplayableError) throw new Error(error.message)
    const known: Record<string, string | undefined> = { ...messages, ...overrides }
    throw new Error(known[codeOf(error) ?? ''] ?? somethingWrong)
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
