import { useEffect, useRef, useState } from 'react'
import { ApiError, client } from '#app/client.ts'
import { poll } from '#app/poll.ts'
import type { PaymentState } from '#providers/payments/payment-state.client.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBePaid } from '#shop/orders/status.ts'
import { readCurrent } from './current-order.ts'

interface Options {
  order: Purchase
  clientSecret: string
  /** Whether a card was submitted earlier and the bank has not decided yet. */
  processing: boolean
  fetchState: (clientSecret: string) => Promise<PaymentState>
  /** Called once the order can no longer be paid: it is paid, cancelled or expired. */
  onClosed: (order: Purchase) => void
  /** Called when the order has another total than this payment. */
  onChanged: () => void
}

/**
 * 'idle': the form waits, `error` is why the last attempt failed. 'paying': an attempt is running. 'uncertain': the bank's
 * response was lost, and no other attempt may start until the outcome is known. 'processing': the bank has not decided
 * yet. 'unreported': the bank has the money, but the shop does not know. 'refused': this payment is over, the order unpaid.
 */
export type Stage =
  | { status: 'idle'; error?: string | undefined }
  | { status: 'paying' | 'uncertain' | 'processing' }
  | { status: 'unreported'; reporting: boolean }
  | { status: 'refused'; reason: string }

const failedMessage = 'The payment didn’t go through, and you weren’t charged. Try again or use another card.'
const authenticationMessage =
  'Your bank needs you to confirm this payment. You haven’t been charged yet. Select Pay to confirm it.'
const closedMessage = 'This payment was cancelled, and you weren’t charged. Try again.'

const unconfirmedMessages: Partial<Record<number, string>> = {
  402: 'If your card was charged, we’ll complete your order or refund you, and email you either way.',
  404: 'If your card was charged, we’ll email the customer who placed this order.',
  409: 'If your card was charged, we’ll complete your order or refund you, and email you either way.',
}

/** Charges at most once, whatever response is lost. */
export function usePayment({ order, clientSecret, processing, fetchState, onClosed, onChanged }: Options) {
  const [stage, setStage] = useState<Stage>({ status: processing ? 'processing' : 'idle' })
  const isPaying = useRef(false)
  const { _id: id } = order
  const [transactionId = ''] = clientSecret.split('_secret_')

  async function pay(attempt: () => Promise<PaymentState>) {
    if (isPaying.current || stage.status !== 'idle') return
    isPaying.current = true
    setStage({ status: 'paying' })
    try {
      await applyState(await attempt())
    } catch {
      // Whatever failed, the card may have been charged.
      setStage({ status: 'uncertain' })
    } finally {
      isPaying.current = false
    }
  }

  function clearError() {
    setStage((current) => (current.status === 'idle' ? { status: 'idle' } : current))
  }

  async function applyState({ status, message = failedMessage }: PaymentState) {
    if (status === 'paid') return notifyShop()
    if (status === 'cancelled') return close()
    if (status === 'open') return setStage({ status: 'idle', error: message })
    if (status === 'requires action') return setStage({ status: 'idle', error: authenticationMessage })
    if (status === 'processing') return setStage({ status: 'processing' })
    setStage((current) => (current.status === 'processing' ? current : { status: 'uncertain' }))
  }

  /** Drops the bank's message, which may be about an earlier attempt. */
  async function resolveUncertain() {
    const { status } = await fetchState(clientSecret)
    await applyState({ status })
  }

  /** Safe to repeat: the shop asks the bank itself and never charges again. */
  async function notifyShop() {
    setStage((current) =>
      current.status === 'unreported' ? { status: 'unreported', reporting: true } : current,
    )
    try {
      onClosed(await client.payPurchase({ params: { id }, body: { purchase: id, transactionId } }))
    } catch (error) {
      const explanation = error instanceof ApiError && unconfirmedMessages[error.status]
      if (explanation) return close(`${error.message} ${explanation}`)
      setStage({ status: 'unreported', reporting: false })
    }
  }

  async function close(reason?: string) {
    const current = await readCurrent(order)
    if (current.paid || (!reason && !canBePaid(current))) onClosed(current)
    else if (!reason && current.charges.total !== order.charges.total) onChanged()
    else setStage({ status: 'refused', reason: reason ?? closedMessage })
  }

  async function recheck() {
    const current = await readCurrent(order)
    if (canBePaid(current)) await applyState(await fetchState(clientSecret))
    else onClosed(current)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per stage, not per render
  useEffect(() => {
    if (stage.status === 'uncertain') return poll(resolveUncertain, 250)
    if (stage.status === 'processing') return poll(recheck)
    if (stage.status === 'unreported') return poll(notifyShop)
    return undefined
  }, [stage.status])

  return { stage, pay, clearError, notifyShop }
}
