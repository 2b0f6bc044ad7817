import { useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/auth/session.ts'
import { clearDraft, readDraft } from '#app/drafts.ts'
import { Icon } from '#app/ui/icon.tsx'

/** Kept by remember-purchase.ts. */
export const startedPurchase = 'continue'

export interface StartedPurchase {
  path: string
  label: string
}

export function forgetPurchase(pathname: string) {
  if (readDraft<StartedPurchase>(startedPurchase)?.path?.split('?')[0] === pathname)
    clearDraft(startedPurchase)
}

export function ContinuePurchase() {
  const session = useSession()
  return session ? <Panel key={session.email} /> : null
}

function Panel() {
  const [started, setStarted] = useState(
    () => readDraft<StartedPurchase>(startedPurchase) as StartedPurchase | undefined,
  )
  if (!started) return null
  const { path, label } = started

  function dismiss() {
    clearDraft(startedPurchase)
    setStarted(undefined)
  }

  return (
    <section
      aria-label="Your purchase"
      className="mt-6 mb-6 flex flex-wrap items-center gap-3 rounded-box border border-primary p-4"
    >
      <Link to={path} className="btn btn-primary h-auto max-w-full py-2 text-left whitespace-normal">
        {label}
      </Link>
      <button type="button" className="btn btn-ghost" onClick={dismiss}>
        <Icon name="close" />
        Dismiss
      </button>
    </section>
  )
}
