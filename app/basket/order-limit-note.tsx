import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { sendLink } from '#app/account/confirm-email-notice.tsx'
import { onReconnect } from '#app/poll.ts'
import { errorText } from '#app/ui/error-text.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { formatDollars } from '#shop/money.ts'
import { checkOrderLimit, type OrderLimit } from '#shop/orders/order-limit.ts'

interface Props {
  /** Null when it could not be read: the server refuses what is above it. */
  limit: OrderLimit | null
  total: number
  isLowest: boolean
  email: string
}

/** Says before the order is placed that it is above what its customer may leave unpaid, and what to do. */
export function OrderLimitNote({ limit, total, isLowest, email }: Props) {
  if (!limit) return null
  const check = checkOrderLimit(limit, total, isLowest)
  if (check === 'within') return null
  return (
    <section aria-label="Order limit" className="mb-4 border-l-4 border-warning pl-3 text-sm">
      <p>{describeLimit(limit)}</p>
      {check === 'pay now' && (
        <p className="mt-2">
          {`You can also pay now: we’ll hold the parts for ${limit.payNowMinutes} minutes while you pay.`}
        </p>
      )}
      {!limit.isConfirmed && <ConfirmationLink email={email} />}
    </section>
  )
}

function describeLimit({ value, held, isConfirmed, hasPaid }: OrderLimit) {
  const until = isConfirmed
    ? hasPaid
      ? ''
      : 'Until you pay for your first order, '
    : 'Until you confirm your email address, '
  const limit = `unpaid orders can total at most ${formatDollars(value!)}`
  const rule = until ? `${until}your ${limit}` : `Your ${limit}`
  return held > 0
    ? `${rule}. You have unpaid orders for ${formatDollars(held)}: pay or cancel them to order more.`
    : `${rule}.`
}

const pauseMs = 60_000
const timeFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** Sends the link without leaving the order; the note goes once the address is confirmed, in whichever tab. */
function ConfirmationLink({ email }: { email: string }) {
  const { revalidate } = useRevalidator()
  const [sentAt, setSentAt] = useState<Date>()
  const [isResting, setIsResting] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  useEffect(() => onReconnect(revalidate), [revalidate])
  useEffect(() => {
    if (!sentAt) return
    const timer = setTimeout(() => setIsResting(false), pauseMs)
    return () => clearTimeout(timer)
  }, [sentAt])

  async function send() {
    if (busy || isResting) return
    setBusy(true)
    setError(undefined)
    try {
      await sendLink(email)
      setSentAt(new Date())
      setIsResting(true)
    } catch (error) {
      setError(errorText(error))
      // It may be confirmed meanwhile.
      revalidate()
    }
    setBusy(false)
  }

  return (
    <div className="mt-2">
      <p role="status" className="mb-2 font-medium wrap-anywhere empty:hidden">
        {sentAt &&
          `We sent a link to ${email} at ${timeFormat.format(sentAt)}. Open it, then come back to this page.`}
      </p>
      <FormError message={error} />
      <button type="button" className="btn btn-sm" aria-disabled={busy || isResting} onClick={send}>
        {busy ? 'Sending…' : sentAt ? 'Send the link again' : 'Send the confirmation link'}
      </button>
    </div>
  )
}
