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
