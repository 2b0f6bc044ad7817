import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { completeSignIn, preload, signInWith } from '#app/auth/auth.ts'
import { isProviderReturn, providerReturnUrl } from '#app/auth/guards.ts'
import { readSession } from '#app/auth/session.ts'
import { useHydrated } from '#app/ui/hydrated.ts'
import { Icon } from '#app/ui/icon.tsx'
import { type IdentitySettings, providerNames, type SignInProvider } from '#shop/ports.ts'

interface Props {
  identity: IdentitySettings
  /** Told at the beginning of an attempt. */
  onBegin: () => void
  onEntered: () => unknown
  onFailure: (error: unknown) => void
}

/** Buttons that sign in at a provider. Those that take the page over lead back to it; see `useReturn`. */
export function SignInWith({ identity, onBegin, onEntered, onFailure }: Props) {
  const { pathname, search } = useLocation()
  const hydrated = useHydrated()
  const [busy, setBusy] = useState<SignInProvider>()
  const { revalidate } = useRevalidator()
  useComingBack(() => {
    setBusy(undefined)
    // Whoever went on and signed in is led on.
    if (readSession()) revalidate()
  })
  usePreparation(identity)
  if (identity.providers.length === 0) return null

  async function begin(provider: SignInProvider) {
    if (busy) return
    setBusy(provider)
    onBegin()
    try {
      await signInWith(provider, providerReturnUrl(pathname, search, provider))
      await onEntered()
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
            onClick={() => begin(provider)}
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
          {`Test mode: a page of this shop stands in for ${identity.testMode.map((provider) => providerNames[provider]).join(' and ')}, with test accounts.`}
        </p>
      )}
    </div>
  )
}

/** A page that was left may be shown again as it was, with the button still at work. */
function useComingBack(comeBack: () => void) {
  useEffect(() => {
    const show = ({ persisted }: PageTransitionEvent) => persisted && comeBack()
    addEventListener('pageshow', show)
    return () => removeEventListener('pageshow', show)
  })
}

/** Firebase opens a window, which browsers allow only right after a click: its code has to be there by then. */
function usePreparation({ kind }: IdentitySettings) {
  useEffect(() => {
    if (kind === 'firebase') preload()
  }, [kind])
}

/**
 * Goes on where a provider has led back to, and answers whether that is under way. What it came with is then taken out
 * of the address, so that it counts once.
 */
export function useProviderReturn({ onEntered, onFailure }: Pick<Props, 'onEntered' | 'onFailure'>): boolean {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const returned = isProviderReturn(search)
  const begun = useRef(false)

  useEffect(() => {
    if (!returned || begun.current) return
    begun.current = true
    goOn()
  })

  async function goOn() {
    try {
      await completeSignIn(new URLSearchParams(search))
      await onEntered()
    } catch (error) {
      await navigate(providerReturnUrl(pathname, search), { replace: true })
      onFailure(error)
    }
  }
  return returned
}

/** What is shown meanwhile. */
export function SigningIn() {
  return (
    <section role="status" className="grid place-items-center gap-6 py-24 text-center">
      <h1>Signing you in …</h1>
      <span className="loading loading-spinner loading-lg text-primary" aria-hidden="true" />
      <noscript>This page needs JavaScript.</noscript>
    </section>
  )
}
