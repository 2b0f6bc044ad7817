import { useNavigate, useRevalidator } from 'react-router'
import type { z } from 'zod'
import { readSession, type Session } from '#app/auth/session.ts'
import { client, isOutage } from '#app/client.ts'
import { clearDraft, forgetSent, idempotencyKeyFor, isOutcomeUnknown, wasSent } from '#app/drafts.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { useSecondClick } from '#app/ui/behaviour/second-click.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import type { delivery } from '#shop/orders/purchase.ts'
import type { Line } from './lines.ts'
import { finishSaving, forgetOrdered, inTurn } from './store.ts'

export const orderDraft = 'basket order'

interface Options {
  /** Without errors. */
  lines: Line[]
  session: Session
  /** Cents, as shown. */
  total: number
  /** Whether the order is above what may be left unpaid. */
  mustPayNow: boolean
  onFailure: (error: unknown) => void
  /** Once the basket was read again. */
  onRefused: () => void
}

/** Orders all lines and goes on to the payment. */
export function useBasketOrder({ lines, session, total, mustPayNow, onFailure, onRefused }: Options) {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  /** Another order than the one whose response was lost needs a second click. */
  const secondClick = useSecondClick()

  return async function order(values: z.output<typeof delivery>) {
    if (readSession()?.email !== session.email) {
      // The form is another one for that account.
      showError(
        new Error('You’re now signed in to another account. Check your basket, then select Place order.'),
      )
      return revalidate()
    }
    const requested = lines.map(({ item, quantity, total }) => ({
      partId: item.partId,
      quantity,
      price: total!,
    }))
    const body = { ...values, lines: requested, fromBasket: true, total, payNow: mustPayNow }
    if (isOutcomeUnknown(orderDraft) && !wasSent(orderDraft, body) && !secondClick.isAnswer()) {
      onFailure(new Error(unknownOutcomeMessage))
      return revalidate()
    }
    secondClick.reset()
    const isHere = rememberPage()
    try {
      await finishSaving()
    } catch (error) {
      return onFailure(error)
    }
    try {
      await inTurn(async () => {
        const placed = await client.placeOrder({ body, key: idempotencyKeyFor(orderDraft, body) })
        clearDraft(orderDraft)
        if (isHere()) await navigate(`/dashboard/payment/${placed._id}`)
        forgetOrdered(requested.map(({ partId }) => partId))
        showToast(`Order #${placed.number} placed`)
      })
    } catch (error) {
      onFailure(error)
      if (isOutage(error)) return
      forgetSent(orderDraft)
      await revalidate()
      onRefused()
    }
  }
}

const unknownOutcomeMessage =
  'We lost the connection while you ordered, so your order may have been placed. Check My Orders. To order anyway, select Place order again.'
