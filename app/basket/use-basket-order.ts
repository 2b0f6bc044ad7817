import { useNavigate, useRevalidator } from 'react-router'
import type { z } from 'zod'
import { readSession, type Session } from '#app/auth/session.ts'
import { client, isOutage } from '#app/client.ts'
import { clearDraft, forgetSent, idempotencyKeyFor, isOutcomeUnknown, wasSent } from '#app/drafts.ts'
import { rememberPage } from '#app/ui/same-page.ts'
import { showToast } from '#app/ui/toast.ts'
import type { delivery } from '#shop/orders/purchase.ts'
import type { Line } from './lines.ts'
import { dropPendingSaves, finishSaving, forgetOrdered, readBasketItems, syncBasket } from './store.ts'

export const orderDraft = 'basket order'

interface Options {
  /** Without errors. */
  lines: Line[]
  session: Session
  onFailure: (error: unknown) => void
}

/** Orders all lines and goes on to the payment. */
export function useBasketOrder({ lines, session, onFailure }: Options) {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()

  return async function order(values: z.output<typeof delivery>) {
    if (readSession()?.email !== session.email) {
      onFailure(
        new Error('You’re now signed in to another account. Check your basket, then select Place order.'),
      )
      return revalidate()
    }
    const requested = lines.map(({ item, typed, total }) => ({
      partId: item.partId,
      quantity: Number(typed),
      price: total!,
    }))
    const body = { ...values, lines: requested, fromBasket: true }
    const isHere = rememberPage()
    await finishSaving()
    try {
      if (isOutcomeUnknown(orderDraft) && !wasSent(orderDraft, body) && (await hasLeftBasket(requested))) {
        onFailure(new Error(unknownOutcomeMessage))
        return revalidate()
      }
      const placed = await client.placeOrder({ body, key: idempotencyKeyFor(orderDraft, body) })
      clearDraft(orderDraft)
      const ordered = requested.map(({ partId }) => partId)
      dropPendingSaves(ordered)
      if (isHere()) await navigate(`/dashboard/payment/${placed._id}`)
      forgetOrdered(ordered)
      showToast(`Order #${placed.number} placed`)
    } catch (error) {
      onFailure(error)
      if (isOutage(error)) return
      forgetSent(orderDraft)
      await revalidate()
    }
  }
}

/** Whether an order whose response was lost has taken some of them out of the basket. */
async function hasLeftBasket(lines: { partId: string }[]) {
  await syncBasket({ force: true })
  const left = new Set(readBasketItems().map(({ partId }) => partId))
  return lines.some(({ partId }) => !left.has(partId))
}

const unknownOutcomeMessage =
  'We lost the connection while you ordered, so your order may have been placed. Check My Orders before you order again.'
