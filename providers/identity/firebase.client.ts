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

/** When the ID token that was given out last was issued, and to whom; in all tabs. */
const lastGiven = 'idTokenGiven'

/** The browser's half of Firebase Authentication, through its own SDK. */
export function firebaseIdentity(settings: Settings): BrowserIdentity {
  const { apiKey, authDomain, projectId, emulator } = settings
  const app = initializeApp({ apiKey, authDomain, projectId })
  // Beside the access token, so that one tab learns at once what another did.
  const auth = initializeAuth(app, { persistence: browserLocalPersistence })
  if (emulator) connectAuthEmulator(auth, emulator, { disableWarnings: true })

  /** An account that was made and has no name yet. */
  let unnamed: { credentials: string; user: User } | undefined

  return {
    watch(ended) {
      let known = false
      return onAuthStateChanged(auth, (user) => {
        const gone = known && !user
        known = user !== null
        if (gone) ended()
      })
    },
    register({ name, email, password }) {
      return inWords(async () => {
        const credentials = JSON.stringify([email, password])
        if (unnamed?.credentials !== credentials) {
          const { user } = await createUserWithEmailAndPassword(auth, email, password)
          unnamed = { credentials, user }
        }
        await updateProfile(unnamed.user, { displayName: name })
        unnamed = undefined
      })
    },
    signIn({ email, password }) {
      return inWords(async () => {
        await signInWithEmailAndPassword(auth, email, password)
      })
    },
    async signInWith(provider) {
      const { user } = await inWords(
        () => (emulator ? signInAsMadeUp(provider) : signInByWindow(provider)),
        there,
      )
      if (user.email) return
      await signOut(auth)
      throw new Error('No email address came from there, and the shop needs one.')
    },
    async checkReturn() {},
    requestReset(email) {
      return inWords(async () => {
        // Where Firebase's own page leads on to, in a project whose links do not lead here.
        const url = new URL('/login', location.origin).href
        await sendPasswordResetEmail(auth, email, { url }).catch((error) => {
          if (codeOf(error) !== 'auth/user-not-found') throw error
        })
      })
    },
    resetPassword(code, password) {
      return inWords(async () => {
        const email = await verifyPasswordResetCode(auth, code)
        await confirmPasswordReset(auth, code, password)
        const signedIn = await signInWithEmailAndPassword(auth, email, password).then(
          () => true,
          () => false,
        )
        return { signedIn }
      }, byLink)
    },
    updateProfile({ name, photoURL }) {
      return inWords(async () => {
        const user = await whoIs()
        if (!user) throw new Refusal('Please sign in.')
        const change = { ...(name !== undefined && { displayName: name }), ...(photoURL && { photoURL }) }
        await updateProfile(user, change)
        if (photoURL === null) await removePhoto(user)
      })
    },
    async signOut() {
      await inWords(() => signOut(auth))
    },
    idToken() {
      return inWords(async () => {
        const user = await whoIs()
        if (!user) return null
        try {
          return await newToken(user)
        } catch (error) {
          if (!sessionEnds.has(codeOf(error))) throw error
          await signOut(auth)
          return null
        }
      })
    },
  }

  async function whoIs() {
    await auth.authStateReady()
    return auth.currentUser
  }

  /** What opens the window brings scripts of Google's along: only now, for whoever wants it. */
  function signInByWindow(name: SignInProvider) {
    // A computer that several people use may be signed in at Google as another one of them.
    const provider =
      name === 'google'
        ? new GoogleAuthProvider().setCustomParameters({ prompt: 'select_account' })
        : new GithubAuthProvider().addScope('user:email')
    return signInWithPopup(auth, provider, browserPopupRedirectResolver)
  }

  /** The emulator's window needs a script from the internet; it also takes somebody's description instead. */
  function signInAsMadeUp(name: SignInProvider) {
    const person = JSON.stringify({ ...madeUp[name], email_verified: true })
    return signInWithCredential(
      auth,
      name === 'google' ? GoogleAuthProvider.credential(person) : GithubAuthProvider.credential(person),
    )
  }

  /** The SDK sends null, which the emulator refuses; taking away is a request of its own in Firebase's API. */
  async function removePhoto(user: User) {
    const idToken = await user.getIdToken()
    const host = 'identitytoolkit.googleapis.com'
    const service = emulator ? `${emulator}/${host}` : `https://${host}`
    const response = await fetch(`${service}/v1/accounts:update?key=${apiKey}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ idToken, deleteAttribute: ['PHOTO_URL'] }),
      // A key may be good only for pages of this shop.
      referrerPolicy: 'strict-origin-when-cross-origin',
      signal: AbortSignal.timeout(30_000),
    }).catch(() => {
      throw new Refusal(away)
    })
    if (!response.ok) throw new Refusal(somethingWrong)
  }

  /** Tokens of the same second are the same token. */
  async function newToken(user: User): Promise<string> {
    const { token, issuedAtTime } = await user.getIdTokenResult(true)
    const issued = `${user.uid} ${issuedAtTime}`
    if (localStorage.getItem(lastGiven) === issued) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return newToken(user)
    }
    localStorage.setItem(lastGiven, issued)
    return token
  }
}

const madeUp = {
  google: { sub: 'google-1', email: 'gwen@example.com', name: 'Gwen Google' },
  github: { sub: 'github-1', email: 'gideon@example.com', name: 'Gideon Hub' },
} satisfies Record<SignInProvider, { sub: string; email: string; name: string }>

type Code = (typeof AuthErrorCodes)[keyof typeof AuthErrorCodes] | 'auth/password-does-not-meet-requirements'
type Words = Partial<Record<Code, string>>

/** What ends a session: the account is gone or closed, or its password was changed elsewhere. */
const sessionEnds = new Set<string | undefined>([
  'auth/user-token-expired',
  'auth/user-disabled',
  'auth/user-not-found',
  'auth/invalid-user-token',
  'auth/invalid-refresh-token',
])

const somethingWrong = 'Something went wrong.'
const away = 'The sign-in service cannot be reached. Please check your connection and try again.'
const wrongPair = 'Invalid email or password'
const otherWay = 'This email already signs in another way. Please use that way.'
const notHere = 'This way of signing in is not switched on here.'
const wait = 'Too many attempts. Please wait a while and try again.'
const oldLink =
  'This link was used already, or is too old. If you have just set a password with it, please log in with that one.'
const stronger = 'Please choose a stronger password.'

const words = {
  'auth/invalid-credential': wrongPair,
  'auth/wrong-password': wrongPair,
  'auth/user-not-found': wrongPair,
  'auth/invalid-email': 'Please enter a valid email address.',
  'auth/email-already-in-use': 'User already exists. Use another email.',
  'auth/weak-password': stronger,
  'auth/password-does-not-meet-requirements': stronger,
  'auth/account-exists-with-different-credential': otherWay,
  'auth/credential-already-in-use': otherWay,
  'auth/operation-not-allowed': notHere,
  'auth/admin-restricted-operation': notHere,
  'auth/user-disabled': 'This account is closed.',
  'auth/user-token-expired': 'Please sign in again.',
  'auth/too-many-requests': wait,
  'auth/quota-exceeded': wait,
  'auth/network-request-failed': away,
  'auth/timeout': away,
  'auth/expired-action-code': oldLink,
  'auth/invalid-action-code': oldLink,
} satisfies Words

const notThere = 'Signing in there did not work. Please try again.'

const there = {
  'auth/invalid-credential': notThere,
  // Also when a browser keeps Google's scripts out.
  'auth/internal-error': notThere,
  'auth/unauthorized-domain': notHere,
  'auth/popup-blocked':
    'Your browser blocked the window to sign in. Please press the button again, or allow it.',
  'auth/popup-closed-by-user': 'The window was closed before you were signed in.',
  'auth/cancelled-popup-request': 'Another window to sign in was opened.',
  'auth/user-cancelled': 'You were not signed in: nothing was shared.',
} satisfies Words

/** Nobody has the account any more that a link is for. */
const byLink = { 'auth/user-not-found': oldLink } satisfies Words

/** A failure that has its words already. */
class Refusal extends Error {}

/** Does something of Firebase; whatever goes wrong is an Error with words that can be shown, and nothing else. */
async function inWords<T>(work: () => Promise<T>, more: Words = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) throw new Error(error.message)
    const known: Record<string, string | undefined> = { ...words, ...more }
    throw new Error(known[codeOf(error) ?? ''] ?? somethingWrong)
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}
