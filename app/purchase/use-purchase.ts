import { useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { readSession, type Session } from '#app/auth/session.ts'
import { serverNow } from '#app/browser/clock.ts'
import { ApiError, client, isOutage } from '#app/client.ts'
import { clearDraft, forgetSent, idempotencyKeyFor, isOutcomeUnknown, wasSent } from '#app/drafts.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { useSecondClick } from '#app/ui/behaviour/second-click.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { checkOrderLimit, type OrderLimit } from '#shop/orders/order-limit.ts'
import type { Purchase, PurchaseFormValues } from '#shop/orders/purchase.ts'
import type { Part } from '#shop/parts/part.ts'
import { lowestQuantity, totalAt } from '#shop/parts/quantity.ts'

interface Options {
  session: Session
  part: Part
  limit: OrderLimit | null
  /** Cents, as shown. */
  total: number
  onPlaced: (order: Purchase) => void
  onFailure: (error: unknown) => void
}

/** `duplicate` is a recent order of the same, about which the customer has to be asked. */
export function usePurchase({ session, part, limit, total, onPlaced, onFailure }: Options) {
  const [duplicate, setDuplicate] = useState<Purchase>()
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { name, email } = session
  /** Another order than the one whose response was lost needs a second click. */
  const secondClick = useSecondClick()

  async function purchase(values: PurchaseFormValues, { again = false } = {}) {
    if (readSession()?.email !== email) {
      // The form is another one for that account.
      showError(
        new Error('You’re now signed in to another account. Check your details, then select Purchase.'),
      )
      return revalidate()
    }
    const price = totalAt(part, values.quantity)
    const payNow = mustPayNow(limit, part, values.quantity)
    const body = { ...values, name, email, parts: part.name, partId: part._id, price, total, payNow }
    if (isOutcomeUnknown(part._id) && !wasSent(part._id, body) && !secondClick.isAnswer()) {
      onFailure(new Error(unknownOutcomeMessage))
      return
    }
    secondClick.reset()
    const isHere = rememberPage()
    try {
      // A retry of a lost response is answered with its order.
      const recent = again || wasSent(part._id, body) ? undefined : await findDuplicate(values)
      setDuplicate(recent)
      if (recent) return
      const order = await client.placePurchase({ body, key: idempotencyKeyFor(part._id, body) })
      clearDraft(part._id)
      onPlaced(order)
      // Also reloads stock and price.
      const placed = payNow ? `/dashboard/payment/${order._id}` : `${pathname}?ordered=${order.number}`
      if (isHere()) await navigate(placed, { replace: !payNow, preventScrollReset: !payNow })
    } catch (error) {
      onFailure(error)
      if (!isOutage(error)) forgetSent(part._id)
      // Reloading would fail and replace the form with an error page.
      if (!isOutage(error) && !isMissing(error)) await revalidate()
    }
  }

  async function findDuplicate(values: PurchaseFormValues): Promise<Purchase | undefined> {
    const {
      quantity,
      address,
      recipient = name,
      company = '',
      country = null,
      postcode = null,
      town = null,
      collect = false,
    } = values
    const { rows } = await client.listMyPurchases({ body: { email, limit: 20 } })
    return rows.find(
      (order) =>
        order.lineCount === 1 &&
        order.partId === part._id &&
        order.quantity === quantity &&
        order.address === address &&
        order.recipient === recipient &&
        order.company === company &&
        order.country === country &&
        order.postcode === postcode &&
        order.town === town &&
        order.collected === collect &&
        serverNow() - Date.parse(order.createdAt) < 10 * 60_000,
    )
  }

  return { purchase, duplicate, dropDuplicate: () => setDuplicate(undefined) }
}

/** Whether the order is above what its customer may leave unpaid, and can be paid at once. */
export function mustPayNow(limit: OrderLimit | null, part: Part, quantity: number) {
  const isLowest = quantity === lowestQuantity(part)
  return limit !== null && checkOrderLimit(limit, totalAt(part, quantity), isLowest) === 'pay now'
}

const unknownOutcomeMessage =
  'We lost the connection while you ordered, so your order may have been placed. Check My Orders. To order anyway, select Purchase again.'

function isMissing(error: unknown) {
  return error instanceof ApiError && error.status === 404
}
