import { useState } from 'react'
import { Link } from 'react-router'
import { useSession } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import { clearDraft, readDraft, updateDraft } from '#app/drafts.ts'
import { Icon } from '#app/ui/icon.tsx'
import { formatCount } from '#shop/money.ts'

const draft = 'continue'

interface StartedPurchase {
  partId: string
  name: string
  quantity: string
}

/** For an account that was registered in the middle of a purchase, which leads home. */
export async function rememberPurchase(path: string) {
  const { pathname, searchParams } = new URL(path, location.origin)
  const [, partId] = /^\/part\/([^/]+)$/.exec(pathname) ?? []
  if (!partId) return
  const part = await client.readPart({ params: { partId } }).catch(() => null)
  if (!part) return
  const quantity = searchParams.get('quantity') ?? ''
  updateDraft(draft, { partId, name: part.name, quantity: /^\d{1,9}$/.test(quantity) ? quantity : '' })
}

export function forgetPurchase(partId: string) {
  if (readDraft<StartedPurchase>(draft)?.partId === partId) clearDraft(draft)
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
  const { partId, name, quantity } = started

  function dismiss() {
    clearDraft(draft)
    setStarted(undefined)
  }

  return (
    <section
      aria-label="Your purchase"
      className="mt-6 mb-6 flex flex-wrap items-center gap-3 rounded-box border border-primary p-4"
    >
      <Link
        to={`/part/${partId}${quantity && `?${new URLSearchParams({ quantity })}`}`}
        className="btn btn-primary h-auto max-w-full py-2 text-left whitespace-normal"
      >
        {`Continue with ${quantity && `${formatCount(Number(quantity))} × `}${name}`}
      </Link>
      <button type="button" className="btn btn-ghost" onClick={dismiss}>
        <Icon name="close" />
        Dismiss
      </button>
    </section>
  )
}
