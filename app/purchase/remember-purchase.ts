import { client } from '#app/client.ts'
import { updateDraft } from '#app/drafts.ts'
import { formatCount } from '#shop/money.ts'
import { type StartedPurchase, startedPurchase } from './continue-purchase.tsx'

/** For an account that was registered in the middle of a purchase, which leads home. */
export async function rememberPurchase(path: string) {
  const { pathname, searchParams } = new URL(path, location.origin)
  if (pathname === '/basket') return keep({ path: pathname, label: 'Continue with your basket' })
  const [, kind, partId] = /^\/(part|dashboard\/stockAlerts)\/([^/]+)$/.exec(pathname) ?? []
  if (!partId) return
  const part = await client.readPart({ params: { partId } }).catch(() => null)
  if (!part) return
  if (kind !== 'part')
    return keep({ path: pathname, label: `Get an email when ${part.name} is back in stock` })
  const typed = searchParams.get('quantity') ?? ''
  const quantity = /^\d{1,9}$/.test(typed) ? typed : ''
  keep({
    path: `${pathname}${quantity && `?${new URLSearchParams({ quantity })}`}`,
    label: `Continue with ${quantity && `${formatCount(Number(quantity))} × `}${part.name}`,
  })
}

function keep(purchase: StartedPurchase) {
  updateDraft(startedPurchase, purchase)
}
