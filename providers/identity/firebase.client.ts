import { initializeApp } from '@firebase/app'
import {
  type Auth,
  browserLocalPersistence,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  onAuthStateChanged,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  type User,
  updateProfile,
  verifyPasswordResetCode,
} from '@firebase/auth'
import type { BrowserIdentity, IdentitySettings } from '#shop/ports.ts'
import {
  DisplayableError,
  providerMessages,
  readCode,
  resetMessages,
  sessionEndCodes,
  somethingWrong,
  staleCodes,
  unreachable,
  withMessages,
} from './firebase-errors.client.ts'
import { signInWithEmulator, signInWithProviderPopup } from './firebase-providers.client.ts'

type Settings = Extract<IdentitySettings, { kind: 'firebase' }>

/** Subject and issue time of the last returned ID token, shared by all tabs. */
const lastTokenKey = 'lastIdToken'

export function firebaseBrowserIdentity(settings: Settings): BrowserIdentity {
  const { emulator } = settings
  const auth = openAuth(settings)
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
        () => (emulator ? signInWithEmulator(auth, provider) : signInWithProviderPopup(auth, provider)),
        providerMessages,
      )
      if (user.email) return
      await signOut(auth)
      throw new Error('That account didn’t share an email address. Use another account or sign-in method.')
    },
    async completeRedirect() {},
    requestReset(email) {
      return withMessages(async () => {
        // Where Firebase’s own page continues, in projects that use it for resets.
        const url = new URL('/login', location.origin).href
        await sendPasswordResetEmail(auth, email, { url }).catch((error) => {
          if (readCode(error) !== 'auth/user-not-found') throw error
        })
      })
    },
    readResetLink: (code) => readResetLink(auth, code),
    resetPassword(code, password) {
      return withMessages(async () => {
        const email = await verifyPasswordResetCode(auth, code)
        await confirmPasswordReset(auth, code, password)
        return { signedIn: await isSuccessful(signInWithEmailAndPassword(auth, email, password)) }
      }, resetMessages)
    },
    updateProfile({ name, photoURL }) {
      return withMessages(async () => {
        const user = await currentUser(auth)
        if (!user) throw new DisplayableError('Sign in to continue.')
        const changes = { ...(name !== undefined && { displayName: name }), ...(photoURL && { photoURL }) }
        await updateProfile(user, changes)
        if (photoURL === null) await removePhoto(user, settings)
      })
    },
    async signOut() {
      await withMessages(() => signOut(auth))
    },
    idToken() {
      return withMessages(() => tokenOrSignOut(auth))
    },
  }
}

function openAuth({ apiKey, authDomain, projectId, emulator }: Settings) {
  const app = initializeApp({ apiKey, authDomain, projectId })
  // In localStorage like the access token, so that tabs notice each other’s changes.
  const auth = initializeAuth(app, { persistence: browserLocalPersistence })
  if (emulator) connectAuthEmulator(auth, emulator, { disableWarnings: true })
  return auth
}

function isSuccessful(work: Promise<unknown>) {
  return work.then(
    () => true,
    () => false,
  )
}

async function currentUser(auth: Auth) {
  await auth.authStateReady()
  return auth.currentUser
}

/** The SDK sends null, which the emulator rejects; deleteAttribute works with both. */
async function removePhoto(user: User, { apiKey, emulator }: Settings) {
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

async function tokenOrSignOut(auth: Auth) {
  const user = await currentUser(auth)
  if (!user) return null
  try {
    return await newToken(user)
  } catch (error) {
    if (!sessionEndCodes.has(readCode(error))) throw error
    await signOut(auth)
    return null
  }
}

/** Tokens issued in the same second are identical, and each is valid once. */
async function newToken(user: User): Promise<string> {
  const { token, issuedAtTime } = await user.getIdTokenResult(true)
  const tokenIdentity = `${user.uid} ${issuedAtTime}`
  if (replaceLastToken(tokenIdentity) === tokenIdentity) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    return newToken(user)
  }
  return token
}

/** Returns the one before, of any tab; null where the browser blocks site data. */
function replaceLastToken(tokenIdentity: string) {
  try {
    const before = localStorage.getItem(lastTokenKey)
    localStorage.setItem(lastTokenKey, tokenIdentity)
    return before
  } catch {
    return null
  }
}

/** Firebase does not tell what the shop knows of the account. */
async function readResetLink(auth: Auth, code: string) {
  try {
    return { email: await verifyPasswordResetCode(auth, code), isUnconfirmed: false }
  } catch (error) {
    if (staleCodes.has(readCode(error) ?? '')) return null
    throw error
  }
}
