import {
  type Auth,
  browserPopupRedirectResolver,
  GithubAuthProvider,
  GoogleAuthProvider,
  signInWithCredential,
  signInWithPopup,
} from '@firebase/auth'
import type { SignInProvider } from '#shop/ports.ts'

export function signInWithProviderPopup(auth: Auth, name: SignInProvider) {
  // Shared computers may be signed in at Google as somebody else.
  const provider =
    name === 'google'
      ? new GoogleAuthProvider().setCustomParameters({ prompt: 'select_account' })
      : new GithubAuthProvider().addScope('user:email')
  return signInWithPopup(auth, provider, browserPopupRedirectResolver)
}

/** The emulator’s popup would load a script from the internet. */
export function signInWithEmulator(auth: Auth, name: SignInProvider) {
  const person = JSON.stringify({ ...emulatorPeople[name], email_verified: true })
  return signInWithCredential(
    auth,
    name === 'google' ? GoogleAuthProvider.credential(person) : GithubAuthProvider.credential(person),
  )
}

const emulatorPeople = {
  google: { sub: 'google-1', email: 'gwen@example.com', name: 'Gwen Google' },
  github: { sub: 'github-1', email: 'gideon@example.com', name: 'Gideon Hub' },
} satisfies Record<SignInProvider, { sub: string; email: string; name: string }>
