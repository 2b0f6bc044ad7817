import { useEffect, useRef, useState } from 'react'
import { CallFailed, client } from '#app/client.ts'
import { poll } from '#app/poll.ts'
import type { PaymentState } from '#providers/payments/payment-state.client.ts'
import { type Order, orderCan } from '#shop/orders/order.ts'

interface Payment {
  order: Order
  clientSecret: string
  /** Whether a card was taken before, and the bank has yet to say what became of it. */
  processing: boolean
  look: (clientSecret: string) => Promise<PaymentState>
  /** Told the order once it can no longer be paid, since it is paid or has expired. */
  onClosed: (order: Order) => void
}

/**
 * Where paying stands. 'card': the form waits, `said` is why the last try was none. 'paying': an attempt is under way.
 * 'doubt': the bank's answer got lost, and until it is known nothing else is tried. 'processing': the bank takes its time.
 * 'untold': the bank has the money, and the shop does not know. 'refused': this payment is over, and the order unpaid.
 */
export type Stage =
  | { at: 'card'; said?: string | undefined }
  | { at: 'paying' | 'doubt' | 'processing' }
  | { at: 'untold'; telling: boolean }
  | { at: 'refused'; why: string }

const lost = 'The bank did not take your payment, and nothing was charged. Please try again.'
const asked = 'Your bank still waits for your answer, and nothing was charged. Pay again to answer it.'
const gone = 'This payment can no longer be made, and nothing was charged.'

/** What is true of a payment that the shop did not take, by the status of its answer. */
const untaken: Partial<Record<number, string>> = {
  402: 'If your card was charged, it pays your order after all or the money goes back to you, and we write to you.',
  404: 'If your card was charged, we write to whoever placed the order what becomes of the money.',
  409: 'If your card was charged, it pays your order after all or the money goes back to you, and we write to you.',
}

/** Pays an order once, whatever is lost on the way. */
export function usePayment({ order, clientSecret, processing, look, onClosed }: Payment) {
  const [stage, setStage] = useState<Stage>({ at: processing ? 'processing' : 'card' })
  const underway = useRef(false)
  const { _id: id } = order
  const [transactionId = ''] = clientSecret.split('_secret_')

  async function pay(attempt: () => Promise<PaymentState>) {
    // A second click may come before the first one is drawn.
    if (underway.current || stage.at !== 'card') return
    underway.current = true
    setStage({ at: 'paying' })
    try {
      await goOn(await attempt())
    } catch {
      // Whatever failed, the card may have been taken.
      setStage({ at: 'doubt' })
    } finally {
      underway.current = false
    }
  }

  async function goOn({ status, words = lost }: PaymentState) {
    if (status === 'paid') return tell()
    if (status === 'cancelled') return close()
    if (status === 'open') return setStage({ at: 'card', said: words })
    if (status === 'asks') return setStage({ at: 'card', said: asked })
    if (status === 'processing') return setStage({ at: 'processing' })
    setStage((now) => (now.at === 'processing' ? now : { at: 'doubt' }))
  }

  /** What the bank said last may be about an earlier try, whose words would mislead. */
  async function ask() {
    const { status } = await look(clientSecret)
    await goOn({ status })
  }

  /** Tells the shop, which asks the bank itself; told again, nothing is charged again. */
  async function tell() {
    setStage((now) => (now.at === 'untold' ? { at: 'untold', telling: true } : now))
    try {
      onClosed(await client.payOrder({ params: { id }, body: { purchase: id, transactionId } }))
    } catch (error) {
      const rest = error instanceof CallFailed && untaken[error.status]
      if (rest) return close(`${error.message} ${rest}`)
      setStage({ at: 'untold', telling: false })
    }
  }

  /** For a payment that is over. The order may say more: paid by another one, or expired. */
  async function close(why?: string) {
    const now = await client.readOrder({ params: { id } }).catch(() => order)
    if (now.paid || (!why && !orderCan.bePaid(now))) onClosed(now)
    else setStage({ at: 'refused', why: why ?? gone })
  }

  /** Looks at the order first, which the bank may have told the shop of, then at the bank. */
  async function lookAgain() {
    const now = await client.readOrder({ params: { id } }).catch(() => order)
    if (orderCan.bePaid(now)) await goOn(await look(clientSecret))
    else onClosed(now)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: each stage begins once, whatever is drawn meanwhile
  useEffect(() => {
    if (stage.at === 'doubt') return poll(ask, 250)
    if (stage.at === 'processing') return poll(lookAgain)
    if (stage.at === 'untold') return poll(tell)
    return undefined
  }, [stage.at])

  return { stage, pay, tell }
}
