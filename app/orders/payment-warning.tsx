import type { Order } from '#shop/orders/order.ts'

/** For admins: what keeps the order's payment from being the shop's. */
export function PaymentWarning({ order: { dispute, testPayment } }: { order: Order }) {
  const label = testPayment ? 'Test payment' : dispute && disputeLabels[dispute]
  return (
    label && (
      <span className="rounded-field border border-warning px-2 py-1 text-sm font-medium whitespace-nowrap">
        {label}
      </span>
    )
  )
}

const disputeLabels = { open: 'Disputed', lost: 'Dispute lost', won: null }
