import { useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import { clearDraft, readDraft, updateDraft } from '#app/drafts.ts'
import { Icon } from '#app/ui/icon.tsx'
import { formatCount } from '#shop/money.ts'

const draft = 'continue'

interface StartedPurchase {
  path: string
  label: string
}

/** For an account that was registered in the middle of a purchase, which leads home. */
export async function rememberPurchase(path: string) {
  const { pathname, searchParams } = new URL(path, location.origin)
  if (pathname === '/basket')
    return updateDraft(draft, { path: pathname, label: 'Continue with your basket' })
  const [, partId] = /^\/part\/([^/]+)$/.exec(pathname) ?? []
  if (!partId) return
  const part = await client.readPart({ params: { partId } }).catch(() => null)
  if (!part) return
  const typed = searchParams.get('quantity') ?? ''
  const quantity = /^\d{1,9}$/.test(typed) ? typed : ''
  updateDraft(draft, {
    path: `${pathname}${quantity && `?${new URLSearchParams({ quantity })}`}`,
    label: `Continue with ${quantity && `${formatCount(Number(quantity))} × `}${part.name}`,
  })
}

export function forgetPurchase(pathname: string) {
  if (readDraft<StartedPurchase>(draft)?.path?.split('?')[0] === pathname) clearDraft(draft)
}

export function ContinuePurchase() {
  const session = useSession()
  return session ? <Panel key={session.email} /> : null
}

function Panel() {
  const [started, setStarted] = useState(
    () => readDraft<StartedPurchase>(draft) as StartedPurchase | undefined,
  )
  if (!started) return null
  const { path, label } = started

  function dismiss() {
    clearDraft(draft)
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
