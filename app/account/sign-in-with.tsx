import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { completeSignIn, preloadProvider, signInWith } from '#app/auth/auth.ts'
import { isProviderReturn, providerReturnUrl } from '#app/auth/guards.ts'
import { readSession } from '#app/auth/session.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'
import { Icon } from '#app/ui/icon.tsx'
import { type IdentitySettings, providerNames, type SignInProvider } from '#shop/ports.ts'

interface Props {
  identity: IdentitySettings
  onStart: () => void
  onSignedIn: () => unknown
  onFailure: (error: unknown) => void
}

/** A provider that redirects returns through `useProviderReturn`. */
export function SignInWith({ identity, onStart, onSignedIn, onFailure }: Props) {
  const { pathname, search } = useLocation()
  const hydrated = useHydrated()
  const [busy, setBusy] = useState<SignInProvider>()
  const { revalidate } = useRevalidator()
  usePageRestore(() => {
    setBusy(undefined)
    // Redirects a user who signed in after leaving this page.
    if (readSession()) revalidate()
  })
  usePreload(identity)
  if (identity.providers.length === 0) return null

  async function start(provider: SignInProvider) {
    if (busy) return
    setBusy(provider)
    onStart()
    try {
      await signInWith(provider, providerReturnUrl(pathname, search, provider))
      await onSignedIn()
    } catch (error) {
      onFailure(error)
    }
    setBusy(undefined)
  }

  return (
    <div className="mt-6">
      <p className="mb-4 flex items-center gap-4 text-sm text-base-content/75 before:h-px before:flex-1 before:bg-base-300 after:h-px after:flex-1 after:bg-base-300">
        or
      </p>
      <div className="grid gap-3 sm:grid-flow-col sm:auto-cols-fr">
        {identity.providers.map((provider) => (
          <button
            key={provider}
            type="button"
            className="btn btn-outline border-base-content/40 px-3"
            disabled={!hydrated}
            aria-disabled={busy !== undefined}
            onClick={() => start(provider)}
          >
            {busy === provider ? (
              <span className="loading loading-spinner loading-sm" aria-hidden="true" />
            ) : (
              <Icon name={provider} />
            )}
            {`Continue with ${providerNames[provider]}`}
          </button>
        ))}
      </div>
      {identity.kind === 'embedded' && identity.testMode.length > 0 && (
        <p className="mt-3 text-sm text-base-content/75">
          {`Test mode: signing in with ${identity.testMode.map((provider) => providerNames[provider]).join(' or ')} opens a test page.`}
        </p>
      )}
    </div>
  )
}

/** A page restored from the back/forward cache would still show its busy button. */
function usePageRestore(onRestore: () => void) {
  useEffect(() => {
    const listener = ({ persisted }: PageTransitionEvent) => persisted && onRestore()
    addEventListener('pageshow', listener)
    return () => removeEventListener('pageshow', listener)
  })
}

/** Firebase opens a popup, which browsers allow only right after a click, so its code must be loaded by then. */
function usePreload({ kind }: IdentitySettings) {
  useEffect(() => {
    if (kind === 'firebase') preloadProvider()
  }, [kind])
}

/** Completes a provider's redirect and removes its parameters from the URL; returns whether one is being completed. */
export function useProviderReturn({
  onSignedIn,
  onFailure,
}: Pick<Props, 'onSignedIn' | 'onFailure'>): boolean {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isReturn = isProviderReturn(search)
  const started = useRef(false)

  useEffect(() => {
    if (!isReturn || started.current) return
    started.current = true
    complete()
  })

  async function complete() {
    try {
      await completeSignIn(new URLSearchParams(search))
      await onSignedIn()
    } catch (error) {
      await navigate(providerReturnUrl(pathname, search), { replace: true })
      onFailure(error)
    }
  }
  return isReturn
}

export function SigningIn() {
  return (
    <section role="status" className="grid place-items-center gap-6 py-24 text-center">
      <h1>Signing you in…</h1>
      <span className="loading loading-spinner loading-lg text-primary" aria-hidden="true" />
      <noscript>This page needs JavaScript. Turn it on and reload.</noscript>
    </section>
  )
}
