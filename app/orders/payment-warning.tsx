import type { Purchase } from '#shop/orders/purchase.ts'
import { paymentWarning } from '#shop/orders/state.ts'

/** For admins: what keeps the order's payment from being the shop's. */
export function PaymentWarning({ order }: { order: Purchase }) {
  const label = paymentWarning(order)
  return (
    label && (
      <span className="rounded-field border border-warning px-2 py-1 text-sm font-medium whitespace-nowrap">
        {label}
      </span>
    )
  )
}

/** What it means for who runs the shop, and what may end it. */
export function PaymentNotice({ order: { dispute, inquiry } }: { order: Purchase }) {
  const text = dispute === 'open' ? disputeNotice : inquiry ? inquiryNotice : null
  return text && <p className="mt-4 max-w-prose rounded-box border border-warning p-3 text-sm">{text}</p>
}

const disputeNotice =
  'The customer disputed this payment with their bank. Answer in the payment provider’s dashboard, and don’t ship the order unless you win.'
const inquiryNotice =
  'The customer’s bank asks about this payment. No money was withdrawn, so you can ship the order. An answer in the payment provider’s dashboard or a refund ends the inquiry. Without one, it may become a dispute, and you may lose the money and the parts.'
